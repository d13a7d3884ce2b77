import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namedNode } from '../rdf/terms.ts';
import { objectsOf } from './data/indexed-graph.ts';
import { readReport } from './report/read-report.ts';
import { KNOWN_FAILURES, readSuite, type SuiteTest } from './testing/w3c-suite.ts';
import { validate } from './validate.ts';
import { sh } from './vocabulary.ts';

const suites = process.env['W3C_SUITES'];
const folder = suites === undefined ? undefined : join(suites, 'shacl', 'core');

/** The results of a report as sorted lines; messages count only where the suite gives one. */
function lines(quads: Parameters<typeof readReport>[0], withMessages: boolean): string[] {
  const { conforms, results } = readReport(quads);
  const shown = results.map(({ message, ...result }) => JSON.stringify(withMessages ? { message, ...result } : result));
  return [`conforms ${conforms}`, ...shown.sort()];
}

async function run({ data, shapes, expected, report }: SuiteTest): Promise<void> {
  const outcome = await validate(data, shapes);
  const withMessages = objectsOf(expected, report, namedNode(sh('result'))).some(
    (result) => objectsOf(expected, result, namedNode(sh('resultMessage'))).length > 0,
  );
  expect(lines(outcome, withMessages)).toEqual(lines(ownReport(expected, report), withMessages));
}

/** The triples of the expected report without other reports that the file may hold as data. */
function* ownReport(graph: SuiteTest['expected'], report: SuiteTest['report']) {
  for (const quad of graph) {
    const isOther = quad.predicate.value === sh('result') || quad.predicate.value === sh('conforms');
    if (!isOther || quad.subject.equals(report)) yield quad;
  }
}

if (folder === undefined) {
  describe('W3C SHACL core', () => {
    it('is NOT run: set W3C_SUITES to the folder that holds shacl', () => {
      console.warn('W3C SHACL core: not run, for W3C_SUITES is not set');
    });
  });
} else {
  if (!existsSync(folder)) throw new Error('W3C_SUITES has no folder shacl/core');
  const tests = await readSuite(folder);

  describe('W3C SHACL core', () => {
    it('has 98 tests', () => {
      expect(new Set(tests.map(({ id }) => id)).size).toBe(98);
    });

    it('has no known failure that is not one of its tests', () => {
      const ids = new Set(tests.map(({ id }) => id));
      expect([...KNOWN_FAILURES.keys()].filter((id) => !ids.has(id))).toEqual([]);
    });

    it.each(tests)('$id', async (test) => {
      const reason = KNOWN_FAILURES.get(test.id);
      if (reason === undefined) await run(test);
      else await expect(run(test), `it passes now: take it off the list (${reason})`).rejects.toThrow();
    });
  });
}
