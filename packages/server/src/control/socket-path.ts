import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Longer paths do not fit the address of a local socket. */
const MAX_SOCKET_PATH_BYTES = 100;

/** Where the control socket of a data directory is: in it, or, when that path is too long, in the temporary directory. */
export function controlSocketPath(dataDirectory: string): string {
  const inside = path.join(path.resolve(dataDirectory), 'control.sock');
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH_BYTES) return inside;
  const name = createHash('sha256').update(path.resolve(dataDirectory)).digest('hex').slice(0, 24);
  return path.join(tmpdir(), `cairn-${name}.sock`);
}

/** Returns true if a process listens on a local socket, also one that is too busy to answer. */
export function isListening(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => end(true));
    // Nobody takes more connections for the moment: somebody listens.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => end(code === 'EAGAIN'));
  });
}
