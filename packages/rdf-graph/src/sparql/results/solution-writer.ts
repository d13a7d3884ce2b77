import type { Solution } from '../../graph/port/graph-dataset.ts';

/** One syntax of solutions and booleans. */
export interface SolutionWriter {
  head(variables: readonly string[]): string;
  solution(solution: Solution, variables: readonly string[], first: boolean): string;
  /** End of the result after the last solution; where there is one, a result without it was cut short. */
  readonly tail: string;
  /** The answer of ASK. */
  boolean(value: boolean): string;
}
