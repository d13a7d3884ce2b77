import { parameterFault } from '../parameters/read.ts';
import type { Context } from '../routing/context.ts';

/** Refuses more ids than one request may name. @throws `ERR_PARAMETER` (invalid). */
export function checkIdCount(context: Context, ids: readonly string[]): void {
  const { maxIds } = context.configuration.server.limits;
  if (ids.length > maxIds) {
    throw parameterFault(context.source, 'id', `must be given at most ${maxIds} times; got ${ids.length}`);
  }
}
