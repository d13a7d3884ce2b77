import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';

/**
 * Every example runs, and prints what the block comment at its end says after `Prints:`.
 */
const directory = path.dirname(fileURLToPath(import.meta.url));
const examples = readdirSync(directory).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));

function expectedOutput(file: string): string {
  const block = /\/\*\s*Prints:\n([\s\S]*?)\*\/\s*$/.exec(readFileSync(path.join(directory, file), 'utf8'));
  if (block === null) throw new Error(`examples/${file} does not end with a comment that says what it prints`);
  return (block[1] ?? '').trim();
}

afterEach(() => vi.restoreAllMocks());

describe('examples', () => {
  for (const file of examples) {
    it(`${file} prints what it says`, async () => {
      const lines: string[] = [];
      vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
        lines.push(values.map(String).join(' '));
      });
      await import(path.join(directory, file));
      expect(lines.join('\n').trim()).toBe(expectedOutput(file));
    });
  }
  it('are there', () => expect(examples.length).toBeGreaterThan(0));
});
