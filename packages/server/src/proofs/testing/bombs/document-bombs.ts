import { deflateSync } from 'node:zlib';
import { archive, type Entry } from './archive.ts';
import { type Bomb, document } from './bomb.ts';

const READ: readonly string[] = ['202 read'];
const REFUSED: readonly string[] = ['202 ERR_EXTRACTION'];
const EITHER: readonly string[] = [...READ, ...REFUSED];
const OFFICE = 'http://schemas.openxmlformats.org';
const ODF = 'urn:oasis:names:tc:opendocument:xmlns';
const MIB = 1024 * 1024;

/** Content that packs to a thousandth. */
function zeros(mebibytes: number): string {
  return ' '.repeat(mebibytes * MIB);
}

function types(part: string, type: string): Entry {
  return {
    name: '[Content_Types].xml',
    content: `<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
  };
}

function relations(folder: string, of: string, targets: readonly (readonly [type: string, target: string])[]): Entry {
  const all = targets.map(
    ([type, target], i) =>
      `<Relationship Id="r${i}" Type="${OFFICE}/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
  );
  return {
    name: `${folder}_rels/${of}.rels`,
    content: `<Relationships xmlns="${OFFICE}/package/2006/relationships">${all.join('')}</Relationships>`,
  };
}

function office(main: string, type: string, content: string, more: readonly Entry[] = []): Uint8Array<ArrayBuffer> {
  return archive([types(main, type), relations('', '', [['officeDocument', main]]), { name: main, content }, ...more]);
}

function docx(body: string, before = ''): Uint8Array<ArrayBuffer> {
  const content = `${before}<w:document xmlns:w="${OFFICE}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  return office('word/document.xml', 'wordprocessingml.document', content);
}

function xlsx(rows: string, strings = ''): Uint8Array<ArrayBuffer> {
  const main = `${OFFICE}/spreadsheetml/2006/main`;
  const book = `<workbook xmlns="${main}" xmlns:r="${OFFICE}/officeDocument/2006/relationships"><sheets><sheet name="s" sheetId="1" r:id="r0"/></sheets></workbook>`;
  return office('xl/workbook.xml', 'spreadsheetml.sheet', book, [
    relations('xl/', 'workbook.xml', [
      ['worksheet', 'worksheets/sheet1.xml'],
      ['sharedStrings', 'sharedStrings.xml'],
    ]),
    { name: 'xl/sharedStrings.xml', content: `<sst xmlns="${main}">${strings}</sst>` },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`,
    },
  ]);
}

