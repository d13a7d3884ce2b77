import { readFileSync } from 'node:fs';
import type { Extraction } from '@cairn/ingest';
import { describe, expect, it } from 'vitest';
import { extractDocument } from '../extract.ts';
import { resolveExtractionLimits } from '../limits.ts';

function read(filename: string, content: string | Buffer, declaredType?: string): Promise<Extraction> {
  return extractDocument({ bytes: Buffer.from(content), filename, declaredType }, resolveExtractionLimits({}));
}

const textOf = async (filename: string, content: string | Buffer): Promise<string> =>
  (await read(filename, content)).text;

describe('HTML', () => {
  it.each([
    ['breaks lines at blocks and not at words', '<p>a<b>b</b> <i>c</i><div>d</div>e<br>f', 'ab c\nd\ne\nf'],
    ['collapses white space', '<p>  a \n\t b&nbsp;&nbsp;c  </p>', 'a\tb c'],
    ['skips what is not shown', '<script>a</script><style>b</style><template>c</template><noscript>d</noscript>e', 'e'],
    ['obeys the attribute hidden', '<p hidden>a<i>b</i></p><p hidden=until-found>c</p><img hidden>d', 'c\nd'],
    ['skips all that is inside what is not shown', '<svg><title>a</title><g><text>b</text></g></svg>c', 'c'],
    ['closes what the page left open', '<ul><li>a<li>b</ul><p>c<p>d', 'a\nb\nc\nd'],
    ['goes on after markup that is none', '<p>1 < 2 <3 & 4</p><</p>', '1 < 2 <3 & 4\n<'],
    ['keeps cells apart', '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a\tb\nc'],
  ])('%s', async (_what, html, expected) => {
    expect(await textOf('a.html', html)).toBe(expected);
  });

  it('obeys the charset of the sender before that of the page', async () => {
    const page = Buffer.from('<meta charset="koi8-r"><p>\xcd\xc1\xd1\xcb', 'latin1');
    expect((await read('a.html', page)).text).toBe('маяк');
    expect((await read('a.html', page, 'text/html; charset=windows-1251')).text).toBe('НБСЛ');
  });

  it('has no depth without end tags that HTML does not know', async () => {
    expect(await textOf('a.html', `${'<br>'.repeat(1000)}${'<img src=x>'.repeat(1000)}end`)).toBe('end');
  });
});

describe('RTF', () => {
  it.each([
    ['reads code points beyond the basic plane', '\\u-10180?\\u-9028?', '\u{1f0bc}'],
    ['skips as many characters after \\u as \\uc says', "\\uc2\\u1084\\'3f\\'3fa\\uc0\\u1085b", 'мaнb'],
    ['counts a control symbol as one such character', '\\uc1\\u1084\\~x', 'мx'],
    ['ends the skipping at the end of a group', '{\\uc3\\u1084 a}bcd', 'мbcd'],
    ['reads double bytes whose second half is a letter', "{\\fonttbl{\\f1\\fcharset128 x;}}\\f1\\'83A", 'ア'],
    ['returns to the charset around a group', "{\\fonttbl{\\f1\\fcharset204 x;}}{\\f1\\'ec}\\'ec", 'мì'],
    ["reads the document's own code page", "\\ansicpg1251\\'ec", 'м'],
    ['skips unknown destinations and reads unknown words', '{\\*\\thing a{b}}\\word c', 'c'],
    ['reads the result of a field, not its instruction', '{\\field{\\*\\fldinst X}{\\fldrslt Y}}', 'Y'],
    ['reads the Unicode version of a text that has both', '{\\upr{a}{\\*\\ud{\\u1084?}}}', 'м'],
    ['skips hidden and deleted text', 'a{\\v b}{\\deleted c}d\\v e\\v0 f', 'adf'],
    ['skips binary data, braces and all', '{\\pict\\bin4 }}}}}a', 'a'],
    ['breaks at paragraphs, lines and rows', 'a\\par b\\line c\\cell d\\row e', 'a\nb\nc\td\ne'],
    ['ignores line ends of the file', 'a\r\nb\nc', 'abc'],
  ])('%s', async (_what, body, expected) => {
    expect(await textOf('a.rtf', `{\\rtf1\\ansi ${body}}`)).toBe(expected);
  });

  it.each([
    ['open groups', '{\\rtf1 {a}', '1 groups still open'],
    ['a cut control word', '{\\rtf1 a\\', 'middle of a control word'],
    ['a negative length', '{\\rtf1 \\bin-5 a}', 'more binary data'],
  ])('refuses %s', async (_what, rtf, message) => {
    const error = { code: 'ERR_EXTRACTION', message: expect.stringContaining(message) };
    await expect(read('a.rtf', rtf)).rejects.toMatchObject(error);
  });
});

describe('CSV', () => {
  it.each([
    ['a,b\n"c, d",e\n', 'a\tb\nc, d\te'],
    ['a\tb;c\td\n1\t2\t3\n', 'a\tb;c\td\n1\t2\t3'],
    ['a|b\n\n1|2|3\n', 'a\tb\n1\t2\t3'],
    ['a\n"say ""no"""\n', 'a\nsay "no"'],
    ['a,b\n5" pipe,c\n', 'a\tb\n5" pipe\tc'],
  ])('reads %j', async (csv, expected) => {
    expect(await textOf('a.csv', csv)).toBe(expected);
  });
});

