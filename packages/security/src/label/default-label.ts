import { checkText } from '@cairn/errors';
import { BoundedMemo } from '../memo/bounded-memo.ts';
import { isEmptyLabel } from './label.ts';
import { parseStated } from './stated.ts';

/** A program has few default labels, and documents are many. */
const known = new BoundedMemo<true>(64);

/**
 * Refuses what cannot be the label of what has none of its own: a malformed one would hide all of it in silence.
 * `undefined` and the empty label, which stand for none, are taken. Cost: one look-up for a label that was seen before.
 * @param what the option as the caller knows it: `defaultLabel of index papers`
 * @throws `ERR_ARGUMENT` (invalid) for what is no text, `ERR_LABEL_SYNTAX` (invalid) with its position
 */
export function checkDefaultLabel(label: unknown, what: string): asserts label is string | undefined {
  if (label === undefined) return;
  checkText(label, what);
  const text = label as string;
  known.get(text, () => {
    if (!isEmptyLabel(text)) parseStated(text, 'ERR_LABEL_SYNTAX', `${what} is malformed`);
    return true;
  });
}
