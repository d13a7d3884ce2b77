import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is removed when the test has ended. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'cairn-proof-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

/** Folders that outlive one test, removed all at once. */
export interface TestDirectories {
  make(): string;
  remove(): void;
}

/** Makes folders for several tests. */
export function testDirectories(): TestDirectories {
  const made: string[] = [];
  return {
    make() {
      const directory = mkdtempSync(path.join(tmpdir(), 'cairn-proof-'));
      made.push(directory);
      return directory;
    },
    remove() {
      for (const directory of made) rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
