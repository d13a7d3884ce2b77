import { backup } from '../control/backup.ts';
import { load } from '../control/load.ts';
import type { Operation } from '../control/operation.ts';

/** Every operator's command by name. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  [backup, load].map((operation) => [operation.name, operation]),
);
