import { recall } from '../memory/recall.ts';

/**
 * Classes of characters for the scanner of tokens: those of Unicode's word boundaries (UAX #29, 17.0), as far as they
 * matter here. They come from the runtime's own properties, and from lists where Unicode has none.
 */
export const OTHER = 1;
/** ALetter and Hebrew_Letter, and what of scripts without spaces is no letter to UAX #29. */
export const LETTER = 2;
/** Numeric; and, unlike there, numbers that are no digits, as in `H₂O`. */
export const DIGIT = 3;
/** ExtendNumLet: `_`. */
export const JOINER = 4;
/** Extend, Format and ZWJ: part of what is before. */
export const EXTEND = 5;
/** Single_Quote and MidNumLet's quotation marks: are within words and numbers. */
export const QUOTE = 6;
/** MidLetter, without colons: is within words. */
export const MID_LETTER = 7;
/** MidNumLet's full stops. They are within numbers; between letters they are glue. */
export const STOP = 8;
/** MidNum: is within numbers. */
export const MID_NUMBER = 9;
/** Holds the parts of file names, addresses and compounds together. */
export const GLUE = 10;
/** `"`, which is within Hebrew words. */
export const DOUBLE_QUOTE = 11;
/** Part of a surrogate pair, or of a script without spaces: {@link classOfPoint} knows more. */
export const SPECIAL = 12;
/** A letter of a script that puts no spaces between words. */
export const UNSPACED = 13;

const LISTED: readonly (readonly [kind: number, characters: string])[] = [
  [QUOTE, "'\u2018\u2019\uff07"],
  [MID_LETTER, '\u00b7\u0387\u055f\u05f4\u2027'],
  [STOP, '.\u2024\ufe52\uff0e'],
  [MID_NUMBER, ',;\u037e\u0589\u060c\u060d\u066c\u07f8\u2044\ufe10\ufe14\ufe50\ufe54\uff0c\uff1b'],
  [GLUE, '-\u2010\u2011@/:+&#%=?~\\'],
  [DOUBLE_QUOTE, '"'],
  [OTHER, '\u200b'],
];

const UNSPACED_LETTER =
  /[\u3031-\u3035\u309b\u309c\u30a0\u30fc\uff70]|(?=[\p{L}\p{M}\p{N}])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

const PROPERTIES: readonly (readonly [kind: number, fits: RegExp])[] = [
  [UNSPACED, UNSPACED_LETTER],
  [EXTEND, /[\p{M}\p{Cf}\p{Emoji_Modifier}\uff9e\uff9f]/u],
  [DIGIT, /\p{N}(?<!\p{Nl})/u],
  [JOINER, /\p{Pc}/u],
  [LETTER, /[\p{Alphabetic}\p{L}]/u],
];

/** Class of each UTF-16 unit, found out when {@link classOf} is first asked for it: 0 means not yet. */
export const CLASSES: Uint8Array = new Uint8Array(0x10000);
for (const [kind, characters] of LISTED) {
  for (let i = 0; i < characters.length; i++) CLASSES[characters.charCodeAt(i)] = kind;
}

const points = new Map<number, number>();
/** Code points outside the table whose class is remembered. */
const MAX_REMEMBERED_POINTS = 4096;

function classify(point: number): number {
  const character = String.fromCodePoint(point);
  return PROPERTIES.find(([, fits]) => fits.test(character))?.[0] ?? OTHER;
}

/** The class of a UTF-16 unit. */
export function classOf(unit: number): number {
  const known = CLASSES[unit];
  if (known !== 0) return known;
  const found = unit >= 0xd800 && unit <= 0xdfff ? SPECIAL : classify(unit);
  CLASSES[unit] = found === UNSPACED ? SPECIAL : found;
  return CLASSES[unit];
}

/** The class of the code point at an offset where {@link classOf} says `SPECIAL`. */
export function classOfPoint(text: string, offset: number): number {
  return recall(points, text.codePointAt(offset) ?? 0, classifyPoint, MAX_REMEMBERED_POINTS);
}

function classifyPoint(point: number): number {
  return point >= 0xd800 && point <= 0xdfff ? OTHER : classify(point);
}

/** Returns true if a UTF-16 unit is a Hebrew letter. */
export function isHebrew(unit: number): boolean {
  return (unit >= 0x05d0 && unit <= 0x05f2) || (unit >= 0xfb1d && unit <= 0xfb4f);
}
