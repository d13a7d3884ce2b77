import { createViewerOfEverything } from '@cairn/security';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../../dataset/open.ts';
import { namedNode, quad, stringLiteral } from '../../rdf/terms.ts';

const viewer = createViewerOfEverything();
const ROWS = 1500;

const dataset = await openGraphDataset({ name: 'test' });
await dataset.apply([
  {
    deletions: [],
    additions: Array.from({ length: ROWS }, (_, i) => {
      const subject = namedNode(`urn:${String(i).padStart(5, '0')}`);
      return { quad: quad(subject, namedNode('urn:p'), stringLiteral(`${i % 7}`)), label: '*' };
    }),
  },
]);

async function resultsOf(text: string, budget = {}): Promise<AsyncIterator<string>> {
  const result = await dataset.query(viewer, text, { budget });
  if (result.type === 'boolean') throw new Error('a query with results is needed');
  if (result.type === 'quads') return lines(result.quads, (found) => found.subject.value);
  return lines(result.solutions, (solution) => [...solution.values()].map(({ value }) => value).join(' '));
}

/** As it is read: no more than one promise between. */
function lines<Item>(items: AsyncIterable<Item>, toLine: (item: Item) => string): AsyncIterator<string> {
  const iterator = items[Symbol.asyncIterator]();
  const toResult = ({ done, value }: IteratorResult<Item>): IteratorResult<string> =>
    done === true ? { done: true, value: undefined } : { done: false, value: toLine(value) };
  return { next: () => iterator.next().then(toResult), return: () => iterator.return!().then(toResult) };
}

async function inSequence(text: string): Promise<string[]> {
  const results = await resultsOf(text);
  const found: string[] = [];
  for (let next = await results.next(); next.done !== true; next = await results.next()) found.push(next.value);
  return found;
}

const QUERIES = {
  'a few rows': 'SELECT * { ?s ?p ?o } LIMIT 3',
  'many rows': 'SELECT * { ?s ?p ?o }',
  'rows between which others have their turn': 'SELECT ?s { ?s ?p ?o . FILTER(STRENDS(STR(?s), "7")) }',
  'no row': 'SELECT * { ?s <urn:none> ?o }',
  quads: 'CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }',
  'quads that come again and again': 'CONSTRUCT { <urn:one> <urn:p> ?o } { ?s ?p ?o }',
  'described quads': 'DESCRIBE ?s { ?s ?p "3" }',
};

describe('results that are asked for before the one before has come', () => {
  it.each(Object.entries(QUERIES))('come in order, each once, and then the end: %s', async (_, text) => {
    const expected = await inSequence(text);
    const bursts = fc.array(fc.tuple(fc.integer({ min: 1, max: 700 }), fc.boolean()), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(bursts, async (sizes) => {
        const results = await resultsOf(text);
        const answers: Promise<IteratorResult<string>>[] = [];
        const order: number[] = [];
        const ask = (): void => {
          const place = answers.length;
          const answer = results.next();
          answers.push(answer);
          void answer.then(() => order.push(place));
        };
        for (const [size, waits] of sizes) {
          for (let i = 0; i < size; i++) ask();
          if (waits) await answers.at(-1);
        }
        while (answers.length <= expected.length) ask();
        const given = await Promise.all(answers);
        const values = given.flatMap(({ done, value }) => (done === true ? [] : [value as string]));
        expect(values).toEqual(expected);
        expect(given.findIndex(({ done }) => done === true)).toBe(expected.length);
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }),
      { numRuns: 15 },
    );
  });

  it('end with the failure of one, which is told once', async () => {
    const results = await resultsOf('SELECT * { ?s ?p ?o }', { maxRows: 100 });
    const outcomes = await Promise.allSettled(Array.from({ length: ROWS }, () => results.next()));
    const failures = outcomes.filter(({ status }) => status === 'rejected');
    expect(failures).toMatchObject([{ reason: { code: 'ERR_RESULT_ROWS' } }]);
    const after = outcomes.slice(outcomes.indexOf(failures[0]) + 1);
    expect(after.every((outcome) => outcome.status === 'fulfilled' && outcome.value.done === true)).toBe(true);
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });

  it('all end when the results are left', async () => {
    const results = await resultsOf('SELECT * { ?s ?p ?o }');
    expect((await results.next()).done).toBe(false);
    const asked = Array.from({ length: 300 }, () => results.next());
    await results.return?.();
    await Promise.all(asked);
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });
});

it('a long evaluation lets others run by the turn that it is given', async () => {
  let turns = 0;
  const nextTurn = async (): Promise<void> => {
    turns++;
  };
  const text = 'SELECT (COUNT(*) AS ?n) { ?a ?p ?x . ?b ?q ?y FILTER(?x != ?y) }';
  const result = await dataset.query(viewer, text, { nextTurn });
  if (result.type === 'bindings') for await (const _ of result.solutions);
  expect(turns).toBeGreaterThan(10);
});