describe('JSON', () => {
  it('reads strings in the order of the document and nothing else', async () => {
    const json = '{"a": ["x", 1, true, null, {"k": "[y]\\"{"}], "__proto__": "z", "name": "n"}';
    expect(await read('a.json', json)).toMatchObject({ text: 'x\n[y]"{\nz\nn', title: 'n' });
  });

  it('does not count brackets in strings as depth', async () => {
    expect(await textOf('a.json', JSON.stringify('['.repeat(10_000)))).toHaveLength(10_000);
  });

  it('reads one document a line', async () => {
    expect(await read('a.jsonl', '{"a":"x"}\n\n["y"]\n')).toMatchObject({ text: 'x\ny', metadata: { rows: 2 } });
  });

  it('says where it is malformed and not what is written there', async () => {
    const error = await read('a.json', '{"secret": hidden}').catch((reason) => reason);
    expect(error).toMatchObject({ code: 'ERR_EXTRACTION' });
    expect(error.message).not.toMatch(/hidden|secret/);
  });
});

describe('XML', () => {
  it('keeps words together and elements apart', async () => {
    expect(await textOf('a.xml', '<?xml version="1.0"?><r><a>x</a><b>y</b><p>so<i>me</i> <b>text</b></p></r>')).toBe(
      'x\ny\nsome text',
    );
  });

  it('reads XML in the charset that it declares', async () => {
    const bytes = Buffer.from('<?xml version="1.0" encoding="windows-1251"?><r>\xec\xe0\xff\xea</r>', 'latin1');
    expect(await read('a.xml', bytes)).toMatchObject({ text: 'маяк', metadata: { charset: 'windows-1251' } });
  });

  it('passes over a document type that only names an external one', async () => {
    expect(await textOf('a.xml', '<!DOCTYPE r SYSTEM "http://example.com/r.dtd"><r>x</r>')).toBe('x');
  });

  it('reads another vocabulary by the ending of its type', async () => {
    expect(await read('a', '<feed><title>T</title></feed>', 'application/atom+xml')).toMatchObject({ title: 'T' });
  });
});

describe('Markdown', () => {
  it.each([
    ['the first heading', 'text\n\n## Two ##\n\n# One', 'Two'],
    ['an underlined heading', 'Title\n=====\n\ntext', 'Title'],
    ['no comment in a code block', '```\n# no\n```\n\n# yes', 'yes'],
  ])('takes %s as title', async (_what, markdown, title) => {
    expect(await read('a.md', markdown)).toMatchObject({ title, text: markdown });
  });
});

describe('mail', () => {
  it('says which attachments it could not read', async () => {
    const mail = [
      'From: a@example.com',
      'Subject: s',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'body',
      '--b',
      'Content-Type: application/json',
      'Content-Disposition: attachment; filename=a.json',
      '',
      '{broken',
      '--b',
      'Content-Type: application/octet-stream',
      'Content-Disposition: attachment; filename=a.bin',
      'Content-Transfer-Encoding: base64',
      '',
      'AAECAwQFBgcAAAA=',
      '--b--',
      '',
    ].join('\r\n');
    expect(await read('a.eml', mail)).toMatchObject({
      text: 'body\na.json\na.bin',
      metadata: { unreadAttachments: ['a.json: malformed', 'a.bin: unknown type'] },
    });
  });
});

describe('plain text', () => {
  it('stands as it is, with one kind of line ends', async () => {
    expect(await textOf('a.txt', '  a\r\n\r\nb\rc  ')).toBe('  a\n\nb\nc  ');
  });
});

describe('compound files', () => {
  it('are named unsupported when they are not encrypted', async () => {
    const bytes = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1024)]);
    expect(await read('a.doc', bytes)).toMatchObject({
      contentType: 'application/msword',
      text: '',
      reason: 'unsupported type',
    });
  });
});

describe('templates and macro forms', () => {
  it.each([
    ['odt', 'ott'],
    ['ods', 'ots'],
    ['odp', 'otp'],
    ['docx', 'dotm'],
    ['xlsx', 'xltm'],
    ['pptx', 'potm'],
    ['pptx', 'ppsm'],
  ])('are read as the %s that they are, named .%s', async (plain, template) => {
    const bytes = readFileSync(
      new URL(`../../../../../test-fixtures/formats/good/lighthouses.${plain}`, import.meta.url),
    );
    // Without these entries the archive does not tell its type, and the name does.
    const untold = bytes
      .toString('latin1')
      .replaceAll('[Content_Types]', '[Content_Typos]')
      .replaceAll('mimetype', 'mimetypo');
    const { contentType, ...found } = await read(`a.${template}`, Buffer.from(untold, 'latin1'));
    const { contentType: plainType, ...expected } = await read(`a.${plain}`, bytes);
    expect(contentType).not.toBe(plainType);
    expect(found).toEqual(expected);
  });
});
