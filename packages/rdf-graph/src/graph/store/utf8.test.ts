import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeUtf8, writeUtf8 } from './utf8.ts';

const text = fc
  .array(fc.constantFrom('a', 'Z', '\u007f', '\u0080', 'é', '漢', '😀', ' '), { maxLength: 48 })
  .map((units) => units.join(''));
const ascii = fc.string({ maxLength: 48 });

it('texts of any length come back from their bytes, wherever these lie', () => {
  fc.assert(
    fc.property(fc.oneof(text, ascii), fc.nat(9), fc.boolean(), (content, offset, isShared) => {
      const room = offset + content.length * 3 + 9;
      const bytes = new Uint8Array(isShared ? new SharedArrayBuffer(room) : new ArrayBuffer(room)).fill(120);
      const end = writeUtf8(bytes, offset, content);
      expect(decodeUtf8(bytes, offset, end)).toBe(content);
    }),
  );
});
