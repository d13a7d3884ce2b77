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
  ς: 'σ',
};
const EXPANDABLE = /[ßæœøđðłþħıŋς]/g;
const ASCII = /^[\0-\x7f]*$/;
const MARKED_LETTER = /(?<=[\p{sc=Latin}\p{sc=Greek}])[\u0300-\u036f]+/gu;

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

/** A normalised form without the marks of Latin and Greek letters; other scripts keep theirs. `été` gives `ete`. */
export function fold(form: string): string {
  if (ASCII.test(form)) return form;
  const unmarked = form.normalize('NFD').replace(MARKED_LETTER, '').normalize('NFC');
  return unmarked.replace(EXPANDABLE, (letter) => EXPANSIONS[letter]);
}
