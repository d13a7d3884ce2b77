import { describe, expect, it } from 'vitest';
import { type AnyArgument, doorFaults, listFaults, rereadingFaults, WRONG_ARGUMENTS } from './conformance.ts';
import { CodedError, readableOnce } from './index.ts';

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

async function* count(last: number): AsyncGenerator<number> {
  for (let n = 1; n <= last; n++) yield n;
}

describe('the faults of a stream that is read again', () => {
  it('are none when it gives the same once more, or is refused with the code for that', async () => {
    expect(await rereadingFaults(() => ({ [Symbol.asyncIterator]: () => count(3) }))).toEqual([]);
    expect(await rereadingFaults(async () => readableOnce(count(3)))).toEqual([]);
  });

  it('name one that gives nothing, or less, or has nothing from the start', async () => {
    expect(await rereadingFaults(() => count(3))).toEqual([
      'after a reading that ended: 0',
      'after a reading that was left: 0',
    ]);
    let last = 4;
    const fewer = () => ({ [Symbol.asyncIterator]: () => count(last--) });
    expect(await rereadingFaults(fewer)).toHaveLength(2);
    expect(await rereadingFaults(() => readableOnce(count(0)))).toEqual(['the first reading: no element']);
  });
});

describe('a stream that can be read once', () => {
  const refused = expect.objectContaining({ code: 'ERR_ALREADY_READ', kind: 'invalid' });

  it('gives all of it, by its own iterator or by that of the first reader, who may go on with it', async () => {
    const stream = readableOnce(count(3));
    expect(await stream.next()).toEqual({ done: false, value: 1 });
    const reader = stream[Symbol.asyncIterator]();
    expect(await reader.next()).toEqual({ done: false, value: 2 });
    const rest: number[] = [];
    for await (const n of reader) rest.push(n);
    expect(rest).toEqual([3]);
    expect(() => stream[Symbol.asyncIterator]()).toThrow(refused);
  });

  it('ends its source when it is told to return or to throw', async () => {
    const ended: string[] = [];
    async function* watched(name: string): AsyncGenerator<number> {
      try {
        yield* count(3);
      } finally {
        ended.push(name);
      }
    }
    const [returned, thrown] = ['return', 'throw'].map((name) => readableOnce(watched(name)));
    for (const stream of [returned, thrown]) await stream.next();
    expect(await returned.return()).toEqual({ done: true, value: undefined });
    await expect(thrown.throw(new Error('no more'))).rejects.toThrow('no more');
    const plain = { next: async () => ({ done: false as const, value: 1 }), [Symbol.asyncIterator]: () => plain };
    await expect(readableOnce<number>(plain).throw(new Error('no more'))).rejects.toThrow('no more');
    expect(ended).toEqual(['return', 'throw']);
  });
});
