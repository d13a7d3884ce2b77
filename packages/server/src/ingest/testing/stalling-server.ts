import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { ConfigurationInput } from '../../config/configuration.ts';

const SCRIPT = path.join(import.meta.dirname, 'stalling-server.mjs');

/** Memory of a server, and what its log does. */
export interface StallReading {
  /** Bytes that something refers to now. Resident bytes would tell as much about when the collector likes to run. */
  readonly live: number;
  /** Most of them since the log was stalled. */
  readonly peak: number;
  /** True when an upload waits for the log. */
  readonly isWaiting: boolean;
}

/** A built server in a process of its own whose log of uploads can be stalled. */
export interface StallingServer {
  readonly url: string;
  /** Of the user `alice`. */
  readonly token: string;
  /** From now on nothing that is uploaded becomes durable. */
  stall(): Promise<StallReading>;
  look(): Promise<StallReading>;
  goOn(): Promise<StallReading>;
}

/** Starts one on a data directory; it ends with the test. */
export async function startStallingServer(data: string, configuration: ConfigurationInput): Promise<StallingServer> {
  const child = fork(SCRIPT, [data, JSON.stringify(configuration)], { execArgv: ['--expose-gc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const { url, token } = await answer<{ readonly url: string; readonly token: string }>(child);
  const tell = (message: string): Promise<StallReading> => {
    child.send(message);
    return answer(child);
  };
  return { url, token, stall: () => tell('stall'), look: () => tell('look'), goOn: () => tell('go on') };
}

async function answer<Message>(child: ChildProcess): Promise<Message> {
  const done = new AbortController();
  const { signal } = done;
  const gone = once(child, 'exit', { signal }).then(([status]): never => {
    throw new Error(`the server ended with ${status}`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), gone]);
    return message as Message;
  } finally {
    done.abort();
    gone.catch(() => undefined);
  }
}
