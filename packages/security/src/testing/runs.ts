import { vi } from 'vitest';

const isLong = process.env['CAIRN_LONG'] === '1';

if (isLong) vi.setConfig({ testTimeout: 30 * 60_000 });

/** Returns how often a property runs: few times in CI, all under `CAIRN_LONG=1`. */
export function runs(inCi: number, full: number): { readonly numRuns: number } {
  return { numRuns: isLong ? full : inCi };
}
