/** Letters that canonical decomposition leaves whole, and what readers type for them. */
const EXPANSIONS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ƶ: 'z',
  ς: 'σ',
  ё: 'е',
  // Arabic: letters that end a word, and those of Persian keyboards.
  ى: 'ي',
  ی: 'ي',
  ة: 'ه',
  ک: 'ك',
  ٱ: 'ا',
};
const EXPANDABLE = new RegExp(`[${Object.keys(EXPANSIONS).join('')}]`, 'g');
const ASCII = /^[\0-\x7f]*$/;
const MARKED_LETTER = /(?<=[\p{sc=Latin}\p{sc=Greek}])[\u0300-\u036f]+/gu;
/** Vowels, hamzas above and below letters, and the stretch of Arabic; points and accents of Hebrew. */
const WRITTEN_SELDOM =
  /[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]+/g;

const LONE_SURROGATE = /\p{Cs}/gu;

/** A text that survives UTF-8: lone surrogates become U+FFFD. */
export function toWellFormed(text: string): string {
  return ASCII.test(text) ? text : text.replace(LONE_SURROGATE, '\ufffd');
}

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]/gu;
const QUOTES = /[\u2018\u2019]/g;
const HYPHENS = /[\u2010\u2011]/g;
const HYPHENATED = /^[\p{L}\p{M}\p{N}_']+(?:-[\p{L}\p{M}\p{N}_']+)+$/u;
/** Single letters with full stops between them. */
const ACRONYM = /^\p{L}(?:\.\p{L})+$/u;

/**
 * A surface form in one spelling: compatibility characters composed, lower case, straight apostrophes, nothing that is
 * not seen. What hyphens hold together and acronyms become one word: `Wi-Fi` gives `wifi`, `U.S.A` gives `usa`.
 */
export function normalize(surface: string): string {
  const lower = surface.toLowerCase();
  if (ASCII.test(lower)) return joinParts(lower);
  const composed = toWellFormed(lower).normalize('NFKC').toLowerCase();
  return joinParts(composed.replace(INVISIBLE, '').replace(QUOTES, "'").replace(HYPHENS, '-'));
}

function joinParts(form: string): string {
  if (form.includes('-')) return HYPHENATED.test(form) ? form.replaceAll('-', '') : form;
  return form.includes('.') && ACRONYM.test(form) ? form.replaceAll('.', '') : form;
}

/**
 * A normalised form without the marks of Latin, Greek, Arabic and Hebrew letters; other scripts keep theirs, as those make
 * other letters there. `été` gives `ete`, `ёлка` gives `елка`, `كِتَاب` gives `كتاب`.
 */
export function fold(form: string): string {
  if (ASCII.test(form)) return form;
  const unmarked = form.normalize('NFD').replace(MARKED_LETTER, '').replace(WRITTEN_SELDOM, '').normalize('NFC');
  return unmarked.replace(EXPANDABLE, (letter) => EXPANSIONS[letter]);
}
