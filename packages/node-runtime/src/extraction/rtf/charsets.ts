/** The code page that a font's `\fcharset` stands for; 0 and 1 stand for the document's own. */
export const FONT_CHARSETS: Readonly<Record<number, string | undefined>> = {
  77: 'macintosh',
  128: 'cp932',
  129: 'cp949',
  134: 'cp936',
  136: 'cp950',
  161: 'cp1253',
  162: 'cp1254',
  163: 'cp1258',
  177: 'cp1255',
  178: 'cp1256',
  186: 'cp1257',
  204: 'cp1251',
  222: 'cp874',
  238: 'cp1250',
  254: 'cp437',
  255: 'cp850',
};

/** Charsets of the header words `\ansi`, `\mac`, `\pc` and `\pca` stand for. */
export const HEADER_CHARSETS: ReadonlyMap<string, string> = new Map([
  ['ansi', 'cp1252'],
  ['mac', 'macintosh'],
  ['pc', 'cp437'],
  ['pca', 'cp850'],
]);

/** The charset of an `\ansicpg` number. */
export function toCodePage(number: number): string {
  return number === 10_000 ? 'macintosh' : number === 65_001 ? 'utf-8' : `cp${number}`;
}
