import { createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../../dataset/open.ts';
import { SLICE_WORK } from '../../graph/store/scheduler.ts';
import { parseSparql, type Syntax } from '../parse/parser.ts';
import { compileQuery, prepareQuery } from '../query/prepare.ts';
import { PlanningWork } from './planning-work.ts';

const viewer = createViewerOfEverything();
const MANY = 1_000;
const statistics = { rowsOf: () => 10 };

const list = (one: (at: number) => string, count: number): string =>
  Array.from({ length: count }, (_, at) => one(at)).join(' ');

/** Groups that are long in different ways; every variable is wanted in the end. */
const LONG_GROUPS: readonly (readonly [name: string, group: string])[] = [
  ['patterns that share a variable', list((at) => `?s ?p${at} ?o${at} .`, MANY)],
  ['patterns in a chain', list((at) => `?s${at} <urn:p> ?s${at + 1} .`, MANY)],
  ['patterns that share nothing', list((at) => `?s${at} ?p${at} ?o${at} .`, MANY)],
  ['OPTIONALs', `?s ?p ?o ${list((at) => `OPTIONAL { ?s ?p${at} ?o${at} }`, MANY / 2)}`],
  ['UNIONs', list((at) => `{ ?s ?p${at} ?o${at} } UNION { ?s ?q${at} ?o${at} }`, MANY / 4)],
  ['VALUES', list((at) => `VALUES ?v${at} { 1 2 }`, MANY)],
  ['paths', list((at) => `?s${at} <urn:p>+ ?s${at + 1} .`, MANY)],
  ['sub-queries', list((at) => `{ SELECT * { ?s ?p${at} ?o${at} } }`, MANY / 4)],
];

/** Plans a SELECT of a group; the most steps that one slice took, and all. */
function plan(group: string, work: PlanningWork = new PlanningWork()): { longest: number; all: number } {
  const syntax = parseSparql(`SELECT * { ${group} }`) as Extract<Syntax, { type: 'query' }>;
  const slices = compileQuery(prepareQuery(syntax), statistics, work);
  for (let longest = 0; ; ) {
    const before = work.spent;
    const { done } = slices.next();
    longest = Math.max(longest, work.spent - before);
    if (done) return { longest, all: work.spent };
  }
}

describe('planning a long query', () => {
  it.each(LONG_GROUPS)('goes in short slices: %s', (_, group) => {
    const { longest, all } = plan(group);
    expect(all).toBeGreaterThan(SLICE_WORK);
    // A slice ends with the step that fills it.
    expect(longest).toBeLessThan(2 * SLICE_WORK);
  });

  it('ends where it takes more steps than planning may', () => {
    const work = new PlanningWork(10_000);
    expect(() => plan(LONG_GROUPS[0][1], work)).toThrow(expect.objectContaining({ code: 'ERR_QUERY_WORK' }));
  });

  it('is refused the third time as it was the first: a remembered plan costs what it cost', async () => {
    const dataset = await openGraphDataset({ name: 'plans' });
    const text = `SELECT * { ${LONG_GROUPS[0][1]} }`;
    const run = async (maxSolutionWork?: number) => {
      const result = await dataset.query(viewer, text, { budget: { maxSolutionWork } });
      return result.type;
    };
    const refused = expect.objectContaining({ code: 'ERR_QUERY_WORK', kind: 'exhausted' });
    await expect(run(10_000)).rejects.toEqual(refused);
    for (let time = 0; time < 3; time++) expect(await run()).toBe('bindings');
    await expect(run(10_000)).rejects.toEqual(refused);
  });

  it('lets others in while an update is planned whose template wants every variable', async () => {
    const dataset = await openGraphDataset({ name: 'plans' });
    const triples = list((at) => `?s${at} ?p${at} ?o${at} .`, MANY);
    let turns = 0;
    let isPlanned = false;
    const count = (): void => {
      turns += 1;
      if (!isPlanned) setImmediate(count);
    };
    const text = `INSERT { ${triples} } WHERE { ${triples} }`;
    const update = dataset.evaluateUpdate(viewer, text, { label: '*' });
    setImmediate(count);
    expect(await update).toEqual({ additions: [], deletions: [] });
    isPlanned = true;
    // Its thirteen million steps are more than fifty slices.
    expect(turns).toBeGreaterThan(40);
  });
});
