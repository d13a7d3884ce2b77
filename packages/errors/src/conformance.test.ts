import { describe, expect, it } from 'vitest';
import { type AnyArgument, doorFaults, listFaults, WRONG_ARGUMENTS } from './conformance.ts';
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

describe('the faults of a door that takes a list', () => {
  it('are none when another list is taken whole, or refused with a code', async () => {
    expect(await listFaults([1, 2], (list) => (Array.isArray(list) ? list : refuse('invalid')))).toEqual([]);
    const spread = (list: AnyArgument) => (typeof list.length === 'number' ? refuse('invalid') : [...list]);
    expect(await listFaults([1, 2], (list) => (Array.isArray(list) ? list : spread(list)))).toEqual([]);
  });

  it('name what is counted by a length that is not there, walked twice, or refused by accident', async () => {
    const counted = await listFaults([1, 2], (list) => list.length ?? 0);
    expect(counted).toEqual(['a Set: 0; an array: 2', 'a generator: 0; an array: 2', 'an iterable: 0; an array: 2']);
    const twice = (list: AnyArgument) => ([...list].length === 2 ? [...list] : []);
    const [first, ...others] = await listFaults([1, 2], twice);
    expect(first).toBe('a generator: []; an array: [1,2]');
    expect(others).toEqual([expect.stringMatching(/^what is like an array: TypeError/)]);
  });

  it('name a door that refuses an array', async () => {
    expect(await listFaults([1], () => refuse('invalid'))).toEqual(['an array: invalid']);
  });
});
