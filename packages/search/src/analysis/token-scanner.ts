import { hashUnits, mixUnit, NO_UNITS } from './surface-table.ts';
import { COMPOUND, EXACT, PART } from './token-kind.ts';
import { cutUnspacedRun } from './unspaced-run.ts';
import {
  CLASSES,
  classOf,
  classOfPoint,
  DIGIT,
  DOUBLE_QUOTE,
  EXTEND,
  GLUE,
  isHebrew,
  JOINER,
  LETTER,
  MID_LETTER,
  MID_NUMBER,
  OTHER,
  QUOTE,
  SPECIAL,
  STOP,
  UNSPACED,
} from './word-classes.ts';

/** Longer compounds have their parts alone. */
const MAX_COMPOUND_LENGTH = 128;
/** Longer words are cut there: nobody looks for them, and their text must not be read in one go. */
const MAX_WORD_LENGTH = 65_536;
/** Runs of scripts without spaces are cut there before they are cut into words: these take long to find. */
const MAX_UNSPACED_LENGTH = 4096;
/** Characters of glue between two parts, as in `://`. */
const MAX_GLUE = 3;
/** Letters before `++` or `#` in the name of a language. */
const MAX_NAME_LENGTH = 3;

const FULL_STOP = 0x2e;
const PLUS = 0x2b;
const HASH = 0x23;

/**
 * Cuts a text into surface forms: the words of Unicode's word boundaries (UAX #29); runs in scripts without spaces as
 * {@link cutUnspacedRun} does. Unlike there, letters are parted at full stops and colons, and parts that are glued together
 * without white space (`wi-fi`, `name@host.org`, `report.pdf`) are followed by the whole. `open` a text, then step with
 * `next`. Cost: O(length); makes no substring.
 */
export class TokenScanner {
  /** UTF-16 offsets of the current surface form, and its hash: {@link hashUnits}. */
  start = 0;
  end = 0;
  hash = 0;
  /** One of the kinds of tokens. */
  kind: number = PART;
  #text = '';
  #offset = 0;
  /** By threes, offsets and kinds of the forms that a run in a script without spaces was cut into. */
  #words: number[] = [];
  #wordAt = 0;
  /** Where the compound begins that is being read; -1 when none is. */
  #compoundStart = -1;
  /** True when its parts so far are single letters with full stops between them. */
  #isAcronym = false;
  /** The kind of whole that comes next; `PART` when none does. It ends at `wholeEnd`. */
  #whole: number = PART;
  #wholeEnd = 0;

  open(text: string): void {
    this.#text = text;
    this.#offset = 0;
    this.#wordAt = this.#words.length;
    this.#compoundStart = -1;
    this.#whole = PART;
  }

