/** How often a property runs: few times in CI, all under `CAIRN_LONG=1`. */
export function runs(inCi: number, full: number): { readonly numRuns: number } {
  return { numRuns: process.env['CAIRN_LONG'] === '1' ? full : inCi };
}
