import { Parser } from 'htmlparser2';
import { decodeText } from '../charset/text.ts';
import { ExtractionLimitError } from '../extraction-error.ts';
import type { FormatReader } from '../format-reader.ts';
import { HtmlHandler } from './html-handler.ts';

/** Where a `<meta charset>` must stand (HTML, 4.2.5.4). */
const META_BYTES = 1024;
const META_CHARSET = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i;
const XML_ENCODING = /^<\?xml[^>]{0,100}encoding\s*=\s*["']([\w-]{1,40})/;

/** HTML and XHTML: what a reader of the page would see, with its title, language and `<meta>`. */
export const readHtml: FormatReader = ({ bytes, charset: declared }, { limits, text: out }) => {
  if (bytes.length > limits.maxEntryBytes) throw new ExtractionLimitError('the page', limits.maxEntryBytes, 'bytes');
  const { text, charset } = decodeText(bytes, { declared, embedded: findEmbeddedCharset(bytes) });
  const handler = new HtmlHandler(out, limits.maxDepth);
  const parser = new Parser(handler, { decodeEntities: true });
  parser.end(text);
  return { title: handler.title, metadata: { ...handler.metadata, charset } };
};

function findEmbeddedCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, META_BYTES)).toString('latin1');
  return (XML_ENCODING.exec(start) ?? META_CHARSET.exec(start))?.[1];
}
