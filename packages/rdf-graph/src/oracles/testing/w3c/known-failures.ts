/** Tests of the suite that fail, with the reason. The list may only shrink: a listed test that passes fails the run. */
export const KNOWN_FAILURES: ReadonlyMap<string, string> = new Map<string, string>([]);
