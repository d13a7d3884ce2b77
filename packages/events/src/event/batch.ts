import { badArgument, checkArray, checkObject, checkPort, checkText } from '@cairn/errors';

/** @throws `ERR_ARGUMENT` (invalid) unless this is a list of events; called before any of it is appended */
export function checkBatch(batch: unknown): void {
  checkArray(batch, 'a batch');
  for (const event of batch as Iterable<unknown>) checkEvent(event);
}

function checkEvent(event: unknown): void {
  checkObject(event, 'an event');
  const { headers, key, value } = event as { headers: unknown; key: unknown; value: unknown };
  checkPort(headers, 'getAll', 'the headers of an event');
  if (key !== undefined) checkText(key, 'the key of an event');
  if (!(value instanceof Uint8Array)) throw badArgument('the value of an event', 'bytes', value);
}
