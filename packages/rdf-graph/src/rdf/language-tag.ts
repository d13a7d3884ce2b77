const LANGUAGE_TAG = /^[a-zA-Z]+(?:-[a-zA-Z0-9]+)*(?:--(?:ltr|rtl))?$/;

/**
 * Returns true if a text can be after `@` in the syntaxes of RDF, which know no escapes there: anything else would end
 * the literal, and what follows be read as further statements. A base direction may follow.
 */
export function isLanguageTag(text: string): boolean {
  return LANGUAGE_TAG.test(text);
}
