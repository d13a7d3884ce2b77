import { readdirSync, readFileSync } from 'node:fs';
import { isCodedError } from '@cairn/errors';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractDocument } from './extract.ts';
import { resolveExtractionLimits } from './limits.ts';

const RUNS = process.env['CAIRN_LONG'] ? 3000 : 25;
const good = new URL('../../../../test-fixtures/formats/good/', import.meta.url);
const limits = resolveExtractionLimits({ maxTextBytes: 1_000_000, maxArchiveBytes: 10_000_000 });

/** Damage: bytes overwritten, a piece cut out, a piece repeated, the end cut off. */
const damage = fc.array(
  fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    length: fc.integer({ min: 0, max: 40 }),
    kind: fc.constantFrom('overwrite', 'cut', 'repeat', 'truncate'),
    byte: fc.integer({ min: 0, max: 255 }),
  }),
  { minLength: 1, maxLength: 4 },
);

type Damage = typeof damage extends fc.Arbitrary<(infer One)[]> ? One : never;

function apply(bytes: Buffer, { at, length, kind, byte }: Damage): Buffer {
  const start = Math.floor(at * bytes.length);
  const before = bytes.subarray(0, start);
  const piece = bytes.subarray(start, start + length);
  const after = bytes.subarray(start + length);
  const middle = {
    overwrite: Buffer.alloc(piece.length, byte),
    cut: Buffer.alloc(0),
    repeat: Buffer.concat([piece, piece]),
  };
  return kind === 'truncate' ? before : Buffer.concat([before, middle[kind as keyof typeof middle], after]);
}

describe('extractDocument', { timeout: 600_000 }, () => {
  it.each(readdirSync(good))('lets nothing but its own error escape from a damaged %s', async (filename) => {
    const original = readFileSync(new URL(filename, good));
    await fc.assert(
      fc.asyncProperty(damage, async (steps) => {
        const bytes = steps.reduce(apply, original);
        try {
          const { contentType, text } = await extractDocument({ bytes, filename }, limits);
          expect([typeof contentType, typeof text]).toEqual(['string', 'string']);
        } catch (error) {
          expect(isCodedError(error) && [error.code, error.kind]).toEqual(['ERR_EXTRACTION', 'invalid']);
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('lets nothing but its own error escape from any bytes under any name', async () => {
    const extensions = [
      'pdf',
      'docx',
      'xlsx',
      'pptx',
      'odt',
      'epub',
      'rtf',
      'html',
      'eml',
      'csv',
      'json',
      'xml',
      'md',
      'txt',
    ];
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(...extensions), async (bytes, extension) => {
        const extraction = extractDocument({ bytes, filename: `a.${extension}` }, limits);
        const outcome = await extraction.then(
          ({ contentType }) => contentType,
          (error) => error.code,
        );
        expect(typeof outcome).toBe('string');
        expect(outcome.startsWith('ERR_') ? outcome : 'ERR_EXTRACTION').toBe('ERR_EXTRACTION');
      }),
      { numRuns: RUNS * 4 },
    );
  });
});
