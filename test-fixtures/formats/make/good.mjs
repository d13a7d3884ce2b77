// One good file of every format, by name. All say true things about lighthouses, with letters beyond ASCII.
import { docx, pptx, shape, word, xlsx } from './ooxml.mjs';
import { epub, openDocument } from './odf.mjs';
import { pdf, pdfOfNamedEncodings } from './pdf.mjs';

const properties = {
  title: 'Lighthouses – маяки – 灯台',
  creator: 'Zoë Ångström',
  created: '2024-01-31T12:00:00Z',
  modified: '2024-02-29T08:30:00Z',
  language: 'en-GB',
  keywords: 'lighthouse, phare, маяк',
  description: 'Towers that show a light at night',
};
const odfProperties = { ...properties, keywords: ['lighthouse', 'phare', 'маяк'] };

const CREACH = 'The Créac’h lighthouse stands on the island of Ouessant; it was built in 1863.';
const OSINOVETS = 'Осиновецкий маяк стоит на берегу Ладожского озера.';
const INUBOSAKI = '犬吠埼灯台は1874年に建てられた。';

export function good() {
  return {
    'lighthouses.pdf': pdf({
      info: { Title: properties.title, Author: properties.creator, Keywords: properties.keywords, CreationDate: "D:20240131130000+01'00'", ModDate: 'D:20240229083000Z' },
      pages: [
        [
          { text: 'Lighthouses of the world', size: 20 },
          { text: 'The Créac’h lighthouse stands on the island', gap: 40 },
          { text: 'of Ouessant; it was built in 1863.' },
          { text: OSINOVETS, font: 'F2', gap: 30 },
        ],
        [{ text: INUBOSAKI, font: 'F2' }],
      ],
    }),
    'named-encodings.pdf': pdfOfNamedEncodings({
      title: properties.title,
      lines: [
        { encoding: 'UniJIS-UTF16-H', ordering: 'Japan1', text: Buffer.from(INUBOSAKI, 'utf16le').swap16().toString('hex') },
        // 灯台, 灯塔, 燈塔 and 등대: a lighthouse in Shift_JIS, GBK, Big5 and Unified Hangul Code.
        { encoding: '90ms-RKSJ-H', ordering: 'Japan1', text: '939491e4' },
        { encoding: 'GBK-EUC-H', ordering: 'GB1', text: 'b5c6cbfe' },
        { encoding: 'ETen-B5-H', ordering: 'CNS1', text: 'bf4fb6f0' },
        { encoding: 'KSCms-UHC-H', ordering: 'Korea1', text: 'b5eeb4eb' },
      ],
    }),
    'encrypted.pdf': pdf({ info: { Title: 'secret' }, pages: [[{ text: 'secret' }]], encrypt: true }),
    'lighthouses.docx': docx({
      properties,
      document: word.document(
        word.p(word.r('Lighthouses of the world')) +
          word.p(word.r('The Cré'), word.r('ac’h lighthouse stands on the island of Ouessant; it was built in 1863.'), '<w:del><w:r><w:delText>struck out</w:delText></w:r></w:del>') +
          `<w:tbl><w:tr><w:tc>${word.p(word.r('Osinovets'))}</w:tc><w:tc>${word.p(word.r(OSINOVETS))}</w:tc></w:tr></w:tbl>` +
          word.p(word.r('tabs'), '<w:r><w:tab/></w:r>', word.r(INUBOSAKI), '<w:r><w:footnoteReference w:id="1"/></w:r>'),
      ),
      extra: [
        word.part('footnotes', 'footnotes', `<w:footnote w:id="1">${word.p(word.r('Inubōsaki was designed by Richard Henry Brunton.'))}</w:footnote>`),
        { name: 'docProps/app.xml', content: '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>x</Application><Pages>3</Pages></Properties>' },
        word.part('header1', 'hdr', word.p(word.r('Marine aids – § 1'))),
      ],
    }),
    'lighthouses.xlsx': xlsx({
      properties,
      strings: ['<si><t>Name</t></si>', '<si><t>Built</t></si>', '<si><r><t>Cré</t></r><r><t>ac’h</t></r></si>', '<si><t>犬吠埼灯台</t><rPh sb="0" eb="5"><t>イヌボウサキトウダイ</t></rPh></si>'],
      sheets: [
        {
          name: 'Towers & маяки'.replace('&', '&amp;'),
          rows:
            '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>' +
            '<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>1863</v></c></row>' +
            '<row r="3"><c r="A3" t="s"><v>3</v></c><c r="B3"><f>1873+1</f><v>1874</v></c></row>',
        },
        { name: 'Notes', rows: `<row r="1"><c r="A1" t="inlineStr"><is><t>${OSINOVETS}</t></is></c><c r="B1" t="b"><v>1</v></c><c r="C1" s="1"><v>45322</v></c><c r="D1" s="2"><v>45322.5</v></c><c r="E1" s="0"><v>45322</v></c></row>` },
      ],
      extra: [
        {
          name: 'xl/styles.xml',
          content:
            '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="[Red]yyyy\\-mm\\-dd &quot;um&quot; hh:mm"/></numFmts>' +
            '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
        },
      ],
    }),
    'lighthouses.pptx': pptx({
      properties,
      slides: [
        { shapes: shape(INUBOSAKI, 'The last slide') },
        { shapes: shape('Lighthouses of the world', CREACH), notes: shape(OSINOVETS) },
      ],
      order: [2, 1],
    }),
    'lighthouses.odt': openDocument({
      kind: 'text',
      properties: odfProperties,
      pages: 2,
      body:
        '<text:tracked-changes><text:changed-region><text:deletion><text:p>struck out</text:p></text:deletion></text:changed-region></text:tracked-changes>' +
        `<text:h>Lighthouses of the world</text:h><text:p>${CREACH.replace('lighthouse', '<text:span>light</text:span>house')}</text:p>` +
        `<text:p>two<text:s text:c="2"/>spaces<text:tab/>${OSINOVETS}<text:line-break/>${INUBOSAKI}</text:p>`,
    }),
    'lighthouses.ods': openDocument({
      kind: 'spreadsheet',
      properties: odfProperties,
      body:
        '<table:table table:name="Towers – маяки"><table:table-row><table:table-cell><text:p>Name</text:p></table:table-cell><table:table-cell><text:p>Built</text:p></table:table-cell></table:table-row>' +
        '<table:table-row><table:table-cell><text:p>Créac’h</text:p></table:table-cell><table:table-cell office:value="1863"><text:p>1863</text:p></table:table-cell></table:table-row>' +
        '<table:table-row><table:table-cell><text:p>犬吠埼灯台</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"><text:p>1874</text:p></table:table-cell></table:table-row></table:table>',
    }),
    'lighthouses.odp': openDocument({
      kind: 'presentation',
      properties: odfProperties,
      body:
        `<draw:page draw:name="one"><draw:frame><draw:text-box><text:p>Lighthouses of the world</text:p><text:p>${CREACH}</text:p></draw:text-box></draw:frame>` +
        `<presentation:notes><draw:frame><draw:text-box><text:p>${OSINOVETS}</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>` +
        `<draw:page draw:name="two"><draw:frame><draw:text-box><text:p>${INUBOSAKI}</text:p></draw:text-box></draw:frame></draw:page>`,
    }),
    'encrypted.odt': openDocument({ kind: 'text', properties: odfProperties, body: '', encrypted: true }),
    'encrypted.docx': compoundFile('EncryptedPackage'),
    'lighthouses.epub': epub({
      title: properties.title,
      creator: properties.creator,
      language: 'en-GB',
      date: '2024-01-31',
      chapters: [`<h1>Lighthouses of the world</h1><p>${CREACH}</p>`, `<p>${OSINOVETS}</p><p>${INUBOSAKI}</p>`],
    }),
    'lighthouses.rtf': rtf(),
    'lighthouses.html': html(),
    'lighthouses.eml': mail(),
    'lighthouses.csv': `\ufeffName;Country;Built\r\nCréac’h;"France; Brittany";1863\r\nОсиновецкий маяк;Russia;\r\n犬吠埼灯台;"Japan ""Nippon""";1874\r\n`,
    'lighthouses.json': JSON.stringify({ title: properties.title, towers: [{ name: 'Créac’h', built: 1863, notes: [CREACH] }, { name: 'Осиновецкий маяк', built: null }, { name: '犬吠埼灯台' }] }, null, 2),
    'lighthouses.xml':
      '<?xml version="1.0" encoding="UTF-8"?>\n<towers xmlns:dc="http://purl.org/dc/elements/1.1/" xml:lang="en-GB">' +
      `<dc:title>${properties.title}</dc:title><dc:creator>${properties.creator}</dc:creator><tower built="1863"><name>Créac’h</name>` +
      `<note>Stands on the <place>island</place> of <place>Ouessant</place>.</note></tower><tower><name><![CDATA[Осиновецкий <маяк>]]></name></tower><tower><name>犬吠埼灯台 &amp; more</name></tower></towers>\n`,
    'lighthouses.md': `---\ntitle: "${properties.title}"\nauthor: ${properties.creator}\ntags: [lighthouse, phare, маяк]\n---\n\n# Lighthouses of the world\n\n${CREACH}\n\n* ${OSINOVETS}\n* ${INUBOSAKI}\n`,
    'lighthouses.txt': `Lighthouses of the world\r\n\r\n${CREACH}\r\n${OSINOVETS}\r\n${INUBOSAKI}\r\n`,
    'lighthouses.ttl': `@prefix ex: <http://example.com/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n\nex:creach a ex:Lighthouse ; rdfs:label "Créac’h"@fr , "Креаш"@ru .\n`,
    'empty.txt': '',
  };
}