  /** Steps to the next surface form; false at the end of the text. */
  next(): boolean {
    while (this.#wordAt === this.#words.length) {
      if (this.#whole !== PART) return this.#takeWhole();
      if (this.#compoundStart < 0 && this.#scanPlain()) return true;
      if (!this.#findStart()) return false;
      if (this.#scanPart()) return true;
    }
    return this.#takeWord();
  }

  /**
   * Most words by far: letters and digits with a space, or one mark and a space, behind them. Otherwise goes where the
   * word begins and gives false.
   */
  #scanPlain(): boolean {
    const text = this.#text;
    const { length } = text;
    let at = this.#offset;
    while (at < length && CLASSES[text.charCodeAt(at)] === OTHER) at++;
    const start = at;
    let hash = NO_UNITS;
    let kind = OTHER;
    const most = Math.min(length, start + MAX_WORD_LENGTH);
    for (; at < most; at++) {
      const unit = text.charCodeAt(at);
      kind = CLASSES[unit];
      if (kind !== LETTER && kind !== DIGIT) break;
      hash = mixUnit(hash, unit);
    }
    this.#offset = start;
    if (at === start || (at === most && most < length)) return false;
    if (at < length && kind !== OTHER && !(endsWord(kind) && endsAt(text, at + 1))) return false;
    this.#offset = at;
    return this.#take(start, at, hash, PART);
  }

  /** Goes to the next character that a word begins with; false when there is none. */
  #findStart(): boolean {
    const text = this.#text;
    const { length } = text;
    for (let at = this.#offset; at < length; at++) {
      if (!startsWord(text, at)) continue;
      this.#offset = at;
      return true;
    }
    this.#offset = length;
    return false;
  }

  /** Reads the part that begins at the offset; true when it is one surface form. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every character of a text comes through here
  #scanPart(): boolean {
    const text = this.#text;
    const { length } = text;
    const start = this.#offset;
    let at = start;
    let hash = NO_UNITS;
    /** The class of the last character that is no mark. */
    let last = 0;
    let isWord = false;
    let isUnspaced = false;
    const most = Math.min(length, start + MAX_WORD_LENGTH);
    for (; at < most; at++) {
      const unit = text.charCodeAt(at);
      let kind = classOf(unit);
      if (kind === SPECIAL) {
        kind = classOfPoint(text, at);
        if (kind !== LETTER && kind !== DIGIT && kind !== EXTEND && kind !== UNSPACED) break;
        if (kind === UNSPACED) {
          if (at - start >= MAX_UNSPACED_LENGTH) break;
          isUnspaced = true;
          kind = LETTER;
        }
        if (unit >= 0xd800 && unit <= 0xdbff) {
          hash = mixUnit(hash, unit);
          at++;
        }
      }
      if (kind === LETTER || kind === DIGIT) isWord = true;
      else if (kind !== JOINER && kind !== EXTEND && !this.#joins(kind, last, at, length)) break;
      if (kind !== EXTEND) last = kind;
      hash = mixUnit(hash, text.charCodeAt(at));
    }
    return this.#endPart(start, at, hash, isWord, isUnspaced);
  }

  /** Returns true if a character of a class is within a word or number and does not end it. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: characters between words come through here
  #joins(kind: number, last: number, at: number, length: number): boolean {
    if (kind < QUOTE || kind === GLUE || kind > DOUBLE_QUOTE) return false;
    const text = this.#text;
    let next = at + 1;
    let follower = 0;
    while (next < length) {
      follower = classOf(text.charCodeAt(next));
      if (follower === SPECIAL) follower = classOfPoint(text, next);
      if (follower !== EXTEND) break;
      next += (text.codePointAt(next) ?? 0) > 0xffff ? 2 : 1;
    }
    if (next >= length) return false;
    if (kind === DOUBLE_QUOTE) return isHebrew(text.charCodeAt(next)) && this.#isAfterHebrew(at);
    if (last === LETTER && follower === LETTER) return kind === QUOTE || kind === MID_LETTER;
    return last === DIGIT && follower === DIGIT && (kind === QUOTE || kind === STOP || kind === MID_NUMBER);
  }

  /** Returns true if the letter before an offset, marks aside, is Hebrew. */
  #isAfterHebrew(offset: number): boolean {
    const text = this.#text;
    let at = offset - 1;
    while (at > 0) {
      const isPair = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
      const start = isPair ? at - 1 : at;
      const kind = classOf(text.charCodeAt(start));
      if ((kind === SPECIAL ? classOfPoint(text, start) : kind) !== EXTEND) break;
      at = start - 1;
    }
    return at >= 0 && isHebrew(text.charCodeAt(at));
  }

  /** Takes a part in, and finds out whether it goes on as a compound. True when it is one surface form. */
  #endPart(start: number, end: number, hash: number, isWord: boolean, isUnspaced: boolean): boolean {
    this.#offset = end;
    if (!isWord) {
      this.#endCompound(start);
      return false;
    }
    const text = this.#text;
    const first = end < text.length ? classOf(text.charCodeAt(end)) : 0;
    if (first === GLUE || first === STOP) this.#readGlue(start, end);
    else if (this.#compoundStart >= 0) this.#extendCompound(start, end, end);
    if (isUnspaced) {
      this.#words = cutUnspacedRun(text.slice(start, end), start);
      this.#wordAt = 0;
      return false;
    }
    return this.#take(start, end, hash, PART);
  }

  /** Reads the glue behind a part: another part follows, or the name of a language ends with it, or the compound does. */
  #readGlue(start: number, end: number): void {
    const text = this.#text;
    let next = end + 1;
    while (next < end + MAX_GLUE && next < text.length && isGlue(text.charCodeAt(next))) next++;
    if (next < text.length && startsWord(text, next)) {
      if (this.#compoundStart < 0) {
        this.#compoundStart = start;
        this.#isAcronym = true;
      }
      const isStop = next === end + 1 && text.charCodeAt(end) === FULL_STOP;
      this.#isAcronym &&= isStop && end === start + 1 && classOf(text.charCodeAt(start)) === LETTER;
      return;
    }
    if (this.#compoundStart >= 0) this.#extendCompound(start, end, end);
    else this.#readName(start, end);
  }

  /** The last part of a compound is read. */
  #extendCompound(start: number, end: number, wholeEnd: number): void {
    this.#isAcronym &&= end === start + 1 && classOf(this.#text.charCodeAt(start)) === LETTER;
    this.#endCompound(wholeEnd);
  }

