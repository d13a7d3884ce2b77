import type { CodedError } from '@cairn/errors';
import { allocateShared, type GraphDataset, openGraphDataset, writeResult } from '@cairn/rdf-graph';
import { createViewer } from '@cairn/security';
import { afterEach, describe, expect, it } from 'vitest';
import type { QueryTask, ShaclTask } from './protocol.ts';
import { QueryWorkers, type QueryWorkersOptions } from './query-workers.ts';

const viewer = createViewer({ attributes: { clearance: ['O'] } });
/** Joins everything with everything: more than any time limit. */
const ENDLESS = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(?a != ?d && ?c != ?i) }';
const never = new AbortController().signal;

let workers: QueryWorkers;
const open = (options: Partial<QueryWorkersOptions> = {}): QueryWorkers => {
  workers = new QueryWorkers({ workers: 1, memoryMb: 256, maxQueries: 8, ...options });
  return workers;
};
afterEach(() => workers.close());

async function openDataset(triples = 500): Promise<GraphDataset & { snapshot: Snapshots }> {
  const dataset = await openGraphDataset({ name: 'd', allocate: allocateShared, nowMs: () => performance.now() });
  const insert = async (label: string, text: string): Promise<void> =>
    dataset.apply([await dataset.evaluateUpdate(viewer, `INSERT DATA { ${text} }`, { label })]);
  await insert('*', Array.from({ length: triples }, (_, i) => `<e:${i}> <e:p${i % 7}> ${i}, "é ${i}"@en`).join('.'));
  await insert('clearance=TS', '<e:1> <e:p1> "hidden"');
  return dataset;
}
type Snapshots = Awaited<ReturnType<typeof openGraphDataset>>['snapshot'];

function taskOf(dataset: { snapshot: Snapshots }, text: string, more: Partial<QueryTask> = {}): QueryTask {
  return {
    kind: 'query',
    user: 'low',
    dataset: 'd',
    ...{ text, baseIri: undefined, defaultGraphs: undefined, namedGraphs: undefined, nowMs: 0 },
    snapshot: dataset.snapshot(viewer).share(),
    prefixes: {},
    accept: undefined,
    timeLimitMs: 60_000,
    budget: { maxRows: 1_000_000 },
    ...more,
  };
}

/** Shapes within shapes, each looked at twice: one focus node takes longer than any time limit. */
function shaclTask(user: string, depth: number): ShaclTask {
  const steps = Array.from(
    { length: depth },
    (_, i) => `:S${i} sh:xone ( :S${i + 1} :T${i + 1} ) . :T${i + 1} sh:or ( :S${i + 1} :S${i + 1} ) .`,
  );
  const text = `@prefix : <e:> . @prefix sh: <http://www.w3.org/ns/shacl#> . :S0 sh:targetNode :x .
    ${steps.join(' ')} :S${depth} sh:class :C .`;
  return {
    kind: 'shacl',
    ...{ user, dataset: 'd', snapshot: undefined, prefixes: {}, timeLimitMs: 300_000 },
    ...{ shapes: Buffer.from(text), contentType: 'text/turtle', baseIri: 'e:', graph: undefined, target: undefined },
    reportType: 'text/turtle',
  };
}

async function textOf(body: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of body) text += piece;
  return text;
}

