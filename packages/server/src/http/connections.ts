import type { Socket } from 'node:net';

/** The open connections of a listener. When there are too many, the one that has been idle for longest makes room. */
export class Connections {
  readonly #max: number;
  readonly #open = new Set<Socket>();
  /** Those without a request in work, the longest idle first. */
  readonly #idle = new Set<Socket>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts a new connection. Returns false, and closes it, when every other has a request in work. */
  admit(socket: Socket): boolean {
    if (this.#open.size >= this.#max) {
      const [longest] = this.#idle;
      (longest ?? socket).destroy();
      if (longest === undefined) return false;
      this.#forget(longest);
    }
    this.#open.add(socket);
    this.#idle.add(socket);
    socket.once('close', () => this.#forget(socket));
    return true;
  }

  /** Notes when a connection has no request in work any more, and when it has one. */
  setIdle(socket: Socket, isIdle: boolean): void {
    this.#idle.delete(socket);
    if (isIdle && this.#open.has(socket)) this.#idle.add(socket);
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.#idle.delete(socket);
  }
}
