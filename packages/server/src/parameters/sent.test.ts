import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseForm, parseLongForm } from './sent.ts';

/** The values of a form, or the code of the error that it is refused with. */
async function outcomeOf(read: () => ReturnType<typeof parseForm> | ReturnType<typeof parseLongForm>) {
  try {
    return await read();
  } catch (error) {
    return (error as { readonly code?: string }).code ?? 'no code';
  }
}

/** Texts fully escaped in ASCII, and texts as they are with valid escapes. Nobody decodes both at once. */
const ESCAPED = [
  'a',
  '%',
  '%2',
  '%41',
  '%E6%BC%A2',
  '%E6%BC',
  '%A2',
  '%ff',
  '%80%80%80%80',
  '+',
  '=',
  '&',
  'q=',
  '%zz',
  '%00',
];
const PLAIN = ['a', '%41', '%E6%BC%A2', '%f0%9f%98%80', '漢', '😀', 'é', '+', '=', '&', 'q=', '%00'];
const texts = fc.constantFrom(ESCAPED, PLAIN).chain((units) => {
  const some = fc.array(fc.constantFrom(...units), { maxLength: 30 }).map((list) => list.join(''));
  return fc.tuple(some, fc.nat(70), some, fc.nat(140_000), some, fc.boolean());
});

describe('escapes', () => {
  it.each(['q=%FF', 'q=a%C3', '%80=a', 'a=1&q=%ED%A0%80', 'q=%C3+%A9', `q=${'x'.repeat(70_000)}%FF`])(
    'that are no UTF-8 are refused: %.20s',
    async (text) => {
      expect(await outcomeOf(() => parseForm(text))).toBe('ERR_PARAMETER_ENCODING');
      expect(await outcomeOf(() => parseLongForm(text))).toBe('ERR_PARAMETER_ENCODING');
    },
  );

  it('may be of the character that stands for what cannot be decoded, and be none', () => {
    expect(parseForm('q=%EF%BF%BD&r=\ufffd&s=%zz%').get('q')).toEqual(['\ufffd']);
    expect(parseForm('q=\ufffd&s=%zz%').get('s')).toEqual(['%zz%']);
  });
});

describe('a long form', () => {
  it('is read as a short one is, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async ([head, repeats, middle, filler, tail, isEscaped]) => {
        const fill = isEscaped ? '%41'.repeat(filler / 3) : 'x'.repeat(filler);
        const text = `${head}${fill}${middle.repeat(repeats)}${'y'.repeat(65_536)}${tail}`;
        expect(await outcomeOf(() => parseLongForm(text))).toEqual(await outcomeOf(() => parseForm(text)));
      }),
      { numRuns: 150 },
    );
  });

  it('is cut within runs of escapes, too', async () => {
    for (const escaped of ['%E6%BC%A2', '%f0%9f%98%80', '%80', '%bf', '%41', '%C3%A9%', '漢', '😀', '%E6']) {
      for (const offset of [0, 1, 2, 3]) {
        const text = `q=${'x'.repeat(offset)}${escaped.repeat(50_000)}&r=1`;
        expect(await outcomeOf(() => parseLongForm(text))).toEqual(await outcomeOf(() => parseForm(text)));
      }
    }
  });

  it('lets others run while it is decoded', async () => {
    let turns = 0;
    let isDone = false;
    const parsed = parseLongForm(`query=${'%20letter'.repeat(200_000)}`).finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise(setImmediate);
      turns++;
    }
    expect((await parsed).get('query')?.[0]).toHaveLength(7 * 200_000);
    expect(turns).toBeGreaterThan(20);
  });

  it('gives at most 2,000 values, and drops what follows', async () => {
    const text = Array.from({ length: 30_000 }, (_, i) => `n${i % 3}=${i}`).join('&');
    const values = await parseLongForm(text);
    expect([...values.values()].flat()).toHaveLength(2_000);
    expect(values).toEqual(parseForm(text));
  });
});
