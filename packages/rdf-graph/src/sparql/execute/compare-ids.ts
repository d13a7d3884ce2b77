import { type TermId, TermKind, UNBOUND } from '../../graph/port/term-kind.ts';
import { compareForOrder } from '../functions/order.ts';
import type { Execution } from './execution.ts';
import { LOCAL_BASE } from './local-terms.ts';

/**
 * The order of ORDER BY between two ids, 0 standing for unbound. Plain numbers are compared as doubles and texts of one
 * kind by their bytes, whose order is that of code points; everything else by the function library.
 */
export function compareIds(execution: Execution, a: TermId, b: TermId): number {
  if (a === b) return 0;
  if (a < LOCAL_BASE && b < LOCAL_BASE) {
    const kind = execution.dictionary.kind(a);
    const isText = kind === TermKind.string || kind === TermKind.iri || kind === TermKind.blankNode;
    if (isText && kind === execution.dictionary.kind(b)) return execution.dictionary.compareText(a, b, execution.work);
  }
  const difference = execution.numbers.value(a) - execution.numbers.value(b);
  if (!Number.isNaN(difference)) return difference;
  execution.work.note(STEPS_PER_TERM + (bytesOfText(execution, a) + bytesOfText(execution, b)) / BYTES_PER_STEP);
  return compareForOrder(a === UNBOUND ? undefined : execution.term(a), b === UNBOUND ? undefined : execution.term(b));
}

/** Bytes that are decoded in about ten nanoseconds. */
const BYTES_PER_STEP = 8;

/** Making two terms and finding their values. */
const STEPS_PER_TERM = 100;

function bytesOfText(execution: Execution, id: TermId): number {
  return id >= LOCAL_BASE ? execution.locals.term(id).value.length : execution.dictionary.textBytes(id);
}
