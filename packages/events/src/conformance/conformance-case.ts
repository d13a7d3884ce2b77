/**
 * One law as a case that any implementation can run, free of any test runner.
 * @typeParam Harness what a case needs of the implementation
 */
export interface ConformanceCase<Harness> {
  /** The law, as a sentence. */
  readonly name: string;
  readonly level: 'core';
  /**
   * Makes an implementation, tries the law and lets go of everything.
   * @throws an error that says what was expected when the law does not hold
   */
  run(create: () => Promise<Harness>): Promise<void>;
}

/** Cases of one harness from names and bodies; closes the harness after each, however it ended. */
export function casesOf<Harness extends { readonly dispose?: () => Promise<void> }>(
  bodies: Readonly<Record<string, (harness: Harness) => Promise<void>>>,
): readonly ConformanceCase<Harness>[] {
  return Object.entries(bodies).map(([name, body]) => ({
    name,
    level: 'core',
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