  #endCompound(end: number): void {
    if (this.#compoundStart < 0) return;
    if (end - this.#compoundStart > MAX_COMPOUND_LENGTH) {
      this.#compoundStart = -1;
      return;
    }
    this.#whole = this.#isAcronym ? EXACT : COMPOUND;
    this.#wholeEnd = end;
  }

  /** `C++`, `C#` and their like. */
  #readName(start: number, end: number): void {
    const text = this.#text;
    const length = text.charCodeAt(end) === HASH ? 1 : 2;
    const isMarked =
      text.charCodeAt(end) === HASH || (text.charCodeAt(end) === PLUS && text.charCodeAt(end + 1) === PLUS);
    if (!isMarked || end - start > MAX_NAME_LENGTH) return;
    for (let at = start; at < end; at++)
      if ((text.charCodeAt(at) | 32) < 97 || (text.charCodeAt(at) | 32) > 122) return;
    if (end + length < text.length && startsWord(text, end + length)) return;
    this.#compoundStart = start;
    this.#whole = EXACT;
    this.#wholeEnd = end + length;
    this.#offset = end + length;
  }

  #takeWhole(): boolean {
    const [start, kind] = [this.#compoundStart, this.#whole];
    this.#compoundStart = -1;
    this.#whole = PART;
    return this.#take(start, this.#wholeEnd, hashUnits(this.#text, start, this.#wholeEnd), kind);
  }

  #takeWord(): boolean {
    const start = this.#words[this.#wordAt++];
    const end = this.#words[this.#wordAt++];
    return this.#take(start, end, hashUnits(this.#text, start, end), this.#words[this.#wordAt++]);
  }

  #take(start: number, end: number, hash: number, kind: number): boolean {
    this.start = start;
    this.end = end;
    this.hash = hash;
    this.kind = kind;
    return true;
  }
}

/** Returns true if a mark of a class, with white space behind it, belongs to no word. */
function endsWord(kind: number): boolean {
  return kind >= QUOTE && kind <= MID_NUMBER;
}

function endsAt(text: string, offset: number): boolean {
  return offset >= text.length || CLASSES[text.charCodeAt(offset)] === OTHER;
}

function isGlue(unit: number): boolean {
  const kind = classOf(unit);
  return kind === GLUE || kind === STOP;
}

function isWordPoint(text: string, offset: number): boolean {
  const kind = classOfPoint(text, offset);
  return kind === LETTER || kind === DIGIT || kind === UNSPACED;
}

function startsWord(text: string, offset: number): boolean {
  const kind = classOf(text.charCodeAt(offset));
  return kind === LETTER || kind === DIGIT || kind === JOINER || (kind === SPECIAL && isWordPoint(text, offset));
}
