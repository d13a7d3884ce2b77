import { backup } from '../control/backup.ts';
import { listLetters, retryLetters, showLetter } from '../control/dead-letters.ts';
import { forget } from '../control/forget.ts';
import { load } from '../control/load.ts';
import type { Operation } from '../control/operation.ts';
import { rebuild } from '../control/rebuild.ts';
import { verify } from '../control/verify.ts';

const ALL = [backup, forget, listLetters, load, rebuild, retryLetters, showLetter, verify];

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(ALL.map((operation) => [operation.name, operation]));
