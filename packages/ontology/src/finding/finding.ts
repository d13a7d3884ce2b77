import { badArgument, checkArray } from '@cairn/errors';

/** How much a finding matters. An `error` makes the thing wrong, a `warning` doubtful; a `note` is good to know. */
export type Severity = 'error' | 'warning' | 'note';

/** One thing that a rule found. Findings are values: nothing here throws because of what an author wrote. */
export interface Finding {
  /** Name of the rule: `style-colour`. Stable across releases. */
  readonly rule: string;
  readonly severity: Severity;
  /** The resource it is about, as an IRI or `_:label`; empty for a style that was checked by itself. */
  readonly subject: string;
  /** What, the value and what was expected. */
  readonly message: string;
  /** 1-based line in the source, where the syntax tells. */
  readonly line?: number | undefined;
  /** For styles: the path of the field, `defaultStyles.dark.color`. */
  readonly path?: string | undefined;
  /** Suggested replacement, where one is known. */
  readonly correction?: string | undefined;
}

const RANK: Readonly<Record<Severity, number>> = { error: 2, warning: 1, note: 0 };

/** Returns true if any finding is at least as severe as a threshold. */
export function hasSeverity(findings: readonly Finding[], threshold: Severity): boolean {
  checkArray(findings, 'the findings');
  if (!Object.hasOwn(RANK, threshold)) throw badArgument('the severity', Object.keys(RANK).join(', '), threshold);
  return findings.some(({ severity }) => RANK[severity] >= RANK[threshold]);
}
