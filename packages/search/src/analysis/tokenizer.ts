import { hasUnspacedScript, isSeparator, isWordCharacter } from './characters.ts';

/** Receives a surface form and its UTF-16 offsets in the text. */
export type TokenSink = (surface: string, start: number, end: number) => void;

let segmenter: Intl.Segmenter | undefined;

/**
 * Cuts a text into surface forms: runs between white space and dashes, trimmed of everything that is no letter, mark,
 * number or `_` at both ends. Runs in scripts without spaces are cut by `Intl.Segmenter`. On ASCII these are the
 * tokens of lunr's tokenizer and trimmer. Cost: O(length).
 */
export function tokenize(text: string, sink: TokenSink): void {
  const length = text.length;
  let offset = 0;
  while (offset < length) {
    while (offset < length && isSeparator(text, offset)) offset++;
    const runStart = offset;
    let isAscii = true;
    while (offset < length && !isSeparator(text, offset)) {
      if (text.charCodeAt(offset) > 127) isAscii = false;
      offset++;
    }
    if (runStart < offset) emitRun(text, runStart, offset, isAscii, sink);
  }
}

function emitRun(text: string, runStart: number, runEnd: number, isAscii: boolean, sink: TokenSink): void {
  let start = runStart;
  let end = runEnd;
  while (start < end && !isWordCharacter(text, start)) start++;
  while (end > start && !isWordCharacter(text, end - 1)) end--;
  if (start === end) return;
  const surface = text.slice(start, end);
  if (isAscii || !hasUnspacedScript(surface)) sink(surface, start, end);
  else emitSegments(surface, start, sink);
}

/** The time of a segmenter grows faster than its text: longer runs are cut into pieces. */
const MAX_SEGMENTED_LENGTH = 512;

function emitSegments(surface: string, base: number, sink: TokenSink): void {
  for (let start = 0; start < surface.length; ) {
    const end = endOfPiece(surface, start);
    segmentPiece(surface.slice(start, end), base + start, sink);
    start = end;
  }
}

function endOfPiece(surface: string, start: number): number {
  const end = Math.min(start + MAX_SEGMENTED_LENGTH, surface.length);
  const last = surface.charCodeAt(end - 1);
  const splitsPair = end < surface.length && last >= 0xd800 && last <= 0xdbff;
  return splitsPair ? end + 1 : end;
}

function segmentPiece(piece: string, base: number, sink: TokenSink): void {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  for (const { segment, index, isWordLike } of segmenter.segment(piece)) {
    if (isWordLike) sink(segment, base + index, base + index + segment.length);
  }
}
