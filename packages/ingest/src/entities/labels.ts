import { isCodedError } from '@cairn/errors';
import { allOf, anyOf } from '@cairn/security';

/** The label that permits whom both permit; `!` when there is no such label. Canonical. */
export function conjunction(a: string, b: string): string {
  return orNobody(() => allOf([a, b]));
}

/** The label that permits whom at least one permits; `!` when there is no such label. A single one stays as it is. */
export function disjunction(labels: readonly string[]): string {
  return labels.length === 1 ? labels[0] : orNobody(() => anyOf(labels));
}

/** A combination that is malformed or too large for a label permits nobody. */
function orNobody(combine: () => string): string {
  try {
    return combine() || '!';
  } catch (error) {
    if (isCodedError(error)) return '!';
    throw error;
  }
}
