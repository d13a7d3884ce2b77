import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { namedNode, quad } from '../rdf/terms.ts';
import { integerLiteral } from '../sparql/functions/numeric.ts';
import { randomData } from './testing/differential/data.ts';
import { type Answer, cairn, cairnWithin, type Engine } from './testing/differential/engines.ts';
import { randomQuery } from './testing/differential/query-generator.ts';
import { createChoices } from './testing/differential/random.ts';

const CASES = Number(process.env['CAIRN_CASES'] ?? (process.env['CAIRN_LONG'] === undefined ? 150 : 5_000));
const FIRST_SEED = Number(process.env['CAIRN_SEED'] ?? 1);
const LIMITS = [256, 2_048, 8_192, 65_536];

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The answer, or the code of the error. */
async function answer(engine: Engine, quads: readonly RDF.Quad[], query: string): Promise<Answer> {
  try {
    return await engine(quads, query);
  } catch (error) {
    return String((error as { code?: string }).code ?? error);
  }
}

describe('the memory of a query', () => {
  it(`ends with its error or changes no answer, however little there is (${CASES} cases)`, async () => {
    const outcomes = { right: 0, ended: 0 };
    for (let seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed++) {
      const choices = createChoices(seed);
      const data = randomData(choices);
      const query = randomQuery(choices);
      const expected = await answer(cairn, data, query);
      for (const bytes of LIMITS) {
        const given = await answer(cairnWithin(bytes), data, query);
        if (given !== 'ERR_QUERY_MEMORY') expect(given, query).toBe(expected);
        outcomes[given === 'ERR_QUERY_MEMORY' ? 'ended' : 'right'] += 1;
      }
    }
    expect(outcomes.ended).toBeGreaterThan(0);
    expect(outcomes.right).toBeGreaterThan(0);
  }, 600_000);

  const PATTERNS = Array.from({ length: 1_000 }, (_, i) => `?s${i} ?p${i} ?o${i}`).join(' . ');
  const PRODUCT = '?a ?b ?c . ?d ?e ?f . ?g ?h ?i';

  it.each([
    `SELECT * { ${PATTERNS} }`,
    `SELECT * { ${PRODUCT} } ORDER BY ?c ?f ?i`,
    `SELECT * { ${PRODUCT} } ORDER BY ?c ?f ?i LIMIT 5000000`,
    `SELECT (COUNT(DISTINCT *) AS ?n) { ${PRODUCT} }`,
    `SELECT ?a ?d ?g (MAX(?c) AS ?m) (GROUP_CONCAT(?f) AS ?x) { ${PRODUCT} } GROUP BY ?a ?d ?g`,
    `SELECT (COUNT(*) AS ?n) { ${PRODUCT} BIND(CONCAT(STR(?a), STR(?d), STR(?g)) AS ?t) }`,
    `SELECT (COUNT(*) AS ?n) { ?a ?b ?c { SELECT * { ${PRODUCT} } LIMIT 5000000 } }`,
  ])(
    'is what the process holds, within a factor: %s',
    async (query) => {
      const limit = 32 * 1024 * 1024;
      const quads = Array.from({ length: 600 }, (_, i) =>
        quad(namedNode(`urn:s:${i}`), namedNode(`urn:p:${i % 7}`), integerLiteral(i)),
      );
      const before = held();
      let peak = before;
      const watch = setInterval(() => {
        peak = Math.max(peak, held());
      }, 250);
      expect(await answer(cairnWithin(limit), quads, query)).toBe('ERR_QUERY_MEMORY');
      clearInterval(watch);
      expect(peak - before, 'bytes').toBeLessThan(4 * limit);
    },
    120_000,
  );
});

function held(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
