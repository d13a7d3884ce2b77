import { describe, expect, it } from 'vitest';
import { type AnyArgument, doorFaults, WRONG_ARGUMENTS } from './conformance.ts';
import { CodedError } from './index.ts';

function refuse(kind: 'invalid' | 'not-found'): never {
  throw new CodedError({ code: 'ERR_ARGUMENT', kind, message: 'the name must be text' });
}

const takeText = (name: AnyArgument) => (typeof name === 'string' ? name : refuse('invalid'));

describe('the faults of a door', () => {
  it('are none when it takes what is right and refuses the rest with a code', async () => {
    expect(await doorFaults(takeText, ['text'])).toEqual([]);
    expect(await doorFaults(async (name) => takeText(name), ['text'])).toEqual([]);
  });

  it('name what is taken and should not be, and what is refused and should not be', async () => {
    expect(await doorFaults(takeText, [])).toEqual(['text: taken']);
    expect(await doorFaults(takeText, ['text', 'number'])).toEqual(['number: invalid']);
  });

  it('name what is refused by accident', async () => {
    const faults = await doorFaults((name) => name.trim(), ['text']);
    expect(faults).toHaveLength(Object.keys(WRONG_ARGUMENTS).length - 1);
    expect(faults[0]).toContain('TypeError');
  });

  it('name refusals of a kind that is not expected', async () => {
    const find = (name: AnyArgument) => (typeof name === 'string' ? refuse('not-found') : refuse('invalid'));
    expect(await doorFaults(find, [])).toEqual(['text: not-found']);
    expect(await doorFaults(find, [], ['invalid', 'not-found'])).toEqual([]);
  });

  it('are found in what is read only afterwards', async () => {
    const read = async function* (name: AnyArgument) {
      yield takeText(name);
    };
    expect(await doorFaults(read, ['text'])).toEqual([]);
  });
});
