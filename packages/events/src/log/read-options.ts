import { checkObject, checkSignal } from '@cairn/errors';
import type { ReadOptions } from './event-log.ts';
import { fromSequencePosition } from './sequence-position.ts';

/** @throws `ERR_ARGUMENT`, `ERR_POSITION_INVALID` (invalid) unless these are options of a read by numbered positions */
export function checkReadOptions(options: ReadOptions): void {
  checkObject(options, 'the options of a read');
  checkSignal(options.signal);
  if (options.after !== undefined) fromSequencePosition(options.after);
}
