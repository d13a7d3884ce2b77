import { VerifiedData, verifyStoredData } from '../verification/stored-data.ts';
import type { Difference } from './contents.ts';

export interface CopyLine {
  readonly text: string;
  readonly isDamage: boolean;
}

/**
 * Reads a copy of a data directory whole, and names what is wrong with it, once a file; at the end, unless anything is,
 * what was verified. Cost: reads everything.
 * @param known what is known of it before
 */
export async function* verifyCopy(directory: string, known: readonly Difference[]): AsyncGenerator<CopyLine> {
  const reasons = new Map(known.map(({ file, reason }) => [file, reason]));
  const verified = new VerifiedData();
  let isWhole = true;
  for await (const { area, what, reason } of verifyStoredData({ directory }, verified)) {
    if (area === 'cut') continue;
    const before = reasons.get(what);
    reasons.delete(what);
    isWhole = false;
    yield damageLine(what, before === undefined ? reason : `${before}; ${reason}`);
  }
  for (const [file, reason] of reasons) yield damageLine(file, reason);
  if (!isWhole || known.length > 0) return;
  yield { text: `verified: ${verified.events} events and ${verified.blobs} values`, isDamage: false };
}

export function damageLine(file: string, reason: string): CopyLine {
  return { text: `damaged: ${file}: ${reason}`, isDamage: true };
}
