import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { OpenConnection } from './connections.ts';
import type { ReadingTurns } from './reading-turns.ts';

/** Requests of one connection that may wait for their answers before its next one is read. */
const MAX_UNANSWERED = 16;

/** Listeners to the signal of one connection: more tell of one that is not taken away, and Node warns of it. */
const MAX_LISTENERS = 4 * MAX_UNANSWERED;

/** Ends the headers of a request, and a body in chunks: no piece of bytes up to it begins two requests. */
const BLANK_LINE = Buffer.from('\r\n\r\n');
const LF = 10;
const CR = 13;

/**
 * A connection whose bytes reach the parser of node:http request by request. The parser itself takes all that has
 * arrived, thousands of pipelined requests in a stretch. Here each request waits for the turn of its connection.
 */
export class Connection implements OpenConnection {
  readonly socket: Socket;
  idleSince: number | undefined;
  readonly #turns: ReadingTurns;
  readonly #nextMoment: () => number;
  /** Hands bytes on to the parser. */
  readonly #handOn: (chunk: Buffer | null) => boolean;
  /** Bytes that have arrived and were not handed on: about a read of the socket, since nothing is read meanwhile. */
  readonly #held: Buffer[] = [];
  #isEnded = false;
  #begun = 0;
  #unanswered = 0;
  /** The request that was begun last, and how much of its body is still to come, where it says. */
  #current: IncomingMessage | undefined;
  #bodyLeft = 0;
  #leaving: AbortController | undefined;

  constructor(socket: Socket, turns: ReadingTurns, nextMoment: () => number) {
    this.socket = socket;
    this.idleSince = nextMoment();
    this.#turns = turns;
    this.#nextMoment = nextMoment;
    this.#handOn = socket.push.bind(socket);
    const readOn = socket._read.bind(socket);
    socket.push = (chunk: Buffer | null) => this.#take(chunk);
    socket._read = (size) => {
      if (this.#held.length === 0) readOn(size);
    };
    // node:http has bound the parser to the handle beside the stream; who listens to the data unbinds it.
    const unbind = (): void => undefined;
    socket.on('data', unbind).off('data', unbind);
    socket.on('resume', () => this.#waitForTurn());
    socket.once('close', () => this.#held.splice(0));
  }

  /**
   * Aborted when the client leaves before an answer was sent. One for all requests of the connection, since they lose
   * their client at once, and making a signal costs as much as a small answer: whoever listens takes its listener away.
   */
  get signal(): AbortSignal {
    if (this.#leaving === undefined) {
      this.#leaving = new AbortController();
      setMaxListeners(MAX_LISTENERS, this.#leaving.signal);
    }
    if (this.socket.destroyed) this.#leaving.abort();
    return this.#leaving.signal;
  }

  /** Notes a request whose headers were read. */
  begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.#begun++;
    this.#current = incoming;
    this.#bodyLeft = Number(incoming.headers['content-length'] ?? 0);
    this.#unanswered++;
    this.idleSince = undefined;
    outgoing.on('close', () => {
      if (--this.#unanswered === 0) this.idleSince = this.#nextMoment();
      if (!outgoing.writableFinished) this.#leaving?.abort();
      this.#waitForTurn();
    });
  }

  /** Notes that the last request is refused, and the rest of its body only read to be thrown away. */
  giveUp(): void {
    if (this.#unanswered === 1) this.idleSince = this.#nextMoment();
  }

  /** Hands the next request on, or what has come of a body. */
  takeTurn(): void {
    if (!this.#mayHandOn()) return;
    const before = this.#begun;
    do this.#handOn(this.#nextPiece());
    while (this.#mayHandOn() && this.#begun === before && this.#turns.hasTime());
    this.#waitForTurn();
    if (this.#isEnded && this.#held.length === 0) this.#handOn(null);
  }

  /** Takes what the socket has read; the end is `null`. Returns false when it should read no more for now. */
  #take(chunk: Buffer | null): boolean {
    if (chunk === null) {
      this.#isEnded = true;
      return this.#held.length === 0 && this.#handOn(null);
    }
    this.#held.push(chunk);
    if (this.#turns.isFree()) this.takeTurn();
    else this.#waitForTurn();
    return this.#held.length === 0;
  }

  #waitForTurn(): void {
    if (this.#mayHandOn()) this.#turns.wait(this);
  }

  #mayHandOn(): boolean {
    if (this.#held.length === 0 || this.socket.destroyed || this.socket.isPaused()) return false;
    return this.#unanswered < MAX_UNANSWERED || this.#current?.complete === false;
  }

  #nextPiece(): Buffer {
    const [chunk] = this.#held as [Buffer];
    const end = this.#bodyLeft > 0 ? this.#bodyLeft : endOfRequest(chunk);
    this.#bodyLeft = Math.max(0, this.#bodyLeft - chunk.length);
    if (end < chunk.length) {
      this.#held[0] = chunk.subarray(end);
      return chunk.subarray(0, end);
    }
    this.#held.shift();
    return chunk;
  }
}

/**
 * How much of a chunk may be handed on so that no byte is beyond the end of the headers in it. A blank line that a chunk
 * before has begun is a piece of its own.
 */
function endOfRequest(chunk: Buffer): number {
  let breaks = 0;
  while (breaks < 3 && (chunk[breaks] === LF || chunk[breaks] === CR)) breaks++;
  if (breaks > 0) return breaks;
  const at = chunk.indexOf(BLANK_LINE);
  return at < 0 ? chunk.length : at + BLANK_LINE.length;
}
