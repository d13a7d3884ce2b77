import { type Relationship, readRelationships } from '../archive/relationships.ts';
import { ZipArchive } from '../archive/zip.ts';
import { malformed } from '../extraction-error.ts';
import type { FormatContent, FormatInput, FormatReader, ReadContext } from '../format-reader.ts';
import { createPropertiesHandler, type Properties } from '../xml/properties.ts';

export interface OfficeDocument {
  readonly archive: ZipArchive;
  /** The name of the main part: `word/document.xml`. */
  readonly main: string;
  readonly parts: readonly Relationship[];
  readonly properties: Properties;
}

/** The parts that hold what a document says about itself. */
const PROPERTIES: ReadonlySet<string> = new Set(['core-properties', 'extended-properties']);

/** An encrypted office file is a compound file with these entries, named in UTF-16. */
const ENCRYPTED_MARK = Buffer.from('EncryptedPackage', 'utf16le');

/** Opens an office document, lets `readText` read it, and adds its properties. */
export async function readOffice(
  { bytes }: FormatInput,
  { limits }: ReadContext,
  readText: (document: OfficeDocument) => Promise<void>,
): Promise<FormatContent> {
  if (isEncryptedOffice(bytes)) return { reason: 'encrypted' };
  const archive = await ZipArchive.open(bytes, limits);
  if (archive.isEncrypted) return { reason: 'encrypted' };
  const roots = await readRelationships(archive, '');
  const main = roots.find(({ type }) => type === 'officeDocument')?.target;
  if (main === undefined || !archive.has(main)) throw malformed('the office document has no main part');
  const properties: Properties = { metadata: {} };
  for (const { type, target } of roots) {
    if (PROPERTIES.has(type)) await archive.parse(target, createPropertiesHandler(properties));
  }
  await readText({ archive, main, parts: await readRelationships(archive, main), properties });
  return properties;
}

/** A compound file: an office document that is encrypted, or one from before 2007, which is not read. */
export const readEncryptedOffice: FormatReader = ({ bytes }) => ({
  reason: isEncryptedOffice(bytes) ? 'encrypted' : 'unsupported type',
});

/** Returns true for the compound file that programs wrap an encrypted document in (MS-OFFCRYPTO, 1.3.2). */
function isEncryptedOffice(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0xd0 || bytes[1] !== 0xcf) return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(ENCRYPTED_MARK);
}