function rtf() {
  const unicode = (text) => [...text].map((character) => (character < '\x80' ? character : `\\u${(character.charCodeAt(0) << 16) >> 16}?`)).join('');
  return Buffer.from(
    '{\\rtf1\\ansi\\ansicpg1252\\deff0\\uc1{\\fonttbl{\\f0\\froman\\fcharset0 Tinos;}{\\f1\\fswiss\\fcharset204 Arimo{\\*\\falt Cyr};}{\\f2\\fnil\\fcharset128 Kanji;}}' +
      '{\\colortbl;\\red255\\green0\\blue0;}{\\stylesheet{\\s0 Normal;}}{\\*\\generator Hand;}' +
      `{\\info{\\title ${unicode(properties.title)}}{\\author Zo\\'eb \\'c5ngstr\\'f6m}{\\keywords lighthouse, phare}{\\creatim\\yr2024\\mo1\\dy31\\hr12\\min0}}` +
      "\\f0 Lighthouses of the world\\par The {\\b Cr\\'e9ac\\rquote h} light\\-house\n stands on the island of Ouessant; it was built in 1863.{\\v hidden}\\par\n" +
      // Windows-1251 and Shift_JIS by the charset of the font.
      "\\f1 \\'ce\\'f1\\'e8\\'ed\\'ee\\'e2\\'e5\\'f6\\'ea\\'e8\\'e9 \\'ec\\'e0\\'ff\\'ea\\par\\f2 \\'93\\'94\\'91\\'e4\\par\\plain " +
      `${unicode('犬吠埼灯台')} \\emdash  {\\field{\\*\\fldinst HYPERLINK "http://example.com/"}{\\fldrslt a link}} {\\pict\\pngblip 89504e470d0a}{\\*\\unknown never}\\{braces\\}\\tab end\\par}`,
    'latin1',
  );
}

