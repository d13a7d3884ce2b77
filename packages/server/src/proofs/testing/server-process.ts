import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { openSigningKey } from '../../auth/keys.ts';
import type { ConfigurationInput } from '../../config/configuration.ts';
import { callServer } from '../../control/client.ts';
import { controlSocketPath } from '../../control/socket-path.ts';
import { TEST_CONFIGURATION } from '../../testing/server.ts';
import { type Client, createClient } from './client.ts';
import type { Reading } from './probe.mjs';

const CLI = path.join(import.meta.dirname, '../../../dist/cli.js');
const PROBE = path.join(import.meta.dirname, 'probe.mjs');
const START_TIMEOUT_MS = 60_000;

/** The built command serving a data directory in a process of its own. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  as(user: string, timeoutMs?: number): Promise<Client>;
  /** Collects garbage, then measures the process. */
  measure(): Promise<Reading>;
  /** Runs an operation of the command line in it; the lines of its result. */
  operate(name: string, args?: Readonly<Record<string, string>>): Promise<string[]>;
  /** Files that it keeps in its temporary directory, and drafts in its data directory. */
  leftovers(): string[];
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM; the exit status. */
  stop(): Promise<number | null>;
}

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
  const ready = listening(child).then((url) => toServerProcess(child, url, data, gone, kill));
  // Whoever kills it before it is ready does not wait for it.
  ready.catch(() => undefined);
  return { ready, kill };
}

function isDraft(file: string | Buffer): boolean {
  return path.basename(path.dirname(String(file))) === 'drafts';
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

function toServerProcess(
  child: ChildProcess,
  url: string,
  data: string,
  gone: Promise<number | null>,
  kill: () => Promise<void>,
): ServerProcess {
  return {
    url,
    pid: child.pid as number,
    async as(user, timeoutMs) {
      const key = await openSigningKey(data);
      const token = await key.sign(user, { nowSeconds: Math.floor(Date.now() / 1000), lifeSeconds: 86_400 });
      return createClient(url, token, timeoutMs);
    },
    measure: () =>
      new Promise((resolve) => {
        child.once('message', (reading) => resolve(reading as Reading));
        child.send('measure');
      }),
    async operate(name, args = {}) {
      const results: string[] = [];
      const lines = await callServer(controlSocketPath(data), name, args);
      if (lines === undefined) throw new Error(`nobody listens on the control socket of ${data}`);
      for await (const { type, text } of lines) if (type === 'result') results.push(text);
      return results;
    },
    leftovers: () => [
      ...readdirSync(`${data}.tmp`),
      ...readdirSync(data, { recursive: true }).filter(isDraft).map(String),
    ],
    kill,
    stop() {
      child.kill('SIGTERM');
      return gone;
    },
  };
}
