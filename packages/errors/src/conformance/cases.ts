/** How much of a port's laws an implementation keeps; each level holds the one before it. */
export type ConformanceLevel = 'core' | 'non-interference';

/**
 * One law of a port as a case that any implementation can run, free of any test runner.
 * @typeParam Harness what a case needs of the implementation
 */
export interface ConformanceCase<Harness> {
  /** The law, as a sentence. */
  readonly name: string;
  readonly level: ConformanceLevel;
  /**
   * Makes an implementation, tries the law and cleans up.
   * @throws an error that names what was expected when the law does not hold
   */
  run(create: () => Promise<Harness>): Promise<void>;
}

/** The cases of one level from names and bodies; each disposes of its harness, however it ended. */
export function casesOf<Harness extends { readonly dispose?: () => Promise<void> }>(
  level: ConformanceLevel,
  bodies: Readonly<Record<string, (harness: Harness) => Promise<void>>>,
): readonly ConformanceCase<Harness>[] {
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
