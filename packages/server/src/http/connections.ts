import type { Socket } from 'node:net';

/** An open connection as those beside it see it. */
export interface OpenConnection {
  readonly socket: Socket;
  /** When its last request was done, by {@link Connections.nextMoment}; `undefined` while one is in work. */
  readonly idleSince: number | undefined;
}

/** The open connections of a listener. When there are too many, the one that has been idle for longest makes room. */
export class Connections {
  readonly #max: number;
  readonly #open = new Set<OpenConnection>();
  #moment = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts moments, each later than those before. */
  readonly nextMoment = (): number => ++this.#moment;

  /** True when a new connection may be added: there are few, or one that was idle is closed for it. */
  makeRoom(): boolean {
    if (this.#open.size < this.#max) return true;
    let longest: OpenConnection | undefined;
    for (const each of this.#open) {
      if ((each.idleSince ?? Number.POSITIVE_INFINITY) < (longest?.idleSince ?? Number.POSITIVE_INFINITY))
        longest = each;
    }
    if (longest === undefined) return false;
    this.#open.delete(longest);
    longest.socket.destroy();
    return true;
  }

  add(connection: OpenConnection): void {
    this.#open.add(connection);
    connection.socket.once('close', () => this.#open.delete(connection));
  }
}
