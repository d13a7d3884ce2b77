import { SaxesParser, type SaxesTagNS } from 'saxes';
import { decodeText, XML_ENCODING } from '../charset/text.ts';
import { ExtractionLimitError, malformed, toSafeDetail } from '../extraction-error.ts';

/** An element as it opens. Names are without their prefix. */
export interface XmlElement {
  readonly local: string;
  readonly uri: string;
  /** The value of an attribute by its name without prefix; unprefixed ones win. */
  attribute(local: string): string | undefined;
  /** The value of an attribute that has a prefix, by its name without it. */
  prefixed(local: string): string | undefined;
}

export interface XmlHandler {
  open?(element: XmlElement): void;
  close?(local: string): void;
  text?(text: string): void;
}

const CHUNK = 65_536;

/**
 * Parses XML and tells the handler what it meets, in document order.
 *
 * A document type is not read: one without an internal subset is skipped, one with it is refused, and no entity beyond
 * the five of XML is known. Nothing is ever fetched.
 * @throws `ERR_EXTRACTION` when the document is not well-formed, too deep, or declares entities.
 */
export function parseXml(
  bytes: Uint8Array,
  maxDepth: number,
  handler: XmlHandler,
  declared?: string,
): { charset: string } {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).toString('latin1');
  const { text, charset } = decodeText(bytes, { declared, embedded: XML_ENCODING.exec(start)?.[1] });
  const parser = createParser(maxDepth, handler);
  // In pieces, since the parser keeps the piece it is at as an array of its own.
  for (let i = 0; i < text.length; i += CHUNK) parser.write(text.slice(i, i + CHUNK));
  parser.close();
  return { charset };
}

function createParser(maxDepth: number, handler: XmlHandler): SaxesParser<{ xmlns: true }> {
  const parser = new SaxesParser({ xmlns: true, position: false });
  let depth = 0;
  parser.on('error', (error) => {
    throw malformed(`the XML is not well-formed: ${toSafeDetail(error)}`, error);
  });
  parser.on('doctype', (doctype) => {
    if (doctype.includes('['))
      throw malformed('the XML has a document type with an internal subset, which is not read');
  });
  parser.on('opentag', (tag) => {
    if (++depth > maxDepth) throw new ExtractionLimitError('elements inside each other', maxDepth, 'deep');
    handler.open?.(toElement(tag));
  });
  parser.on('closetag', (tag) => {
    depth--;
    handler.close?.(tag.local);
  });
  parser.on('text', (text) => handler.text?.(text));
  parser.on('cdata', (text) => handler.text?.(text));
  return parser;
}

function toElement({ local, uri, attributes }: SaxesTagNS): XmlElement {
  const prefixed = (name: string): string | undefined =>
    Object.values(attributes).find((attribute) => attribute.local === name && attribute.prefix !== '')?.value;
  return { local, uri, prefixed, attribute: (name) => attributes[name]?.value ?? prefixed(name) };
}