describe('workers for queries', () => {
  it('give the same bytes as the dataset itself, of what the viewer may see', async () => {
    const dataset = await openDataset();
    open();
    for (const text of [
      'SELECT * { ?s ?p ?o } ORDER BY ?s ?p ?o',
      'ASK { ?s ?p "hidden" }',
      'SELECT (COUNT(*) AS ?n) (NOW() AS ?t) { ?s ?p ?o }',
      'CONSTRUCT { ?s <e:q> ?o } { ?s <e:p3> ?o }',
    ]) {
      const { headers, body } = await workers.answer(taskOf(dataset, text), never);
      const here = await dataset.query(viewer, text, { nowMs: 0 });
      const mediaType = here.type === 'quads' ? 'text/turtle' : 'application/sparql-results+json';
      expect(headers['Content-Type']).toContain(mediaType);
      expect(await textOf(body)).toBe(await textOf(writeResult(here, { mediaType })));
    }
    expect(workers.running).toBe(0);
  });

  it('answer small queries while one goes on', async () => {
    const dataset = await openDataset();
    open();
    const stop = new AbortController();
    const endless = workers.answer(taskOf(dataset, ENDLESS), stop.signal);
    const taken = expect(endless.then(({ body }) => textOf(body))).rejects.toMatchObject({ kind: 'cancelled' });
    const { body } = await workers.answer(taskOf(dataset, 'ASK { ?s ?p 3 }'), never);
    expect(await textOf(body)).toContain('true');
    stop.abort();
    await taken;
    expect(workers.running).toBe(0);
  });

  it('hand on syntax errors with their position, and refuse a format that nobody writes', async () => {
    const dataset = await openDataset(5);
    open();
    await expect(workers.answer(taskOf(dataset, 'SELECT * {'), never)).rejects.toMatchObject({
      code: 'ERR_SPARQL_SYNTAX',
      position: { line: 1 },
    });
    const asPicture = taskOf(dataset, 'ASK {}', { accept: 'image/png' });
    await expect(workers.answer(asPicture, never)).rejects.toMatchObject({ code: 'ERR_NOT_ACCEPTABLE' });
  });

  it('end a query at its time limit, and one whose reader has gone', async () => {
    const dataset = await openDataset();
    open();
    const { body } = await workers.answer(taskOf(dataset, ENDLESS, { timeLimitMs: 100 }), never);
    await expect(textOf(body)).rejects.toMatchObject({ code: 'ERR_TIME_LIMIT' });
    const all = await workers.answer(taskOf(dataset, 'SELECT * { ?s ?p ?o . ?a ?b ?c }'), never);
    for await (const piece of all.body) {
      expect(piece).not.toBe('');
      break;
    }
    expect(workers.running).toBe(0);
  });

  it('refuse more queries than are allowed at a time', async () => {
    const dataset = await openDataset();
    open({ maxQueries: 1 });
    const stop = new AbortController();
    const first = workers.answer(taskOf(dataset, ENDLESS), stop.signal);
    await expect(workers.answer(taskOf(dataset, 'ASK {}'), never)).rejects.toMatchObject({
      code: 'ERR_QUERY_WORKERS_BUSY',
      kind: 'overloaded',
    });
    stop.abort();
    await first.then(({ body }) => textOf(body)).catch(() => undefined);
  });

  /** Counts 36 million pairs, which takes longer than the memory of a thread lasts. */
  const INNOCENT = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f FILTER(?a != <e:none> || ?e != <e:none>) }';
  const GREEDY =
    'SELECT ?a (GROUP_CONCAT(CONCAT(STR(?o), STR(?x), ?pad)) AS ?all) { ?a ?p ?o . ?b ?q ?x BIND("0123456789012345678901234567890123456789" AS ?pad) } GROUP BY ?a';

  it('survive a query that fills their memory, and serve the next one', async () => {
    const dataset = await openDataset(3_000);
    open({ memoryMb: 64 });
    const { body } = await workers.answer(taskOf(dataset, GREEDY), never);
    await expect(textOf(body)).rejects.toMatchObject({ code: 'ERR_QUERY_MEMORY', kind: 'exhausted' });
    const next = await workers.answer(taskOf(dataset, 'ASK {}'), never);
    expect(await textOf(next.body)).toContain('true');
  });

  it('answer a query that ran beside such a one elsewhere, and end the one that took the memory', async () => {
    const dataset = await openDataset(3_000);
    open({ memoryMb: 64 });
    const bodies = await Promise.all(
      [INNOCENT, GREEDY].map(async (text) => {
        // Memory is to run out before time does, however slow the machine.
        return (await workers.answer(taskOf(dataset, text, { timeLimitMs: 300_000 }), never)).body;
      }),
    );
    const [innocent, greedy] = await Promise.allSettled(bodies.map(textOf));
    expect(greedy).toMatchObject({ reason: { code: 'ERR_QUERY_MEMORY', kind: 'exhausted' } });
    expect(innocent).toMatchObject({ status: 'fulfilled' });
    expect((innocent as PromiseFulfilledResult<string>).value).toContain('"36000000"');
    expect(workers.running).toBe(0);
  });

  const ALL = 'SELECT * { ?s ?p ?o } ORDER BY ?s ?p ?o';
  const workerUrl = new URL('testing/sticking-worker.mjs', import.meta.url);

  it('tell of damage that a thread finds, at once or while its answer is read', async () => {
    const dataset = await openDataset();
    const told: unknown[] = [];
    const onFailure = (name: string, error: unknown) => void told.push([name, (error as CodedError).code]);
    open({ workerUrl: new URL('testing/damaged-worker.mjs', import.meta.url), onFailure });
    const corrupt = { code: 'ERR_GRAPH_SNAPSHOT', kind: 'corrupt' };
    await expect(workers.answer(taskOf(dataset, 'ASK {}'), never)).rejects.toMatchObject(corrupt);
    expect(told).toEqual([['d', 'ERR_GRAPH_SNAPSHOT']]);
    const { body } = await workers.answer(taskOf(dataset, 'ASK {} # late'), never);
    await expect(textOf(body)).rejects.toMatchObject(corrupt);
    expect(told).toEqual([1, 2].map(() => ['d', 'ERR_GRAPH_SNAPSHOT']));
  });

  it('end a thread that sticks in what was cancelled, and answer elsewhere what it had not begun to answer', async () => {
    const dataset = await openDataset(3_000);
    open({ workerUrl });
    const whole = await textOf((await workers.answer(taskOf(dataset, ALL), never)).body);
    const begun = await workers.answer(taskOf(dataset, ALL), never);
    const taken = await workers.answer(taskOf(dataset, ALL), never);
    const takenBody = taken.body[Symbol.asyncIterator]();
    expect((await takenBody.next()).value.length).toBeLessThan(whole.length);
    const stop = new AbortController();
    const stuck = workers.answer(taskOf(dataset, 'ASK {} # stick'), stop.signal);
    stop.abort();
    await expect(stuck).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
    const outcome = expect(takenBody.next()).rejects.toMatchObject({ code: 'ERR_QUERY_WORKER', kind: 'unavailable' });
    expect(await textOf(begun.body)).toBe(whole);
    await outcome;
    expect(workers.running).toBe(0);
  });

  it('end a thread that sticks beyond the time limit, and answer its other queries elsewhere', async () => {
    const dataset = await openDataset();
    open({ workerUrl });
    const whole = await textOf((await workers.answer(taskOf(dataset, ALL), never)).body);
    const stuck = workers.answer(taskOf(dataset, 'ASK {} # stick', { timeLimitMs: 100 }), never);
    const other = workers.answer(taskOf(dataset, ALL), never).then(({ body }) => textOf(body));
    await expect(stuck).rejects.toMatchObject({ code: 'ERR_TIME_LIMIT', kind: 'timeout' });
    expect(await other).toBe(whole);
    expect(workers.running).toBe(0);
  });

  /** Begins work, and tells how it ends: nothing here waits for it. */
  function begin(tasks: readonly (QueryTask | ShaclTask)[], signal: AbortSignal): Promise<string[]> {
    const end = async (task: QueryTask | ShaclTask): Promise<string> =>
      workers.answer(task, signal).then(
        ({ body }) => textOf(body).catch((error: CodedError) => error.code),
        (error: CodedError) => error.code,
      );
    return Promise.all(tasks.map(end));
  }

  it('leave places for others, however many queries one user begins', async () => {
    const dataset = await openDataset(50);
    open();
    const stop = new AbortController();
    const of = (user: string, times: number): QueryTask[] =>
      Array.from({ length: times }, () => taskOf(dataset, ENDLESS, { user }));
    const low = begin(of('low', 20), stop.signal);
    expect(workers.running).toBe(6);
    const other = begin(of('other', 20), stop.signal);
    expect(workers.running).toBe(7);
    const { body } = await workers.answer(taskOf(dataset, 'ASK { ?s ?p 3 }', { user: 'third' }), never);
    expect(await textOf(body)).toContain('true');
    stop.abort();
    const refused = async (ends: Promise<string[]>): Promise<number> =>
      (await ends).filter((code) => code === 'ERR_USER_BUSY').length;
    expect([await refused(low), await refused(other)]).toEqual([14, 19]);
    expect(workers.running).toBe(0);
  });

  it('share what most may have among the users who hold some', async () => {
    const dataset = await openDataset(50);
    open({ maxQueries: 16 });
    const stop = new AbortController();
    const ends = ['low', 'other', 'third'].map((user) => begin([taskOf(dataset, ENDLESS, { user })], stop.signal));
    ends.push(
      begin(
        Array.from({ length: 9 }, () => taskOf(dataset, ENDLESS)),
        stop.signal,
      ),
    );
    expect(workers.running).toBe(3 + 3);
    stop.abort();
    await Promise.all(ends);
  });

  it('go round by user first: one query of a user ends before five of another that began before it', async () => {
    const dataset = await openDataset(400);
    open({ workerUrl: new URL('testing/together-worker.mjs', import.meta.url) });
    const ended: string[] = [];
    const text = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f FILTER(?a != <e:none> || ?e != <e:none>) }';
    const run = async (user: string): Promise<void> => {
      await textOf((await workers.answer(taskOf(dataset, text, { user }), never)).body);
      ended.push(user);
    };
    await Promise.all([...Array.from({ length: 5 }, () => run('low')), run('other')]);
    // By query in turn, `other` would be the last of six; by user it has half of the thread, and each of five a tenth.
    expect(ended).toEqual(['other', 'low', 'low', 'low', 'low', 'low']);
  });

  it('answer queries and validations of others beside validations that do not end', async () => {
    const dataset = await openDataset(50);
    open({ maxQueries: 16 });
    const stop = new AbortController();
    let isEnded = false;
    const endless = begin(
      Array.from({ length: 4 }, () => shaclTask('low', 30)),
      stop.signal,
    );
    void endless.then(() => {
      isEnded = true;
    });
    const answers = await begin(
      [
        taskOf(dataset, 'ASK { ?s ?p 3 }', { user: 'other' }),
        taskOf(dataset, 'ASK { ?s ?p 3 }'),
        shaclTask('other', 3),
      ],
      never,
    );
    expect(answers).toEqual([
      expect.stringContaining('true'),
      expect.stringContaining('true'),
      expect.stringContaining('conforms'),
    ]);
    expect(isEnded).toBe(false);
    stop.abort();
    expect(await endless).toEqual(Array(4).fill('ERR_CANCELLED'));
    expect(workers.running).toBe(0);
  });

  it('begin a validation that waits when a thread is free, and refuse it when none was in time', async () => {
    open();
    const stop = new AbortController();
    const endless = begin([shaclTask('low', 30)], stop.signal);
    const refused = begin([{ ...shaclTask('low', 3), timeLimitMs: 50 }], never);
    expect(await refused).toEqual(['ERR_QUERY_WORKERS_BUSY']);
    const waiting = begin([shaclTask('low', 3)], never);
    stop.abort();
    expect(await waiting).toEqual([expect.stringContaining('conforms')]);
    await endless;
  });

  it('fail what they are at when they are closed', async () => {
    const dataset = await openDataset();
    open();
    const { body } = await workers.answer(taskOf(dataset, ENDLESS), never);
    const taken = expect(textOf(body)).rejects.toMatchObject({ kind: 'cancelled' });
    await workers.close();
    await taken;
  });
});
