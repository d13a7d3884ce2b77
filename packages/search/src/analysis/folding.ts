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

/** A surface form in one spelling: compatibility characters composed, lower case. */
export function normalize(surface: string): string {
  const lower = surface.toLowerCase();
  return ASCII.test(lower) ? lower : toWellFormed(lower).normalize('NFKC').toLowerCase();
}

/** A normalised form without the marks of Latin and Greek letters; other scripts keep theirs. `été` gives `ete`. */
export function fold(form: string): string {
  if (ASCII.test(form)) return form;
  const unmarked = form.normalize('NFD').replace(MARKED_LETTER, '').normalize('NFC');
  return unmarked.replace(EXPANDABLE, (letter) => EXPANSIONS[letter]!);
}
