/** Tests that fail, each with its reason. The list may only shrink: a test on it that passes fails the run. */
export const KNOWN_FAILURES: ReadonlyMap<string, string> = new Map();
