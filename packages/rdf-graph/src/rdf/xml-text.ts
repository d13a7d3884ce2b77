const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Characters that are escaped between tags. */
export const IN_TEXT: RegExp = /[&<>\r]/g;

/** Characters that are escaped in the value of an attribute; between tags they may be, too. */
export const IN_ATTRIBUTE: RegExp = /[&<>"\t\n\r]/g;

/** Characters that no XML 1.0 document may hold, not even escaped. */
export const NOT_XML: RegExp = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;

/** Escapes the characters of {@link IN_TEXT} or {@link IN_ATTRIBUTE} in a text of XML. */
export function escapeXml(text: string, pattern: RegExp): string {
  return text.replace(pattern, (character) => ESCAPES[character]);
}
