import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DelimiterCounter } from './delimiter-counter.ts';

const pieces = fc.array(
  fc.constantFrom('\r\n--b', '\r\n', '--b', '--', '\r', '\n', '-', 'b', 'content', '\r\n--b--', '\r\n--b\r\n'),
  { maxLength: 30 },
);

/** The same count over the whole body at once. */
function naiveCount(body: string): number {
  let parts = 0;
  for (let at = body.indexOf('\r\n--b'); at >= 0; at = body.indexOf('\r\n--b', at + 5)) {
    const next = body.slice(at + 5, at + 7);
    if (next === '\r\n') parts++;
    if (next === '--') break;
  }
  return parts;
}

describe('counting delimiters', () => {
  it('finds each part once, however the body is cut', () => {
    fc.assert(
      fc.property(pieces, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (texts, cuts) => {
        const body = Buffer.from(texts.join(''));
        const counter = new DelimiterCounter('b');
        for (let at = 0, turn = 0; at < body.length; turn++) {
          const size = cuts[turn % cuts.length];
          counter.scan(body.subarray(at, at + size));
          at += size;
        }
        expect(counter.parts).toBe(naiveCount(`\r\n${body}`));
      }),
      { numRuns: process.env['CAIRN_LONG'] ? 100_000 : 2000 },
    );
  });
});
