import { posix } from 'node:path';
import { resolvePart } from '../archive/relationships.ts';
import { ZipArchive } from '../archive/zip.ts';
import { malformed } from '../extraction-error.ts';
import type { FormatReader } from '../format-reader.ts';
import { createPropertiesHandler, type Properties } from '../xml/properties.ts';
import { readHtml } from './html.ts';

/** EPUB: the chapters in the order of the spine, the metadata of the package document. */
export const readEpub: FormatReader = async ({ bytes }, context) => {
  const archive = await ZipArchive.open(bytes, context.limits);
  let root = '';
  await archive.parse('META-INF/container.xml', {
    open: (element) => {
      if (element.local === 'rootfile') root ||= element.attribute('full-path') ?? '';
    },
  });
  if (!archive.has(root)) throw malformed('the EPUB has no package document');
  const properties: Properties = { metadata: {} };
  await archive.parse(root, createPropertiesHandler(properties));
  const chapters = await listChapters(archive, root);
  const encrypted = await listEncrypted(archive);
  if (archive.isEncrypted || chapters.some((chapter) => encrypted.has(chapter)))
    return { ...properties, reason: 'encrypted' };
  for (const chapter of chapters) {
    const page = await archive.read(chapter);
    if (page !== undefined)
      await readHtml({ bytes: page, contentType: 'application/xhtml+xml', charset: undefined }, context);
  }
  return properties;
};

async function listChapters(archive: ZipArchive, root: string): Promise<string[]> {
  const folder = posix.dirname(root);
  const items = new Map<string, string>();
  const spine: string[] = [];
  await archive.parse(root, {
    open: (element) => {
      const id = element.attribute('id');
      const href = element.attribute('href');
      if (element.local === 'item' && id !== undefined && href !== undefined) items.set(id, toName(folder, href));
      if (element.local === 'itemref') spine.push(element.attribute('idref') ?? '');
    },
  });
  return spine.flatMap((id) => items.get(id) ?? []);
}

/** Reads the list in `encryption.xml`; fonts in it are only obfuscated and do not matter. */
async function listEncrypted(archive: ZipArchive): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  await archive.parse('META-INF/encryption.xml', {
    open: (element) => {
      if (element.local === 'CipherReference') names.add(toName('.', element.attribute('URI') ?? ''));
    },
  });
  return names;
}

function toName(folder: string, href: string): string {
  const path = href.replace(/[#?].*$/, '');
  try {
    return resolvePart(folder, decodeURIComponent(path));
  } catch {
    return resolvePart(folder, path);
  }
}
