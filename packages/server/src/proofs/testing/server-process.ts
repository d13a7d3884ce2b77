import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { openSigningKey } from '../../auth/keys.ts';
import type { ConfigurationInput } from '../../config/configuration.ts';
import { callServer } from '../../control/client.ts';
import { controlSocketPath } from '../../control/socket-path.ts';
import { TEST_CONFIGURATION } from '../../testing/server.ts';
import { Client } from './client.ts';
import type { Reading } from './probe.mjs';

const CLI = path.join(import.meta.dirname, '../../../dist/cli.js');
const PROBE = path.join(import.meta.dirname, 'probe.mjs');
const START_TIMEOUT_MS = 60_000;

export interface StartingProcess {
  /** Resolves when it listens and is ready. @throws when it ends before, with what it wrote to standard error. */
  readonly ready: Promise<ServerProcess>;
  kill(): Promise<void>;
}

/**
 * Starts the built command on a data directory, with the users of the test configuration. It is killed when the test
 * has ended, or when `atEnd` runs what it is given.
 */
export function startProcess(
  data: string,
  configuration: ConfigurationInput = TEST_CONFIGURATION,
  atEnd: (end: () => void) => void = onTestFinished,
): StartingProcess {
  if (!existsSync(CLI)) throw new Error(`${CLI} is not there: build the server first (npm run build:fast)`);
  const temporary = `${data}.tmp`;
  for (const directory of [data, temporary]) mkdirSync(directory, { recursive: true });
  const file = `${data}.yaml`;
  // JSON is YAML.
  writeFileSync(file, JSON.stringify(configuration));
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', PROBE, CLI, 'serve', '--data', data, '--port', '0', '--config', file],
    { env: { PATH: process.env['PATH'] ?? '', TMPDIR: temporary }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  // A test that fails does not get to stopping it.
  atEnd(() => void child.kill('SIGKILL'));
  const gone = new Promise<number | null>((resolve) => child.once('close', resolve));
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await gone;
  };
  const ready = listening(child).then((url) => new ServerProcess(url, child, data, gone));
  // Whoever kills it before it is ready does not wait for it.
  ready.catch(() => undefined);
  return { ready, kill };
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let [out, err] = ['', ''];
    const timer = setTimeout(() => reject(new Error(`not ready in time: ${err}`)), START_TIMEOUT_MS);
    child.stderr?.on('data', (chunk) => {
      err = `${err}${chunk}`.slice(-10_000);
    });
    child.stdout?.on('data', (chunk) => {
      out += chunk;
      const url = /listening on (http:\/\/\S+)\n/.exec(out)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
    child.once('close', (status) => {
      clearTimeout(timer);
      reject(new Error(`it ended with ${status}: ${err}`));
    });
  });
}

/** The built command serving a data directory in a process of its own. */
export class ServerProcess {
  readonly url: string;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #data: string;
  readonly #gone: Promise<number | null>;

  constructor(url: string, child: ChildProcess, data: string, gone: Promise<number | null>) {
    this.url = url;
    this.pid = child.pid as number;
    this.#child = child;
    this.#data = data;
    this.#gone = gone;
  }

  async as(user: string, timeoutMs?: number): Promise<Client> {
    const key = await openSigningKey(this.#data);
    const token = await key.sign(user, { nowSeconds: Math.floor(Date.now() / 1000), lifeSeconds: 86_400 });
    return new Client(this.url, token, timeoutMs);
  }

  /** Collects garbage, then measures the process. */
  measure(): Promise<Reading> {
    return new Promise((resolve) => {
      this.#child.once('message', (reading) => resolve(reading as Reading));
      this.#child.send('measure');
    });
  }

  /** Runs an operation of the command line in it; the lines of its result. */
  async operate(name: string, args: Readonly<Record<string, string>> = {}): Promise<string[]> {
    const results: string[] = [];
    const lines = await callServer(controlSocketPath(this.#data), name, args);
    if (lines === undefined) throw new Error(`nobody listens on the control socket of ${this.#data}`);
    for await (const { type, text } of lines) if (type === 'result') results.push(text);
    return results;
  }

  /** Files that it keeps in its temporary directory, and drafts in its data directory. */
  leftovers(): string[] {
    const files = readdirSync(this.#data, { recursive: true }).map(String);
    const drafts = files.filter((file) => path.basename(path.dirname(file)) === 'drafts');
    return [...readdirSync(`${this.#data}.tmp`), ...drafts];
  }

  /** SIGKILL; resolves when the process is gone. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#gone;
  }

  /** SIGTERM; the exit status. */
  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.#gone;
  }
}
