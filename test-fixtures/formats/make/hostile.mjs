// One hostile file of every format, by name: small here, whatever they would grow to. Big bombs are made by the tests.
import { good } from './good.mjs';
import { docx, pptx, shape, word, xlsx } from './ooxml.mjs';
import { epub, openDocument } from './odf.mjs';
import { zip } from './zip.mjs';

const properties = { title: 't', creator: 'c', created: '2024-01-31T12:00:00Z', modified: '2024-01-31T12:00:00Z', language: 'en', keywords: '', description: '' };
const odfProperties = { ...properties, keywords: [] };
const ENTITIES = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>`;
const nest = (open, close, depth, inside = '') => open.repeat(depth) + inside + close.repeat(depth);

export function hostile() {
  const files = good();
  return {
    'truncated.pdf': files['lighthouses.pdf'].subarray(0, 700),
    'no-pages.pdf': Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 1 0 R >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n'),
    'entities.docx': docx({ properties, document: word.document(word.p(word.r('&c;'))).replace('<w:document', `${ENTITIES}<w:document`) }),
    'lying-size.xlsx': lyingSize(files['lighthouses.xlsx']),
    'deep.pptx': pptx({ properties, slides: [{ shapes: nest('<p:grpSp>', '</p:grpSp>', 1000, shape('deep')) }], order: [1] }),
    'truncated.odt': files['lighthouses.odt'].subarray(0, 900),
    'same-name-twice.ods': zip([
      { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', stored: true },
      { name: 'content.xml', content: '<a>one</a>' },
      { name: 'content.xml', content: '<a>two</a>' },
    ]),
    'unknown-entity.odp': openDocument({ kind: 'presentation', properties: odfProperties, body: '<text:p>&x;</text:p>' }),
    'climbing.epub': epub({ ...properties, date: '2024-01-31', chapters: ['<p>x</p>'], root: '../../../../etc/passwd' }),
    'lying-binary.rtf': '{\\rtf1\\ansi {\\pict\\bin999999999 abc}}',
    'deep.rtf': `{\\rtf1 ${nest('{', '}', 5000, 'deep')}}`,
    'deep.html': `<!doctype html><title>deep</title>${nest('<div>', '</div>', 5000, 'deep')}`,
    'matryoshka.eml': matryoshka(30),
    'open-quote.csv': 'name,built\n"Créac’h,1863\nx,1\n',
    'deep.json': nest('[', ']', 20_000),
    'entities.xml': `<?xml version="1.0"?>\n${ENTITIES}<x>&c;</x>`,
    'external.xml': '<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
    'image.md': Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001080600000', 'hex'),
    'controls.txt': Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 7) % 256)),
    'pdf-named.docx': files['lighthouses.pdf'],
  };
}

/** The directory says that every entry is 3 bytes long when inflated. */
function lyingSize(archive) {
  const bytes = Buffer.from(archive);
  for (let at = bytes.indexOf('PK\x01\x02', 'latin1'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4, 'latin1')) {
    bytes.writeUInt32LE(3, at + 24);
  }
  return bytes;
}

function matryoshka(depth) {
  let mail = 'From: a@example.com\r\nSubject: innermost\r\n\r\ninnermost\r\n';
  for (let level = 0; level < depth; level++) {
    mail = `From: a@example.com\r\nSubject: ${level}\r\nMIME-Version: 1.0\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment; filename="${level}.eml"\r\n\r\n${mail}`;
  }
  return mail;
}
