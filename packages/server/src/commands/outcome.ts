import { isCodedError } from '@cairn/errors';
import type { FileSystem } from '@cairn/storage-fs';
import type { Environment } from '../config/environment.ts';
import type { OperationLine } from '../control/operation.ts';
import { isSystemError } from '../operations/file-access.ts';

export const EXIT = { ok: 0, failure: 1, usage: 2 } as const;

/** Where a command writes; standard output and standard error unless a test hands in others. */
export interface Console {
  /** A result, for programs to read. */
  out(line: string): void;
  /** A message, for people. */
  err(line: string): void;
}

export interface CommandContext {
  readonly environment: Environment;
  readonly console: Console;
  /** Where data directories are, for commands that open one to change or back it up. Default the file system of the machine. */
  readonly fileSystem?: FileSystem | undefined;
}

/**
 * Ends the process quietly when who reads its results has had enough, as in `cairn --help | head -1`. Messages that
 * nobody reads any more, or for which there is no room, are dropped.
 */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT.ok);
  });
  process.stderr.on('error', () => undefined);
}

export const processConsole: Console = {
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
};

/** Writes the lines of an operation as they come; the exit status. */
export async function printLines(lines: AsyncIterable<OperationLine>, console: Console): Promise<number> {
  for await (const { type, text } of lines) {
    if (type === 'result') console.out(text);
    else console.err(text);
  }
  return EXIT.ok;
}

const USAGE_CODES = new Set(['ERR_CONFIGURATION', 'ERR_ROUTE_CONFIG', 'ERR_USAGE', 'ERR_ATTRIBUTES']);

/** Tells people about an error, and returns the exit status it deserves. */
export function reportError(error: unknown, console: Console): number {
  if (!isCodedError(error)) {
    console.err(`cairn: ${describeForeign(error)}`);
    return EXIT.failure;
  }
  for (const line of error.message.split('\n')) console.err(`cairn: ${line}`);
  return USAGE_CODES.has(error.code) ? EXIT.usage : EXIT.failure;
}

function describeForeign(error: unknown): string {
  // What the system refused says which file and why; a stack is for defects.
  if (isSystemError(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
