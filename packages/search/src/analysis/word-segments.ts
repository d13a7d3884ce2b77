let segmenter: Intl.Segmenter | undefined;

const WORD = /[\p{L}\p{N}]/u;

/** The time of a segmenter grows faster than its text: longer runs are cut into pieces. */
const MAX_SEGMENTED_LENGTH = 512;

/** Two letters, which are the fewest that call for it, of each script that ICU cuts by a dictionary. */
const DICTIONARY_SCRIPTS = '月月 のの カカ ไไ ລລ မမ កក';

/**
 * A segmenter that cuts a text the same whatever the process has cut before. ICU loads the dictionary of a script with
 * the first word of that script alone, yet uses it from then on for marks that several scripts share: before it
 * has met kana `ーの` is one word, after it two. So it meets every script first.
 */
export function openSegmenter(): Intl.Segmenter {
  const opened = new Intl.Segmenter('und', { granularity: 'word' });
  for (const _ of opened.segment(DICTIONARY_SCRIPTS));
  return opened;
}

/** The offsets, in pairs and moved by `base`, of the words that `Intl.Segmenter` finds in a run without spaces. */
export function segmentWords(run: string, base: number): number[] {
  const words: number[] = [];
  for (let start = 0; start < run.length; ) {
    const end = endOfPiece(run, start);
    segmentPiece(run.slice(start, end), base + start, words);
    start = end;
  }
  return words;
}

function endOfPiece(run: string, start: number): number {
  const end = Math.min(start + MAX_SEGMENTED_LENGTH, run.length);
  const last = run.charCodeAt(end - 1);
  const splitsPair = end < run.length && last >= 0xd800 && last <= 0xdbff;
  return splitsPair ? end + 1 : end;
}

function segmentPiece(piece: string, base: number, words: number[]): void {
  segmenter ??= openSegmenter();
  for (const { segment, index } of segmenter.segment(piece)) {
    // ICU takes some words with marks for none.
    if (WORD.test(segment)) words.push(base + index, base + index + segment.length);
  }
}
