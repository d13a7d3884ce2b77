import { posix } from 'node:path';
import { resolvePart } from '../archive/relationships.ts';
import { ZipArchive } from '../archive/zip.ts';
import { malformed } from '../extraction-error.ts';
import type { FormatReader } from '../format-reader.ts';
import { type Properties, readProperties } from '../xml/properties.ts';
import { readHtml } from './html.ts';
import { parsePart } from './office.ts';

/** EPUB: the chapters in the order of the spine, the metadata of the package document. */
export const readEpub: FormatReader = async ({ bytes }, context) => {
  const archive = await ZipArchive.open(bytes, context.limits);
  const source = { archive, context };
  let root = '';
  await parsePart(source, 'META-INF/container.xml', {
    open: (element) => {
      if (element.local === 'rootfile') root ||= element.attribute('full-path') ?? '';
    },
  });
  const packageBytes = await archive.read(root);
  if (packageBytes === undefined) throw malformed('the EPUB has no package document');
  const properties: Properties = { metadata: {} };
  readProperties(packageBytes, context.limits.maxDepth, properties);
  const chapters = await listChapters(source, root);
  const encrypted = await listEncrypted(source);
  if (archive.isEncrypted || chapters.some((chapter) => encrypted.has(chapter)))
    return { ...properties, reason: 'encrypted' };
  for (const chapter of chapters) {
    const page = await archive.read(chapter);
    if (page !== undefined)
      await readHtml({ bytes: page, contentType: 'application/xhtml+xml', charset: undefined }, context);
  }
  return properties;
};

type Source = Parameters<typeof parsePart>[0];

async function listChapters(source: Source, root: string): Promise<string[]> {
  const folder = posix.dirname(root);
  const items = new Map<string, string>();
  const spine: string[] = [];
  await parsePart(source, root, {
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
async function listEncrypted(source: Source): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  await parsePart(source, 'META-INF/encryption.xml', {
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