function html() {
  return (
    `<!doctype html>\n<html lang="en-GB">\n<head>\n<meta charset="utf-8">\n<title>${properties.title}</title>\n<meta name="author" content="${properties.creator}">\n` +
    '<meta name="keywords" content="lighthouse, phare, маяк">\n<style>p { color: red }</style>\n<script>document.write("never")</script>\n</head>\n<body>\n' +
    `<h1>Lighthouses of <em>the</em> world</h1>\n<p>The Cr&eacute;ac&rsquo;h light<b>house</b>\n stands on the island of Ouessant; it was built in 1863.</p>\n<!-- never -->\n` +
    `<ul><li>${OSINOVETS}<li>${INUBOSAKI}</ul>\n<table><tr><th>Name</th><th>Built</th></tr><tr><td>Créac’h</td><td>1863</td></tr></table>\n<p>a &lt; b &amp;&amp; c</p>\n</body>\n</html>\n`
  );
}

function mail() {
  const word64 = (text) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;
  const csv = Buffer.from('Name,Built\nCréac’h,1863\n').toString('base64');
  const inner = docx({ properties, document: word.document(word.p(word.r(INUBOSAKI))) }).toString('base64').replaceAll(/.{76}/g, '$&\r\n');
  return [
    `From: ${word64('Zoë Ångström')} <zoe@example.com>`,
    'To: Keeper <keeper@example.com>, Second <second@example.com>',
    `Subject: ${word64(properties.title)}`,
    'Date: Wed, 31 Jan 2024 13:00:00 +0100',
    'Message-ID: <1@example.com>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="outer"',
    '',
    '--outer',
    'Content-Type: multipart/alternative; boundary="inner"',
    '',
    '--inner',
    'Content-Type: text/plain; charset=koi8-r',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    // "Осиновецкий маяк" in KOI8-R.
    '=EF=D3=C9=CE=CF=D7=C5=C3=CB=C9=CA =CD=C1=D1=CB stands on a shore=',
    ' of Ladoga.',
    '--inner',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>never</p>',
    '--inner--',
    '--outer',
    'Content-Type: text/csv; charset=utf-8',
    `Content-Disposition: attachment; filename*=utf-8''${encodeURIComponent('маяки.csv')}`,
    'Content-Transfer-Encoding: base64',
    '',
    csv,
    '--outer',
    'Content-Type: application/octet-stream',
    'Content-Disposition: attachment; filename="report.docx"',
    'Content-Transfer-Encoding: base64',
    '',
    inner,
    '--outer',
    'Content-Type: message/rfc822',
    'Content-Disposition: attachment; filename="forwarded.eml"',
    '',
    'From: keeper@example.com',
    'Subject: Forwarded',
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<html><body><p>${CREACH}</p></body></html>`,
    '--outer--',
    '',
  ].join('\r\n');
}

/** The start of a compound file with one directory entry of that name. */
function compoundFile(entry) {
  const bytes = Buffer.alloc(1536);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(3, 26);
  bytes.writeUInt16LE(0xfffe, 28);
  bytes.writeUInt16LE(9, 30);
  Buffer.from(entry, 'utf16le').copy(bytes, 512);
  return bytes;
}
