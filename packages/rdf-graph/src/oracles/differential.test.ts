import { describe, expect, it } from 'vitest';
import { writeQuad } from '../rdf/term-writer.ts';
import { randomData } from './testing/differential/data.ts';
import {
  type Answer,
  cairn,
  cairnMisled,
  cairnUnadvised,
  comunicaEngine,
  type Engine,
  oxigraphEngine,
} from './testing/differential/engines.ts';
import { randomQuery } from './testing/differential/query-generator.ts';
import { createChoices } from './testing/differential/random.ts';

const isLong = process.env['CAIRN_LONG'] !== undefined;
const CASES = Number(process.env['CAIRN_CASES'] ?? (isLong ? 5000 : 60));
const FIRST_SEED = Number(process.env['CAIRN_SEED'] ?? 1);

const REFUSED = 'refused';

/** A refusal is an answer too; its words may differ. */
async function answer(engine: Engine, ...given: Parameters<Engine>): Promise<Answer> {
  try {
    return await engine(...given);
  } catch {
    return REFUSED;
  }
}

/** Most random queries have no solution; so many more are tried for a case before an empty answer is taken. */
const ATTEMPTS = 4;

const NO_COUNTS = { same: 0, 'oracles differ': 0, 'Comunica hangs': 0 };
const COMUNICA_LIMIT_MS = 1500;

/** Comunica never ends on a few of the queries; then Oxigraph decides alone. */
async function answerOfComunica(...given: Parameters<Engine>): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), COMUNICA_LIMIT_MS);
  });
  try {
    return await Promise.race([answer(comunicaEngine, ...given), limit]);
  } finally {
    clearTimeout(timer);
  }
}

interface Difference {
  readonly seed: number;
  readonly query: string;
  readonly data: string;
  readonly answers: Readonly<Record<string, Answer | undefined>>;
}

/** Joined, Oxigraph gives a pair of a negated set once, not once for each predicate: Comunica alone can confirm ours. */
function isLeftToOxigraph(query: string, comunica: Answer | undefined): boolean {
  return query.includes('!(') && (comunica === '' || comunica === undefined);
}

/**
 * Compares one case. The oracles do not always agree with each other: ours must agree with one of them, and its plans
 * always among themselves.
 */
async function compare(seed: number): Promise<Difference | keyof typeof NO_COUNTS> {
  const choices = createChoices(seed);
  const data = randomData(choices);
  let query = randomQuery(choices);
  let ours = await answer(cairn, data, query);
  for (let attempt = 0; attempt < ATTEMPTS && ours === ''; attempt++) {
    query = randomQuery(choices);
    ours = await answer(cairn, data, query);
  }
  const unadvised = await answer(cairnUnadvised, data, query);
  const misled = await answer(cairnMisled, data, query);
  const oxigraph = await answer(oxigraphEngine, data, query);
  const plansAgree = ours === unadvised && ours === misled;
  if (plansAgree && ours === oxigraph && !isLong) return 'same';
  const comunica = await answerOfComunica(data, query);
  if (plansAgree && (ours === comunica || ours === oxigraph))
    return comunica === oxigraph ? 'same' : comunica === undefined ? 'Comunica hangs' : 'oracles differ';
  if (plansAgree && isLeftToOxigraph(query, comunica)) return 'oracles differ';
  const answers = { ours, unadvised, misled, oxigraph, comunica };
  return { seed, query, data: data.map(writeQuad).join('\n'), answers };
}

describe('random queries over random data', () => {
  it(
    `answer as Oxigraph and Comunica do, whatever the plan (${CASES} cases)`,
    async () => {
      const differences: Difference[] = [];
      const counts = { ...NO_COUNTS, different: 0 };
      for (let seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed++) {
        const outcome = await compare(seed);
        counts[typeof outcome === 'string' ? outcome : 'different']++;
        if (typeof outcome !== 'string') differences.push(outcome);
      }
      if (isLong) console.info(`differential: ${JSON.stringify(counts)}`);
      expect(differences.slice(0, 5)).toEqual([]);
    },
    isLong ? 3_600_000 : 60_000,
  );
});
