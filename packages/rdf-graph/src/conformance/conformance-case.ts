import type { GraphDataset } from '../port/graph-dataset.ts';

/** What the cases need of an implementation. */
export interface GraphDatasetHarness {
  /** An empty dataset. */
  readonly open: () => Promise<GraphDataset>;
  /** For durable ones: flushes and closes a dataset, then opens what it stored. Without it those laws are not tried. */
  readonly reopen?: (dataset: GraphDataset) => Promise<GraphDataset>;
  /** Called once after the case, also when it failed. */
  readonly dispose?: () => Promise<void>;
}

/** How much of the port's laws an implementation keeps. */
export type ConformanceLevel = 'core' | 'non-interference';

/** One law as a case that any implementation can run, free of any test runner. */
export interface ConformanceCase {
  /** The law, as a sentence. */
  readonly name: string;
  readonly level: ConformanceLevel;
  /**
   * Makes an implementation, tries the law and lets go of everything.
   * @throws an error that says what was expected when the law does not hold
   */
  run(create: () => Promise<GraphDatasetHarness>): Promise<void>;
}

/** Cases of one level from names and bodies. */
export function casesOf(
  level: ConformanceLevel,
  bodies: Readonly<Record<string, (harness: GraphDatasetHarness) => Promise<void>>>,
): readonly ConformanceCase[] {
  return Object.entries(bodies).map(([name, body]) => ({
    name,
    level,
    async run(create) {
      const harness = await create();
      try {
        await body(harness);
      } finally {
        await harness.dispose?.();
      }
    },
  }));
}
