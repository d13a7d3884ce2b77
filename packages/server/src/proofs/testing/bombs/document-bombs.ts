import { deflateSync } from 'node:zlib';
import { archive, type Entries } from './archive.ts';
import { type Bomb, bomb, type Content, document, nested, times } from './bomb.ts';

const READ: readonly string[] = ['202 read'];
const REFUSED: readonly string[] = ['202 ERR_EXTRACTION'];
const EITHER: readonly string[] = [...READ, ...REFUSED];
const OFFICE = 'http://schemas.openxmlformats.org';
const ODF = 'urn:oasis:names:tc:opendocument:xmlns';

/** Content that packs to a thousandth. */
function spaces(mebibytes: number): string {
  return ' '.repeat(mebibytes * 1024 * 1024);
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const all = targets.map(
    ([type, target], i) =>
      `<Relationship Id="r${i}" Type="${OFFICE}/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${OFFICE}/package/2006/relationships">${all.join('')}</Relationships>`;
}

function office(main: string, type: string, content: string, more: Entries = {}): Uint8Array<ArrayBuffer> {
  return archive({
    '[Content_Types].xml': `<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
    '_rels/.rels': relations([['officeDocument', main]]),
    [main]: content,
    ...more,
  });
}

function docx(body: string, before = ''): Uint8Array<ArrayBuffer> {
  const content = `${before}<w:document xmlns:w="${OFFICE}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  return office('word/document.xml', 'wordprocessingml.document', content);
}

function xlsx(rows: string, strings = ''): Uint8Array<ArrayBuffer> {
  const main = `${OFFICE}/spreadsheetml/2006/main`;
  const book = `<workbook xmlns="${main}" xmlns:r="${OFFICE}/officeDocument/2006/relationships"><sheets><sheet name="s" sheetId="1" r:id="r0"/></sheets></workbook>`;
  const targets = [['worksheet', 'worksheets/sheet1.xml'] as const, ['sharedStrings', 'sharedStrings.xml'] as const];
  return office('xl/workbook.xml', 'spreadsheetml.sheet', book, {
    'xl/_rels/workbook.xml.rels': relations(targets),
    'xl/sharedStrings.xml': `<sst xmlns="${main}">${strings}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
  });
}

function pptx(slides: number, shapes: string): Uint8Array<ArrayBuffer> {
  const names = `xmlns:p="${OFFICE}/presentationml/2006/main" xmlns:a="${OFFICE}/drawingml/2006/main" xmlns:r="${OFFICE}/officeDocument/2006/relationships"`;
  const list = times(slides, (i) => `<p:sldId id="${256 + i}" r:id="r${i}"/>`);
  const show = `<p:presentation ${names}><p:sldIdLst>${list}</p:sldIdLst></p:presentation>`;
  const slide = `<p:sld ${names}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
  const files = Array.from({ length: slides }, (_, i) => `slides/slide${i}.xml`);
  return office('ppt/presentation.xml', 'presentationml.presentation', show, {
    'ppt/_rels/presentation.xml.rels': relations(files.map((file) => ['slide', file])),
    ...Object.fromEntries(files.map((file) => [`ppt/${file}`, slide])),
  });
}

function odf(kind: string, body: string, more: Entries = {}): Uint8Array<ArrayBuffer> {
  return archive({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content xmlns:office="${ODF}:office:1.0" xmlns:text="${ODF}:text:1.0" xmlns:table="${ODF}:table:1.0"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...more,
  });
}

function epub(chapters: number, chapter: string): Uint8Array<ArrayBuffer> {
  const items = times(chapters, '<item id="c#" href="c.xhtml" media-type="application/xhtml+xml"/>');
  const spine = times(chapters, '<itemref idref="c#"/>');
  return archive({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="c.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'c.opf': `<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><manifest>${items}</manifest><spine>${spine}</spine></package>`,
    'c.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><body>${chapter}</body></html>`,
  });
}

/** Objects one after another; readers find them without a table. */
function pdf(objects: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const parts = objects.flatMap((body, i) => [`${i + 1} 0 obj\n`, body, '\nendobj\n']);
  const all = ['%PDF-1.7\n', ...parts, 'trailer\n<< /Root 1 0 R >>\n%%EOF\n'];
  return new Uint8Array(Buffer.concat(all.map((part) => Buffer.from(part))));
}

function packed(content: string | Uint8Array, filters = 1): Uint8Array {
  let bytes = Buffer.from(content);
  for (let i = 0; i < filters; i++) bytes = deflateSync(bytes, { level: 9 });
  const names = '/FlateDecode '.repeat(filters);
  const before = `<< /Length ${bytes.length} /Filter [${names}] >>\nstream\n`;
  return Buffer.concat([Buffer.from(before), bytes, Buffer.from('\nendstream')]);
}

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const ONE_PAGE = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const PAGE =
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> /Font << /F 6 0 R >> >> >>';
const FORM_IN_ITSELF =
  '<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> /Length 12 >>\nstream\n/X Do /X Do \nendstream';
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

function html(body: string): string {
  return `<!doctype html>${body}`;
}

function mail(depth: number): string {
  let text = 'From: a@example.com\r\nSubject: innermost\r\n\r\ninnermost\r\n';
  for (let level = 0; level < depth; level++) {
    text = `From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\nContent-Type: message/rfc822\r\n\r\n${text}\r\n--b${level}--\r\n`;
  }
  return text;
}

const MIXED = 'Content-Type: multipart/mixed; boundary=b';

function mailOf(headers: string, body: string): string {
  return `From: a@example.com\r\nMIME-Version: 1.0\r\n${headers}\r\n\r\n${body}`;
}

const ENTITIES = `<!DOCTYPE x [<!ENTITY a0 "ha">${times(20, (i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`)}]>`;

function upload(name: string, filename: string, ends: readonly string[], content: () => Content): Bomb {
  return bomb(name, ends, () => document(filename, content()));
}

export const DOCUMENT_BOMBS: readonly Bomb[] = [
  upload('DOCX that swells by a thousand', 'b.docx', REFUSED, () => docx(spaces(200))),
  upload('DOCX with paragraphs that swell', 'p.docx', REFUSED, () =>
    docx('<w:p><w:r><w:t>ha</w:t></w:r></w:p>'.repeat(1_700_000)),
  ),
  upload('DOCX with entities of entities', 'e.docx', EITHER, () =>
    docx('<w:p><w:r><w:t>&a20;</w:t></w:r></w:p>', ENTITIES),
  ),
  upload('DOCX nested 100,000 deep', 'd.docx', REFUSED, () => docx(nested(100_000, '<w:tbl>', '</w:tbl>'))),
  upload('XLSX with a million empty rows', 'r.xlsx', EITHER, () => xlsx('<row/>'.repeat(1_000_000))),
  upload('XLSX with one long text in each of 100,000 cells', 's.xlsx', REFUSED, () =>
    xlsx(`<row>${'<c t="s"><v>0</v></c>'.repeat(100_000)}</row>`, `<si><t>${'ha '.repeat(30_000)}</t></si>`),
  ),
  upload('XLSX with cells far away', 'f.xlsx', READ, () =>
    xlsx(times(1_000, (i) => `<row r="${1_048_576 - i}"><c r="XFD${1_048_576 - i}"><v>1</v></c></row>`)),
  ),
  {
    ...upload('PPTX with 9,000 slides', 's.pptx', EITHER, () =>
      pptx(9_000, '<p:sp><p:txBody><a:p><a:r><a:t>ha</a:t></a:r></a:p></p:txBody></p:sp>'),
    ),
    isLong: true,
  },
  upload('PPTX with groups 50,000 deep', 'g.pptx', REFUSED, () => pptx(1, nested(50_000, '<p:grpSp>', '</p:grpSp>'))),
  upload('ODT that swells', 'b.odt', REFUSED, () => odf('text', `<text:p>${spaces(150)}</text:p>`)),
  upload('ODT with spaces that count for a billion', 's.odt', EITHER, () =>
    odf('text', '<text:p>a<text:s text:c="1000000000"/>b</text:p>'),
  ),
  upload('ODS with a cell repeated a million times a million', 'c.ods', EITHER, () =>
    odf(
      'spreadsheet',
      '<table:table><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="1048576"><text:p>ha</text:p></table:table-cell></table:table-row></table:table>',
    ),
  ),
  upload('ODP with 20,000 entries', 'e.odp', REFUSED, () =>
    odf('presentation', '', Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`p${i}`, '']))),
  ),
  upload('EPUB with one chapter 5,000 times', 'c.epub', REFUSED, () => epub(5_000, `<p>${'ha '.repeat(100_000)}</p>`)),
  upload('PDF whose pages are in one another', 'l.pdf', EITHER, () =>
    pdf([CATALOG, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>']),
  ),
  upload('PDF with a page tree that doubles 30 times', 't.pdf', EITHER, () =>
    pdf([
      CATALOG,
      ...Array.from({ length: 30 }, (_, i) => `<< /Type /Pages /Kids [${i + 3} 0 R ${i + 3} 0 R] /Count ${2 ** 30} >>`),
      PAGE,
    ]),
  ),
  upload('PDF with a form in itself', 'x.pdf', EITHER, () =>
    pdf([CATALOG, ONE_PAGE, PAGE, packed('/X Do /X Do '), FORM_IN_ITSELF, FONT]),
  ),
  upload('PDF with a million texts on a page', 'm.pdf', EITHER, () =>
    pdf([CATALOG, ONE_PAGE, PAGE, packed(`BT /F 9 Tf ${'(ha) Tj '.repeat(1_000_000)} ET`), '<< >>', FONT]),
  ),
  upload('PDF whose page is packed three times', 'k.pdf', REFUSED, () =>
    pdf([CATALOG, ONE_PAGE, PAGE, packed(`BT /F 9 Tf ${'(ha) Tj '.repeat(8_000_000)} ET`, 3), '<< >>', FONT]),
  ),
  upload('PDF of arrays in arrays', 'a.pdf', EITHER, () => pdf([CATALOG, ONE_PAGE, nested(200_000, '[', ']')])),
  upload('PDF that promises two billion pages', 'n.pdf', EITHER, () =>
    pdf([CATALOG, '<< /Type /Pages /Kids [] /Count 2000000000 >>']),
  ),
  upload('HTML nested 200,000 deep', 'd.html', EITHER, () => html(`${'<div>'.repeat(200_000)}ha`)),
  upload('HTML with a tag that never ends', 't.html', EITHER, () => html(`<a ${'b="c" '.repeat(800_000)}`)),
  upload('HTML of less-than signs', 'l.html', EITHER, () => html('<'.repeat(5_000_000))),
  upload('HTML with tables and forms that do not close', 'f.html', EITHER, () =>
    html('<table><b><form><tr><i>'.repeat(50_000)),
  ),
  upload('XML nested 200,000 deep', 'd.xml', EITHER, () => `<?xml version="1.0"?>${'<a>'.repeat(200_000)}`),
  upload('XML with entities of entities', 'e.xml', EITHER, () => `<?xml version="1.0"?>${ENTITIES}<x>&a20;</x>`),
  upload('XML with 300,000 attributes', 'a.xml', EITHER, () => `<?xml version="1.0"?><x ${times(300_000, 'a#="" ')}/>`),
  upload('JSON nested a million deep', 'd.json', EITHER, () => nested(1_000_000, '[', ']')),
  upload('JSON of two million values', 'v.json', EITHER, () => `[${'0,'.repeat(2_000_000)}0]`),
  upload(
    'CSV with a million columns',
    'c.csv',
    EITHER,
    () => `${times(1_000_000, 'c#,')}\n${'1,'.repeat(1_000_000)}\n`,
  ),
  upload('CSV of quotes', 'q.csv', EITHER, () => `a,b\n${'"",'.repeat(1_000_000)}"${'""'.repeat(500_000)}`),
  upload('RTF nested 200,000 deep', 'd.rtf', EITHER, () => `{\\rtf1 ${nested(200_000, '{', '}', 'ha')}}`),
  upload('RTF with two million words', 'w.rtf', EITHER, () => `{\\rtf1 ${'\\b0'.repeat(2_000_000)}}`),
  upload('RTF with binary that lies', 'l.rtf', EITHER, () => `{\\rtf1 ${'{\\bin2147483647 a}'.repeat(100_000)}}`),
  upload('mail in mail, 40 deep', 'm.eml', EITHER, () => mail(40)),
  upload('mail with 100,000 headers', 'h.eml', EITHER, () => mailOf(times(100_000, 'X-#: y\r\n').trimEnd(), 'ha')),
  upload('mail whose parts all hold parts', 'p.eml', EITHER, () =>
    mailOf(
      MIXED,
      times(3_000, (i) => `--b${i === 0 ? '' : i - 1}\r\nContent-Type: multipart/mixed; boundary=b${i}\r\n\r\n`),
    ),
  ),
  upload('mail with 20,000 attachments', 'a.eml', REFUSED, () =>
    mailOf(
      MIXED,
      `${'--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nha\r\n'.repeat(20_000)}--b--\r\n`,
    ),
  ),
  upload('Markdown of brackets', 'b.md', EITHER, () => nested(100_000, '[', '](a)')),
  upload('Markdown of quotes in quotes', 'q.md', EITHER, () => `${'>'.repeat(100_000)} a\n`.repeat(20)),
  upload('Markdown of stars', 's.md', EITHER, () => '*a_ **b__ '.repeat(200_000)),
  upload('text of a million combining marks', 'm.txt', EITHER, () => `e${'\u0301'.repeat(1_000_000)}`),
  upload('text of one word of two megabytes', 'w.txt', EITHER, () => 'ha'.repeat(1_000_000)),
  upload('text of one word of ten megabytes', 'v.txt', EITHER, () => 'ha'.repeat(5_000_000)),
  upload('text of a million words joined by points', 'j.txt', EITHER, () => 'ha.'.repeat(1_000_000)),
  upload('text in a charset that changes', 'c.txt', EITHER, () =>
    new Uint8Array(3_000_000).map((_, i) => (i * 2_654_435_761) >>> 24),
  ),
];
