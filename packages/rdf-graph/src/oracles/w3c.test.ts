import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KNOWN_FAILURES } from './testing/w3c/known-failures.ts';
import { readSuite } from './testing/w3c/manifest.ts';
import { createEngine, runTest } from './testing/w3c/runner.ts';

const suites = process.env['W3C_SUITES'];
const folder = suites === undefined ? undefined : join(suites, 'sparql11');

if (folder === undefined) {
  describe('W3C SPARQL 1.1', () => {
    it('is NOT run: set W3C_SUITES to the folder that holds sparql11', () => {
      console.warn('W3C SPARQL 1.1: not run, for W3C_SUITES is not set');
    });
  });
} else {
  if (!existsSync(folder)) throw new Error('W3C_SUITES has no folder sparql11');
  const tests = await readSuite(folder);

  describe('W3C SPARQL 1.1', () => {
    it('has the tests that can run offline', () => {
      expect(tests).toHaveLength(498);
      expect(new Set(tests.map(({ id }) => id)).size).toBe(498);
    });

    it('has no known failure that is not one of its tests', () => {
      const ids = new Set(tests.map(({ id }) => id));
      expect([...KNOWN_FAILURES.keys()].filter((id) => !ids.has(id))).toEqual([]);
    });

    it.each(tests)('$id', async (test) => {
      const reason = KNOWN_FAILURES.get(test.id);
      const run = async (): Promise<void> => runTest(test, await createEngine());
      if (reason === undefined) await run();
      else await expect(run(), `it passes now: take it off the list (${reason})`).rejects.toThrow();
    });
  });
}
