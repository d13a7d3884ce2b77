// A PDF 1.7 with compressed page contents, a Latin font in WinAnsi and a composite one with a ToUnicode map.
import { deflateSync } from 'node:zlib';

/**
 * A page in fonts that are not embedded, each in an encoding that the PDF only names (ISO 32000, table 116).
 * Lines: `{ encoding, ordering, text }`, the text as hexadecimal bytes of that encoding.
 */
export function pdfOfNamedEncodings({ title, lines }) {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'];
  const fonts = lines.map((_, index) => `/F${index} ${5 + index} 0 R`).join(' ');
  objects.push(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << ${fonts} >> >> >>`);
  const show = ({ text }, index) => `BT /F${index} 12 Tf 1 0 0 1 72 ${760 - index * 30} Tm <${text}> Tj ET`;
  objects.push(stream(Buffer.from(lines.map(show).join('\n'))));
  for (const { encoding, ordering } of lines) {
    objects.push(
      `<< /Type /Font /Subtype /Type0 /BaseFont /Named /Encoding /${encoding} /DescendantFonts [<< /Type /Font ` +
        `/Subtype /CIDFontType0 /BaseFont /Named /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> ` +
        '/DW 1000 /FontDescriptor << /Type /FontDescriptor /FontName /Named /Flags 4 /FontBBox [0 -200 1000 900] ' +
        '/ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>',
    );
  }
  objects.push(`<< /Title ${toTextString(title)} >>`);
  return assemble(objects, `/Root 1 0 R /Info ${objects.length} 0 R`);
}

export function pdf({ info, pages, encrypt = false, content }) {
  const objects = [];
  const add = (body) => objects.push(body);
  const kids = pages.map((_, index) => `${6 + index * 2} 0 R`).join(' ');
  add('<< /Type /Catalog /Pages 2 0 R /Lang (en-GB) >>');
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  add(
    '<< /Type /Font /Subtype /Type0 /BaseFont /Labels /Encoding /Identity-H /ToUnicode 5 0 R /DescendantFonts ' +
      '[<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Labels /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) ' +
      '/Supplement 0 >> /DW 600 /FontDescriptor << /Type /FontDescriptor /FontName /Labels /Flags 4 /FontBBox [0 0 1000 1000] ' +
      '/ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>',
  );
  add(stream(Buffer.from(toUnicodeMap())));
  for (const lines of pages) {
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${objects.length + 2} 0 R ` +
        '/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>',
    );
    add(stream(content ?? Buffer.from(pageContent(lines), 'latin1')));
  }
  const infoNumber = add(`<< ${Object.entries(info).map(([key, value]) => `/${key} ${toTextString(value)}`).join(' ')} >>`);
  const encryption = encrypt ? `/Encrypt ${add(encryptDictionary())} 0 R /ID [<00> <00>]` : '';
  return assemble(objects, `/Root 1 0 R /Info ${infoNumber} 0 R ${encryption}`);
}

function pageContent(lines) {
  let y = 780;
  const commands = lines.map(({ text, size = 12, gap = size * 1.2, font = 'F1', x = 72 }) => {
    y -= gap;
    const string = font === 'F1' ? `(${toWinAnsi(text)})` : `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;
    return `BT /${font} ${size} Tf 1 0 0 1 ${x} ${y} Tm ${string} Tj ET`;
  });
  return commands.join('\n');
}

function toWinAnsi(text) {
  return Buffer.from(text.replaceAll('–', '\x96').replaceAll('’', '\x92'), 'latin1')
    .toString('latin1')
    .replaceAll(/[\\()]/g, '\\$&');
}

function toUnicodeMap() {
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Labels def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
3 beginbfrange <0000> <00FF> <0000> <0400> <04FF> <0400> <3000> <9FFF> <3000> endbfrange
endcmap CMapName currentdict /CMap defineresource pop end end`;
}

function stream(bytes) {
  const packed = deflateSync(bytes, { level: 9 });
  return Buffer.concat([
    Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
    packed,
    Buffer.from('\nendstream'),
  ]);
}

function toTextString(value) {
  if (value.startsWith('D:')) return `(${value})`;
  return `<feff${Buffer.from(value, 'utf16le').swap16().toString('hex')}>`;
}

/** The standard handler with keys that no empty password opens. */
function encryptDictionary() {
  return `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${'a7'.repeat(32)}> /U <${'5c'.repeat(32)}> >>`;
}

function assemble(objects, trailer) {
  const chunks = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const offsets = [];
  let length = chunks[0].length;
  objects.forEach((body, index) => {
    offsets.push(length);
    const object = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(body), Buffer.from('\nendobj\n')]);
    chunks.push(object);
    length += object.length;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  chunks.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${objects.length + 1} ${trailer} >>\n` +
        `startxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(chunks);
}
