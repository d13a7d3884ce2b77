import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import type { StoreDataset } from '../dataset/store-dataset.ts';
import { writeQuad } from '../rdf/term-writer.ts';
import { parseSparql } from '../sparql/parse/parser.ts';
import { type Answer, answerTo, MISLED, openLabelled, UNADVISED } from './testing/differential/engines.ts';
import { createChoices } from './testing/differential/random.ts';
import { randomQuads } from './testing/specification/data.ts';
import { randomQuery } from './testing/specification/query-generator.ts';
import { answerOfSpecification } from './testing/specification/reference.ts';

const isLong = process.env['CAIRN_LONG'] !== undefined;
/** The normal run ends after this time, however many cases it has tried. */
const NORMAL_MS = 30_000;
const CASES = Number(process.env['CAIRN_CASES'] ?? (isLong ? 20_000 : 1_500));
const FIRST_SEED = Number(process.env['CAIRN_SEED'] ?? 1);

const LABELS = ['*', 'team=red', 'team=blue'];
const RED = createViewer({ attributes: { team: ['red'] } });

/** Queries over the same quads: to store them takes longer than to ask. */
const QUERIES_PER_DATASET = 10;

function isSparql(query: string): boolean {
  try {
    parseSparql(query);
    return true;
  } catch {
    return false;
  }
}

/** Random queries over random quads, and the answers that differ. */
class Comparison {
  tried = 0;
  withSolutions = 0;
  readonly differences: object[] = [];

  async compare(seed: number): Promise<void> {
    const choices = createChoices(seed);
    const quads = randomQuads(choices, LABELS);
    const visible = quads.filter(({ label }) => label !== 'team=blue').map(({ quad }) => quad);
    const dataset = await openLabelled(quads);
    for (let i = 0; i < QUERIES_PER_DATASET; i++) {
      const query = randomQuery(choices);
      if (!isSparql(query)) continue;
      const expected = answerOfSpecification(visible, query);
      this.tried++;
      if (!['', 'false'].includes(expected)) this.withSolutions++;
      const found = await answers(dataset, query);
      if (Object.values(found).every((answer) => answer === expected)) continue;
      const data = quads.map(({ quad, label }) => `${label} ${writeQuad(quad)}`).join('\n');
      this.differences.push({ seed, query, data, expected, ...found });
    }
  }
}

async function answers(dataset: StoreDataset, query: string): Promise<Record<string, Answer>> {
  const found: Record<string, Answer> = {};
  for (const [name, statistics] of Object.entries({ ours: undefined, UNADVISED, MISLED })) {
    found[name] = await answerTo(RED, dataset, query, statistics).catch((error: unknown) => String(error));
  }
  return found;
}

describe('random queries over labelled data', () => {
  it(
    `answer as section 18 of the standard says over the visible quads, whatever the plan (${CASES} cases)`,
    async () => {
      const comparison = new Comparison();
      const until = isLong ? Number.POSITIVE_INFINITY : performance.now() + NORMAL_MS;
      for (let seed = FIRST_SEED; comparison.tried < CASES && performance.now() < until; seed++) {
        await comparison.compare(seed);
      }
      const { tried, withSolutions, differences } = comparison;
      if (isLong) console.info(`specification: ${tried} queries, ${withSolutions} with solutions`);
      expect(withSolutions).toBeGreaterThan(tried / 5);
      expect(differences.slice(0, 5)).toEqual([]);
    },
    isLong ? 3_600_000 : 4 * NORMAL_MS,
  );
});
