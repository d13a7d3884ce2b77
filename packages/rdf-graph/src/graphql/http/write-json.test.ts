import fc from 'fast-check';
import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { writeJson } from './write-json.ts';

const list = (length: number): object[] =>
  Array.from({ length }, (_, i) => ({ i, text: `"${i}"`, none: null, list: [] }));

describe('the JSON of an answer', () => {
  it('is what JSON.stringify gives, whatever the size', async () => {
    const tree = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.nat(3_000).map(list)), { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(tree, async (value) => {
        expect(await writeJson(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: process.env['CAIRN_LONG'] ? 5_000 : 60 },
    );
  });

  it('writes errors as they write themselves and leaves out what is undefined', async () => {
    const answer = {
      errors: [new GraphQLError('no', { path: ['a', 1] })],
      data: { long: list(2_000) },
      none: undefined,
    };
    expect(await writeJson(answer)).toBe(JSON.stringify(answer));
  });

  it('lets others have their turn', async () => {
    let turns = 0;
    let isOver = false;
    const tick = (): void => {
      turns++;
      if (!isOver) setImmediate(tick);
    };
    setImmediate(tick);
    await writeJson({ data: list(100_000) });
    isOver = true;
    expect(turns).toBeGreaterThan(5);
  });
});
