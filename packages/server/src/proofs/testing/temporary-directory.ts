import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is removed when the test has ended. */
export function temporaryDirectory(): string {
  const directories = testDirectories();
  onTestFinished(directories.remove);
  return directories.make();
}

/** Folders that outlive one test, removed all at once. */
export interface TestDirectories {
  readonly make: () => string;
  readonly remove: () => void;
}

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
