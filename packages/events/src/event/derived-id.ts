import { badArgument, checkObject, checkText } from '@cairn/errors';
import { contentHash } from '../content/hash.ts';
import type { Position } from './event.ts';

/**
 * Returns the id of an event that a stage made from another: a hash of that event's place, the stage and the number of
 * the output. Running the stage again gives the same id, so consumers drop the repeat.
 * @param ordinal number of the output among those of the same input and stage, 0 and up
 */
export function derivedEventId(
  source: { readonly topic: string; readonly position: Position },
  stage: string,
  ordinal: number,
): string {
  checkObject(source, 'the source');
  checkText(source.topic, 'the topic of the source');
  checkText(source.position, 'the position of the source');
  checkText(stage, 'the stage');
  const isOrdinal = Number.isSafeInteger(ordinal) && ordinal >= 0;
  if (!isOrdinal) throw badArgument('the number of an output', 'an integer of at least 0', ordinal);
  return contentHash(JSON.stringify([source.topic, source.position, stage, ordinal]));
}
