import { createViewer, type Viewer } from '@cairn/security';
import { beforeAll, describe, expect, it } from 'vitest';
import type { StoreDataset } from '../../dataset/store-dataset.ts';
import { portAlone } from '../../testing/port-alone.ts';
import { createDatasetSchema } from '../dataset/schema.ts';
import { createPlatformSchema } from '../platform/schema.ts';
import { ask, datasetOf } from '../testing/dataset.ts';
import { createTraversalSchema } from '../traversal/schema.ts';

const NODES = 400;

let dataset: StoreDataset;

beforeAll(async () => {
  const text = Array.from({ length: NODES }, (_, i) => `:n${i} a :T ; :next :n${(i + 1) % NODES} ; :text "${i}" .`);
  dataset = await datasetOf({ '*': text.join('\n') });
});

describe('a request that would be answered by errors alone', () => {
  it('is one error where a filter of every node is none', async () => {
    const filters = Array.from({ length: 40 }, (_, i) => `f${i}: outgoing(predicate: [{ kind: URI }]) { direction }`);
    const result = await ask(createTraversalSchema(), dataset, `{ nodes { ${filters.join(' ')} } }`);
    expect(result).toEqual({
      errors: [
        {
          message: 'an answer may have 100 errors; it has more',
          extensions: { code: 'ERR_GRAPHQL_ERRORS', kind: 'exhausted' },
        },
      ],
    });
  });

  it('names each error while they are few', async () => {
    const { data, errors } = await ask(createTraversalSchema(), dataset, few(30));
    expect(errors).toHaveLength(30);
    expect(errors?.[29]).toMatchObject({ path: ['nodes', 29, 'outgoing'], message: 'a URI filter must have a value' });
    expect(data?.['nodes']).toHaveLength(30);
  });

  it('may have as many errors as the limit says', async () => {
    const limits = { maxErrors: 29 };
    const { errors } = await ask(createTraversalSchema(), dataset, few(30), { limits });
    expect(errors).toMatchObject([{ message: 'an answer may have 29 errors; it has more' }]);
    expect((await ask(createTraversalSchema(), dataset, few(29), { limits })).errors).toHaveLength(29);
  });

  it('is one error where a field fails that must not be null', async () => {
    const query = (page: string): string =>
      `{ getAllEntities${page} { outRels(limit: 300) { id } types(limit: 300) { id } } }`;
    const few = await ask(createPlatformSchema(), dataset, query('(limit: 40)'));
    expect(few.errors).toMatchObject([
      { path: ['getAllEntities', 0, 'outRels'], extensions: { code: 'ERR_GRAPHQL_PAGE' } },
    ]);
    const many = await ask(createPlatformSchema(), dataset, query(''));
    expect(many).toMatchObject({ errors: [{ extensions: { code: 'ERR_GRAPHQL_ERRORS' } }] });
  });
});

/** A filter that is none, asked of so many nodes. */
function few(count: number): string {
  const starts = Array.from({ length: count }, (_, i) => `{ kind: URI, value: "http://e/n${i}" }`).join(', ');
  return `{ nodes(starts: [${starts}]) { node { value } outgoing(predicate: [{ kind: URI }]) { direction } } }`;
}

describe('a filter', () => {
  it('is read once a request, however many nodes it is asked of', async () => {
    const values = Array.from({ length: 500 }, (_, i) => `"http://e/p${i}"`).join(',');
    const query = `{ getAllEntities { outRels(predicateFilter: {values: [${values}]}) { id } } }`;
    let lookups = 0;
    const counting = Object.assign(portAlone(dataset), {
      reader: async (viewer: Viewer) => {
        const snapshot = dataset.snapshot(viewer);
        const idOf = snapshot.idOf.bind(snapshot);
        snapshot.idOf = (term) => {
          lookups++;
          return idOf(term);
        };
        return snapshot;
      },
    });
    const { errors } = await ask(createPlatformSchema(), counting, query);
    expect(errors).toBeUndefined();
    expect(lookups).toBeLessThan(2 * 500);
  });
});

describe('an answer', () => {
  const quads = '{ quads { subject { value } predicate { value } object { value } graph { value } } }';

  it('is refused when it is sure to be too long, before it is made', async () => {
    const limits = { maxAnswerBytes: 20_000 };
    const result = await ask(createDatasetSchema(), dataset, quads, { limits });
    expect(result).toEqual({
      errors: [
        {
          message: 'an answer may have 20000 bytes; it has more',
          extensions: { code: 'ERR_GRAPHQL_ANSWER', kind: 'exhausted' },
        },
      ],
    });
  });

  it('is whole within the limit', async () => {
    const result = await ask(createDatasetSchema(), dataset, quads);
    expect(result.errors).toBeUndefined();
    expect(result.data?.['quads']).toHaveLength(3 * NODES);
  });
});

describe('of errors under one null', () => {
  it('the first by place is told, however long each took to come about', async () => {
    const hidden = Array.from({ length: 3_000 }, (_, i) => `:h${i} :to :slow . :slow :to${i} :h${i} .`).join('\n');
    const shown = ':slow a :T . :quick a :T . :x :to :slow, :quick .';
    const nodes = '{nodes(uris: ["http://e/slow", "http://e/quick"])';
    const queries = [
      `${nodes} {relFacets {inRels {predicates(nodeFilter: {values: []}) {uri}}}}}`,
      `${nodes} {relFacets {outRels {types {uri}} inRels {types(nodeFilter: {values: []}) {uri}}} outRels(limit: 0) {id}}}`,
    ];
    const viewer = createViewer({ attributes: {} });
    for (const query of queries) {
      const told = new Set<string>();
      for (const byLabel of [{ '*': shown }, { '*': shown, a: hidden }]) {
        for (let stepMs = 0.001; stepMs < 20; stepMs *= 2) {
          // New each time: what was read before is quick.
          const fresh = portAlone(await datasetOf(byLabel as Record<string, string>));
          for (const target of [fresh, await datasetOf(byLabel as Record<string, string>)]) {
            let nowMs = 0;
            const result = await ask(createPlatformSchema(), target, query, { viewer, nowMs: () => (nowMs += stepMs) });
            told.add(JSON.stringify(result.errors));
          }
        }
      }
      expect([...told]).toHaveLength(1);
      expect([...told][0]).toContain('"path":["nodes",0,');
    }
  });
});
