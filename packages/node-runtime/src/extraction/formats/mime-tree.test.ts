import { describe, expect, it } from 'vitest';
import { parseMail } from './mime-tree.ts';

const HEAD = 'From: a@example.com\r\nMIME-Version: 1.0\r\n';

function mailOf(parts: number, disposition: string): Uint8Array<ArrayBuffer> {
  const part = `--b\r\nContent-Type: text/plain\r\nContent-Disposition: ${disposition}\r\n\r\nha\r\n`;
  return new TextEncoder().encode(
    `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(parts)}--b--\r\n`,
  );
}

describe('the parts of a mail', () => {
  it('are read in time that grows with them, not with their square', async () => {
    const { attachments } = await parseMail(mailOf(20_000, 'attachment; filename=a.txt'));
    expect(attachments).toHaveLength(20_000);
    // Going through all parts before each would be two hundred million promises: minutes.
  }, 60_000);

  it('are read in parts of parts as well, whole and in order', async () => {
    const inner = [1, 2, 3].map((i) => `--in\r\nContent-Type: text/plain\r\n\r\ninner ${i}\r\n`).join('');
    const outer = ['before', 'after'].map((text) => `--out\r\nContent-Type: text/plain\r\n\r\n${text}\r\n`);
    const middle = `--out\r\nContent-Type: multipart/mixed; boundary=in\r\n\r\n${inner}--in--\r\n`;
    const mail = `${HEAD}Content-Type: multipart/mixed; boundary=out\r\n\r\n${outer[0]}${middle}${outer[1]}--out--\r\n`;
    const { text } = await parseMail(new TextEncoder().encode(mail));
    expect(text?.split(/\s*\n\s*/).filter((line) => line !== '')).toEqual([
      'before',
      'inner 1',
      'inner 2',
      'inner 3',
      'after',
    ]);
  });
});
