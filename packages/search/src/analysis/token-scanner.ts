import { classOf, hasUnspacedScript, isWordCharacter, OTHER, SPACE, SPECIAL } from './characters.ts';
import { hashUnits, mixUnit, NO_UNITS } from './surface-hash.ts';
import { segmentWords } from './word-segments.ts';

/**
 * Cuts a text into surface forms: runs between white space and dashes, trimmed of everything that is no letter, mark,
 * number or `_` at both ends. Runs in scripts without spaces are cut by `Intl.Segmenter`. On ASCII these are the
 * tokens of lunr's tokenizer and trimmer. `open` a text, then step with `next`. Cost: O(length); makes no substring.
 */
export class TokenScanner {
  /** UTF-16 offsets of the current surface form, and its hash: {@link hashUnits}. */
  start = 0;
  end = 0;
  hash = 0;
  private text = '';
  private offset = 0;
  /** Offsets, in pairs, of the words that a run in a script without spaces was cut into. */
  private words: number[] = [];
  private wordAt = 0;

  open(text: string): void {
    this.text = text;
    this.offset = 0;
    this.wordAt = this.words.length;
  }

  /** Steps to the next surface form; false at the end of the text. */
  next(): boolean {
    while (this.wordAt === this.words.length) {
      if (this.offset >= this.text.length) return false;
      if (this.scanRun()) return true;
    }
    return this.takeWord();
  }

  /** Reads the run at the offset; true when it is one surface form. */
  private scanRun(): boolean {
    const { text } = this;
    const { length } = text;
    let at = this.offset;
    let start = -1;
    let end = -1;
    let hash = NO_UNITS;
    let hashAtEnd = hash;
    for (; at < length; at++) {
      const unit = text.charCodeAt(at);
      const kind = classOf(unit);
      if (kind === SPACE) break;
      if (kind === SPECIAL) return this.scanSpecialRun();
      if (start < 0) {
        if (kind === OTHER) continue;
        start = at;
      }
      hash = mixUnit(hash, unit);
      if (kind === OTHER) continue;
      end = at + 1;
      hashAtEnd = hash;
    }
    this.hash = hashAtEnd;
    this.offset = at + 1;
    this.start = start;
    this.end = end;
    return end >= 0;
  }

  /** Looks closer at a run with surrogates or a script without spaces: its surface forms are the next words. */
  private scanSpecialRun(): boolean {
    const { text } = this;
    let start = this.offset;
    let end = start;
    while (end < text.length && classOf(text.charCodeAt(end)) !== SPACE) end++;
    this.offset = end + 1;
    while (start < end && !isWordCharacter(text, start)) start++;
    while (end > start && !isWordCharacter(text, end - 1)) end--;
    const surface = text.slice(start, end);
    this.words = hasUnspacedScript(surface) ? segmentWords(surface, start) : start < end ? [start, end] : [];
    this.wordAt = 0;
    return false;
  }

  private takeWord(): boolean {
    this.start = this.words[this.wordAt++]!;
    this.end = this.words[this.wordAt++]!;
    this.hash = hashUnits(this.text, this.start, this.end);
    return true;
  }
}