function pptx(slides: number, shapes: string): Uint8Array<ArrayBuffer> {
  const names = `xmlns:p="${OFFICE}/presentationml/2006/main" xmlns:a="${OFFICE}/drawingml/2006/main" xmlns:r="${OFFICE}/officeDocument/2006/relationships"`;
  const numbers = Array.from({ length: slides }, (_, i) => i);
  const list = numbers.map((i) => `<p:sldId id="${256 + i}" r:id="r${i}"/>`).join('');
  const show = `<p:presentation ${names}><p:sldIdLst>${list}</p:sldIdLst></p:presentation>`;
  return office('ppt/presentation.xml', 'presentationml.presentation', show, [
    relations(
      'ppt/',
      'presentation.xml',
      numbers.map((i) => ['slide', `slides/slide${i}.xml`]),
    ),
    ...numbers.map((i) => ({
      name: `ppt/slides/slide${i}.xml`,
      content: `<p:sld ${names}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
    })),
  ]);
}

function odf(kind: string, body: string, more: readonly Entry[] = []): Uint8Array<ArrayBuffer> {
  return archive([
    { name: 'mimetype', content: `application/vnd.oasis.opendocument.${kind}`, isStored: true },
    {
      name: 'content.xml',
      content: `<office:document-content xmlns:office="${ODF}:office:1.0" xmlns:text="${ODF}:text:1.0" xmlns:table="${ODF}:table:1.0"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    },
    ...more,
  ]);
}

function epub(chapters: number, chapter: string): Uint8Array<ArrayBuffer> {
  const numbers = Array.from({ length: chapters }, (_, i) => i);
  const items = numbers.map((i) => `<item id="c${i}" href="c.xhtml" media-type="application/xhtml+xml"/>`).join('');
  const spine = numbers.map((i) => `<itemref idref="c${i}"/>`).join('');
  return archive([
    { name: 'mimetype', content: 'application/epub+zip', isStored: true },
    {
      name: 'META-INF/container.xml',
      content:
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles><rootfile full-path="c.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    },
    {
      name: 'c.opf',
      content: `<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><manifest>${items}</manifest><spine>${spine}</spine></package>`,
    },
    { name: 'c.xhtml', content: `<html xmlns="http://www.w3.org/1999/xhtml"><body>${chapter}</body></html>` },
  ]);
}

/** Objects one after another; readers find them without a table. */
function pdf(objects: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const parts = objects.flatMap((body, i) => [
    Buffer.from(`${i + 1} 0 obj\n`),
    Buffer.from(body),
    Buffer.from('\nendobj\n'),
  ]);
  return new Uint8Array(
    Buffer.concat([Buffer.from('%PDF-1.7\n'), ...parts, Buffer.from('trailer\n<< /Root 1 0 R >>\n%%EOF\n')]),
  );
}

function packed(content: string | Uint8Array, filters = 1): Uint8Array {
  let bytes = Buffer.from(content);
  for (let i = 0; i < filters; i++) bytes = deflateSync(bytes, { level: 9 });
  const names = '/FlateDecode '.repeat(filters);
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} /Filter [${names}] >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const ONE_PAGE = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const PAGE =
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> /Font << /F 6 0 R >> >> >>';
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

function mail(depth: number): string {
  let text = 'From: a@example.com\r\nSubject: innermost\r\n\r\ninnermost\r\n';
  for (let level = 0; level < depth; level++) {
    text = `From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\nContent-Type: message/rfc822\r\n\r\n${text}\r\n--b${level}--\r\n`;
  }
  return text;
}

function mailOf(headers: string, body: string): string {
  return `From: a@example.com\r\nMIME-Version: 1.0\r\n${headers}\r\n\r\n${body}`;
}

const ENTITIES = `<!DOCTYPE x [<!ENTITY a0 "ha">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('')}]>`;

function times(count: number, piece: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join('');
}

function upload(
  name: string,
  filename: string,
  content: () => string | Uint8Array<ArrayBuffer>,
  ends: readonly string[],
  isLong = false,
): Bomb {
  return { name, request: () => document(filename, content()), ends, isLong };
}

export const DOCUMENT_BOMBS: readonly Bomb[] = [
  upload('DOCX that swells by a thousand', 'b.docx', () => docx(zeros(200)), REFUSED),
  upload(
    'DOCX with paragraphs that swell',
    'p.docx',
    () => docx('<w:p><w:r><w:t>ha</w:t></w:r></w:p>'.repeat(1_700_000)),
    REFUSED,
  ),
  upload(
    'DOCX with entities of entities',
    'e.docx',
    () => docx('<w:p><w:r><w:t>&a20;</w:t></w:r></w:p>', ENTITIES),
    EITHER,
  ),
  upload(
    'DOCX nested 100,000 deep',
    'd.docx',
    () => docx(`${'<w:tbl>'.repeat(100_000)}${'</w:tbl>'.repeat(100_000)}`),
    REFUSED,
  ),
  upload('XLSX with a million empty rows', 'r.xlsx', () => xlsx('<row/>'.repeat(1_000_000)), EITHER),
  upload(
    'XLSX with one long text in each of 100,000 cells',
    's.xlsx',
    () => xlsx(`<row>${'<c t="s"><v>0</v></c>'.repeat(100_000)}</row>`, `<si><t>${'ha '.repeat(30_000)}</t></si>`),
    REFUSED,
  ),
  upload(
    'XLSX with cells far away',
    'f.xlsx',
    () => xlsx(times(1_000, (i) => `<row r="${1_048_576 - i}"><c r="XFD${1_048_576 - i}"><v>1</v></c></row>`)),
    READ,
  ),
  upload(
    'PPTX with 9,000 slides',
    's.pptx',
    () => pptx(9_000, '<p:sp><p:txBody><a:p><a:r><a:t>ha</a:t></a:r></a:p></p:txBody></p:sp>'),
    EITHER,
    true,
  ),
  upload(
    'PPTX with groups 50,000 deep',
    'g.pptx',
    () => pptx(1, `${'<p:grpSp>'.repeat(50_000)}${'</p:grpSp>'.repeat(50_000)}`),
    REFUSED,
  ),
  upload('ODT that swells', 'b.odt', () => odf('text', `<text:p>${zeros(150)}</text:p>`), REFUSED),
  upload(
    'ODT with spaces that count for a billion',
    's.odt',
    () => odf('text', '<text:p>a<text:s text:c="1000000000"/>b</text:p>'),
    EITHER,
  ),
  upload(
    'ODS with a cell repeated a million times a million',
    'c.ods',
    () =>
      odf(
        'spreadsheet',
        '<table:table><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="1048576"><text:p>ha</text:p></table:table-cell></table:table-row></table:table>',
      ),
    EITHER,
  ),
  upload(
    'ODP with 20,000 entries',
    'e.odp',
    () =>
      odf(
        'presentation',
        '',
        Array.from({ length: 20_000 }, (_, i) => ({ name: `p${i}`, content: '' })),
      ),
    REFUSED,
  ),
  upload('EPUB with one chapter 5,000 times', 'c.epub', () => epub(5_000, `<p>${'ha '.repeat(100_000)}</p>`), REFUSED),
  upload(
    'PDF whose pages are in one another',
    'l.pdf',
    () => pdf([CATALOG, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>']),
    EITHER,
  ),
  upload(
    'PDF with a page tree that doubles 30 times',
    't.pdf',
    () =>
      pdf([
        CATALOG,
        ...Array.from(
          { length: 30 },
          (_, i) => `<< /Type /Pages /Kids [${i + 3} 0 R ${i + 3} 0 R] /Count ${2 ** 30} >>`,
        ),
        PAGE,
      ]),
    EITHER,
  ),
  upload(
    'PDF with a form in itself',
    'x.pdf',
    () =>
      pdf([
        CATALOG,
        ONE_PAGE,
        PAGE,
        packed('/X Do /X Do '),
        '<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> /Length 12 >>\nstream\n/X Do /X Do \nendstream',
        FONT,
      ]),
    EITHER,
  ),
  upload(
    'PDF with a million texts on a page',
    'm.pdf',
    () => pdf([CATALOG, ONE_PAGE, PAGE, packed(`BT /F 9 Tf ${'(ha) Tj '.repeat(1_000_000)} ET`), '<< >>', FONT]),
    EITHER,
  ),
  upload(
    'PDF whose page is packed three times',
    'k.pdf',
    () => pdf([CATALOG, ONE_PAGE, PAGE, packed(`BT /F 9 Tf ${'(ha) Tj '.repeat(8_000_000)} ET`, 3), '<< >>', FONT]),
    REFUSED,
  ),
  upload(
    'PDF of arrays in arrays',
    'a.pdf',
    () => pdf([CATALOG, ONE_PAGE, `${'['.repeat(200_000)}${']'.repeat(200_000)}`]),
    EITHER,
  ),
  upload(
    'PDF that promises two billion pages',
    'n.pdf',
    () => pdf([CATALOG, '<< /Type /Pages /Kids [] /Count 2000000000 >>']),
    EITHER,
  ),
  upload('HTML nested 200,000 deep', 'd.html', () => `<!doctype html>${'<div>'.repeat(200_000)}ha`, EITHER),
  upload('HTML with a tag that never ends', 't.html', () => `<!doctype html><a ${'b="c" '.repeat(800_000)}`, EITHER),
  upload('HTML of less-than signs', 'l.html', () => `<!doctype html>${'<'.repeat(5_000_000)}`, EITHER),
  upload(
    'HTML with tables and forms that do not close',
    'f.html',
    () => `<!doctype html>${'<table><b><form><tr><i>'.repeat(50_000)}`,
    EITHER,
  ),
  upload('XML nested 200,000 deep', 'd.xml', () => `<?xml version="1.0"?>${'<a>'.repeat(200_000)}`, EITHER),
  upload('XML with entities of entities', 'e.xml', () => `<?xml version="1.0"?>${ENTITIES}<x>&a20;</x>`, EITHER),
  upload(
    'XML with 300,000 attributes',
    'a.xml',
    () => `<?xml version="1.0"?><x ${times(300_000, (i) => `a${i}="" `)}/>`,
    EITHER,
  ),
  upload('JSON nested a million deep', 'd.json', () => `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`, EITHER),
  upload('JSON of two million values', 'v.json', () => `[${'0,'.repeat(2_000_000)}0]`, EITHER),
  upload(
    'CSV with a million columns',
    'c.csv',
    () => `${times(1_000_000, (i) => `c${i},`)}\n${'1,'.repeat(1_000_000)}\n`,
    EITHER,
  ),
  upload('CSV of quotes', 'q.csv', () => `a,b\n${'"",'.repeat(1_000_000)}"${'""'.repeat(500_000)}`, EITHER),
  upload('RTF nested 200,000 deep', 'd.rtf', () => `{\\rtf1 ${'{'.repeat(200_000)}ha${'}'.repeat(200_000)}}`, EITHER),
  upload('RTF with two million words', 'w.rtf', () => `{\\rtf1 ${'\\b0'.repeat(2_000_000)}}`, EITHER),
  upload('RTF with binary that lies', 'l.rtf', () => `{\\rtf1 ${'{\\bin2147483647 a}'.repeat(100_000)}}`, EITHER),
  upload('mail in mail, 40 deep', 'm.eml', () => mail(40), EITHER),
  upload(
    'mail with 100,000 headers',
    'h.eml',
    () => mailOf(times(100_000, (i) => `X-${i}: y\r\n`).trimEnd(), 'ha'),
    EITHER,
  ),
  upload(
    'mail whose parts all hold parts',
    'p.eml',
    () =>
      mailOf(
        'Content-Type: multipart/mixed; boundary=b',
        times(3_000, (i) => `--b${i === 0 ? '' : i - 1}\r\nContent-Type: multipart/mixed; boundary=b${i}\r\n\r\n`),
      ),
    EITHER,
  ),
  upload(
    'mail with 20,000 attachments',
    'a.eml',
    () =>
      mailOf(
        'Content-Type: multipart/mixed; boundary=b',
        `${'--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nha\r\n'.repeat(20_000)}--b--\r\n`,
      ),
    REFUSED,
  ),
  upload('Markdown of brackets', 'b.md', () => `${'['.repeat(100_000)}${'](a)'.repeat(100_000)}`, EITHER),
  upload('Markdown of quotes in quotes', 'q.md', () => `${'>'.repeat(100_000)} a\n`.repeat(20), EITHER),
  upload('Markdown of stars', 's.md', () => '*a_ **b__ '.repeat(200_000), EITHER),
  upload('text of a million combining marks', 'm.txt', () => `e${'\u0301'.repeat(1_000_000)}`, EITHER),
  upload('text of one word of two megabytes', 'w.txt', () => 'ha'.repeat(1_000_000), EITHER),
  upload('text of one word of ten megabytes', 'v.txt', () => 'ha'.repeat(5_000_000), EITHER),
  upload('text of a million words joined by points', 'j.txt', () => 'ha.'.repeat(1_000_000), EITHER),
  upload(
    'text in a charset that changes',
    'c.txt',
    () => new Uint8Array(3_000_000).map((_, i) => (i * 2_654_435_761) >>> 24),
    EITHER,
  ),
];
