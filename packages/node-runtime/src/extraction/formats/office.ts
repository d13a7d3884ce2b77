import { type Relationship, readRelationships } from '../archive/relationships.ts';
import { ZipArchive } from '../archive/zip.ts';
import { malformed } from '../extraction-error.ts';
import type { FormatContent, FormatInput, FormatReader, ReadContext } from '../format-reader.ts';
import { type Properties, readProperties } from '../xml/properties.ts';
import { parseXml, type XmlHandler } from '../xml/sax.ts';

export interface OfficeDocument {
  readonly archive: ZipArchive;
  /** The name of the main part: `word/document.xml`. */
  readonly main: string;
  readonly parts: readonly Relationship[];
  readonly context: ReadContext;
  readonly properties: Properties;
}

/** The parts that hold what a document says about itself. */
const PROPERTIES: ReadonlySet<string> = new Set(['core-properties', 'extended-properties']);

/** An encrypted office file is a compound file with these entries, named in UTF-16. */
const ENCRYPTED_MARK = Buffer.from('EncryptedPackage', 'utf16le');

/** Opens an office document, lets `readText` read it, and adds its properties. */
export async function readOffice(
  { bytes }: FormatInput,
  context: ReadContext,
  readText: (document: OfficeDocument) => Promise<void>,
): Promise<FormatContent> {
  if (isEncryptedOffice(bytes)) return { reason: 'encrypted' };
  const archive = await ZipArchive.open(bytes, context.limits);
  if (archive.isEncrypted) return { reason: 'encrypted' };
  const { maxDepth } = context.limits;
  const roots = await readRelationships(archive, '', maxDepth);
  const main = roots.find(({ type }) => type === 'officeDocument')?.target;
  if (main === undefined || !archive.has(main)) throw malformed('the office document has no main part');
  const properties: Properties = { metadata: {} };
  for (const { target } of roots.filter(({ type }) => PROPERTIES.has(type))) {
    const bytes = await archive.read(target);
    if (bytes !== undefined) readProperties(bytes, maxDepth, properties);
  }
  await readText({ archive, main, parts: await readRelationships(archive, main, maxDepth), context, properties });
  return properties;
}

/** A compound file: an office document that is encrypted, or one from before 2007, which is not read. */
export const readEncryptedOffice: FormatReader = ({ bytes }) => ({
  reason: isEncryptedOffice(bytes) ? 'encrypted' : 'unsupported type',
});

/**
 * Returns true if bytes are the compound file that office programs wrap an encrypted document in (MS-OFFCRYPTO, 1.3.2).
 */
function isEncryptedOffice(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0xd0 || bytes[1] !== 0xcf) return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(ENCRYPTED_MARK);
}

/** Parses one part of the archive; a part that is not there is passed over. */
export async function parsePart(
  { archive, context }: Pick<OfficeDocument, 'archive' | 'context'>,
  name: string | undefined,
  handler: XmlHandler,
): Promise<void> {
  const bytes = name === undefined ? undefined : await archive.read(name);
  if (bytes !== undefined) parseXml(bytes, context.limits.maxDepth, handler);
}
