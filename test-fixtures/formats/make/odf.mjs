// ODT, ODS and ODP as OpenDocument 1.3 packages, and EPUB 3, which is packed alike.
import { zip } from './zip.mjs';

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMES = ['office', 'text', 'table', 'meta', 'manifest', 'presentation']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat('xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"', 'xmlns:dc="http://purl.org/dc/elements/1.1/"')
  .join(' ');

export function openDocument({ kind, body, properties, encrypted = false, pages, extra = [] }) {
  const type = `application/vnd.oasis.opendocument.${kind}`;
  const { title, creator, created, modified, language, keywords } = properties;
  const secret = encrypted ? '<manifest:encryption-data manifest:checksum-type="SHA256/1K" manifest:checksum="AAAA"/>' : '';
  return zip([
    { name: 'mimetype', content: type, stored: true },
    { name: 'content.xml', content: `${HEAD}<office:document-content ${NAMES} office:version="1.3"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>` },
    {
      name: 'meta.xml',
      content:
        `${HEAD}<office:document-meta ${NAMES} office:version="1.3"><office:meta><dc:title>${title}</dc:title>` +
        `<meta:initial-creator>${creator}</meta:initial-creator><meta:creation-date>${created}</meta:creation-date>` +
        `<dc:date>${modified}</dc:date><dc:language>${language}</dc:language>` +
        `${keywords.map((keyword) => `<meta:keyword>${keyword}</meta:keyword>`).join('')}${pages ? `<meta:document-statistic meta:page-count="${pages}"/>` : ''}</office:meta></office:document-meta>`,
    },
    {
      name: 'META-INF/manifest.xml',
      content:
        `${HEAD}<manifest:manifest ${NAMES} manifest:version="1.3"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/>` +
        `<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml">${secret}</manifest:file-entry></manifest:manifest>`,
    },
    ...extra,
  ]);
}

export function epub({ title, creator, language, date, chapters, root = 'OEBPS/book.opf' }) {
  const items = chapters.map((_, index) => `<item id="c${index}" href="text/chapter%20${index}.xhtml" media-type="application/xhtml+xml"/>`);
  // The spine, not the manifest, gives the order.
  const spine = chapters.map((_, index) => `<itemref idref="c${index}"/>`);
  return zip([
    { name: 'mimetype', content: 'application/epub+zip', stored: true },
    {
      name: 'META-INF/container.xml',
      content: `${HEAD}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="${root}" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    },
    {
      name: 'OEBPS/book.opf',
      content:
        `${HEAD}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">` +
        `<dc:identifier id="id">urn:uuid:5e1f3c2e-0000-4000-8000-000000000001</dc:identifier><dc:title>${title}</dc:title>` +
        `<dc:creator>${creator}</dc:creator><dc:language>${language}</dc:language><dc:date>${date}</dc:date></metadata>` +
        `<manifest>${items.reverse().join('')}</manifest><spine>${spine.join('')}</spine></package>`,
    },
    ...chapters.map((body, index) => ({
      name: `OEBPS/text/chapter ${index}.xhtml`,
      content: `${HEAD}<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Chapter ${index + 1}</title><style>p { margin: 0 }</style></head><body>${body}</body></html>`,
    })),
  ]);
}
