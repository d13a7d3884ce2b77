import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { CodedError } from '@cairn/errors';
import type { MultipartRequest } from '@cairn/node-runtime';
import { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import type {
  BodyChunk,
  HttpAnswer,
  HttpHandler,
  HttpLimits,
  HttpListener,
  HttpRequest,
  ListenTarget,
} from './message.ts';
import { isStream } from './primed-body.ts';
import { ReadingTurns } from './reading-turns.ts';

/** How much of an unread request body is drained, so that the client reads the answer, before the socket is cut. */
const MAX_DRAINED_BYTES = 1_048_576;
const DRAIN_TIME_MS = 2_000;

/** Tells one who sends CONNECT that there is no tunnel here; node:http makes no answer of its own for it. */
const NO_TUNNEL = 'HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Listens with node:http; the only place that knows it. @throws what binding throws, `EADDRINUSE` for one. */
export async function listen(
  target: ListenTarget,
  handler: HttpHandler,
  limits: HttpLimits,
  nowMs: () => number = () => performance.now(),
): Promise<HttpListener> {
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    maxHeaderSize: limits.maxHeaderBytes,
    connectionsCheckingInterval: Math.min(5_000, limits.headersTimeoutMs),
  });
  const open = new Connections(limits.maxConnections);
  const turns = new ReadingTurns(nowMs);
  const connections = new WeakMap<Socket, Connection>();
  server.on('connection', (socket) => {
    if (!open.makeRoom()) return void socket.destroy();
    const connection = new Connection(socket, turns, open.nextMoment);
    open.add(connection);
    connections.set(socket, connection);
  });
  const take = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const connection = connections.get(incoming.socket);
    if (connection === undefined) return;
    connection.begin(incoming, outgoing);
    void exchange(incoming, outgoing, { handler, connection, limits });
  };
  server.on('request', take).on('checkContinue', take).on('checkExpectation', take);
  server.on('connect', (_incoming, socket: Socket) => {
    socket.write(NO_TUNNEL);
    socket.destroySoon();
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(listenError(target, error));
    server.once('error', fail);
    const listening = (): void => {
      server.off('error', fail);
      resolve();
    };
    if (target.socketPath !== undefined) server.listen(target.socketPath, listening);
    else server.listen(target.port, target.host, listening);
  });
  return toListener(server, target);
}

function listenError(target: ListenTarget, cause: NodeJS.ErrnoException): CodedError {
  const { code = '', message: reason } = cause;
  const place = target.socketPath ?? `${toUrlHost(target.host)}:${target.port}`;
  const message = LISTEN_REASONS[code]?.(place) ?? `cannot listen on ${place}: ${reason}`;
  return new CodedError({ code: 'ERR_LISTEN', kind: 'unavailable', message, cause });
}

const LISTEN_REASONS: Readonly<Record<string, (place: string) => string>> = {
  EADDRINUSE: (place) => `the address ${place} is in use by another process`,
  EACCES: (place) => `no permission to listen on ${place}`,
};

function toListener(server: Server, target: ListenTarget): HttpListener {
  const port = target.socketPath !== undefined ? 0 : (server.address() as AddressInfo).port;
  return {
    port,
    url: target.socketPath ?? `http://${toUrlHost(target.host)}:${port}`,
    async close(graceMs) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function toUrlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

interface Exchange {
  readonly handler: HttpHandler;
  readonly connection: Connection;
  readonly limits: HttpLimits;
}

async function exchange(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { handler, connection, limits }: Exchange,
): Promise<void> {
  const request = new NodeRequest(incoming, outgoing, connection);
  outgoing.on('error', ignore);
  try {
    const answer = await handler(request);
    await send(incoming, outgoing, answer, limits.answerStallMs, connection);
  } catch {
    outgoing.destroy();
  }
}

function ignore(): void {}

class NodeRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly queryString: string;
  readonly #incoming: IncomingMessage;
  readonly #connection: Connection;
  readonly body: MultipartRequest;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, connection: Connection) {
    this.#incoming = incoming;
    this.#connection = connection;
    this.method = incoming.method ?? 'GET';
    const target = toOriginForm(incoming.url ?? '/');
    const mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.queryString = mark < 0 ? '' : target.slice(mark + 1);
    // A client that waits for 100 Continue gets it when somebody asks for the body, not before.
    this.body = incoming.headers.expect === undefined ? incoming : continuing(incoming, outgoing);
  }

  get peer(): string {
    return this.#incoming.socket.remoteAddress ?? '';
  }

  header(name: string): string | undefined {
    const value = this.#incoming.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  headerCount(name: string): number {
    const { rawHeaders } = this.#incoming;
    let count = 0;
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const sent = rawHeaders[i] as string;
      if (sent.length === name.length && sent.toLowerCase() === name) count += 1;
    }
    return count;
  }

  get signal(): AbortSignal {
    return this.#connection.signal;
  }
}

function toOriginForm(url: string): string {
  if (url.startsWith('/') || url === '*') return url;
  const absolute = /^https?:\/\/[^/?]*(.*)$/i.exec(url);
  if (absolute === null) return '/';
  const rest = absolute[1] as string;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function continuing(incoming: IncomingMessage, outgoing: ServerResponse): IncomingMessage {
  let asked = false;
  const on = incoming.on.bind(incoming);
  incoming.on = ((event: string, listener: (...args: unknown[]) => void) => {
    // Whoever reads on after the answer has begun only throws away what is sent all the same.
    if (!asked && !outgoing.headersSent && (event === 'data' || event === 'readable')) {
      asked = true;
      outgoing.writeContinue();
    }
    return on(event, listener);
  }) as typeof incoming.on;
  return incoming;
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: what may be sent depends on what was read, in ways that belong together
async function send(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: HttpAnswer,
  stallMs: number,
  connection: Connection,
): Promise<void> {
  const { body } = answer;
  if (outgoing.destroyed) return closeBody(body);
  const isUnread = !incoming.readableEnded && incoming.headers['transfer-encoding'] !== undefined;
  const unreadBytes = incoming.readableEnded ? 0 : Number(incoming.headers['content-length'] ?? 0);
  // The client may send what was not asked for, or its next request: nobody could tell which.
  const isHeldBack = incoming.headers.expect !== undefined && incoming.readableFlowing === null;
  const mustClose = isUnread || isHeldBack || unreadBytes > MAX_DRAINED_BYTES || answer.status === 408;
  const headers = toRawHeaders(answer, mustClose);
  if (!isStream(body)) {
    const hasLength = answer.status !== 204 && answer.status !== 304;
    // A text goes out in one piece with the headers; bytes would be a second one.
    const length = body === undefined ? 0 : Buffer.byteLength(body);
    if (hasLength) headers.push('Content-Length', String(length));
    outgoing.writeHead(answer.status, headers);
    // Text without other characters than ASCII is written faster as bytes of one character each.
    const encoding = length === body?.length ? 'latin1' : 'utf8';
    const sent = incoming.method === 'HEAD' ? undefined : body;
    if (mustClose && !isHeldBack && unreadBytes > 0 && answer.status !== 408 && sent !== undefined && sent.length > 0) {
      // The answer goes out whole, but ends when the rest of the body was read: node:http cuts the connection at its end.
      outgoing.write(sent, encoding);
      connection.giveUp();
      drain(incoming, () => outgoing.end());
      return;
    }
    outgoing.end(sent, encoding);
  } else {
    outgoing.writeHead(answer.status, headers);
    if (incoming.method === 'HEAD') {
      await closeBody(body);
      outgoing.end();
    } else {
      await sendStream(outgoing, body, stallMs);
    }
  }
  // What the socket has not handed on yet waits for the client; node:http ends this with the answer.
  if (outgoing.writableLength > 0) incoming.socket.setTimeout(stallMs);
  // Also when the connection is to be kept: nobody waits any longer for the rest of a body that was answered already.
  if (mustClose || unreadBytes > 0) drain(incoming);
}

/** Names and values one after the other, as node:http writes them fastest. */
function toRawHeaders({ headers = {}, commonHeaders = [] }: HttpAnswer, mustClose: boolean): string[] {
  const raw = [...commonHeaders];
  for (const name in headers) {
    const value = headers[name] as string | readonly string[];
    if (typeof value === 'string') raw.push(name, value);
    else for (const each of value) raw.push(name, each);
  }
  if (mustClose) raw.push('Connection', 'close');
  return raw;
}

async function sendStream(outgoing: ServerResponse, body: AsyncIterable<BodyChunk>, stallMs: number): Promise<void> {
  for await (const chunk of body) {
    if (outgoing.destroyed) return;
    if (!outgoing.write(chunk)) await drained(outgoing, stallMs);
  }
  outgoing.end();
}

/** Resolves when the client has taken what was written, or is gone: one that takes nothing for so long is cut off. */
function drained(outgoing: ServerResponse, stallMs: number): Promise<void> {
  const { socket } = outgoing;
  socket?.setTimeout(stallMs);
  return new Promise((resolve) => {
    const done = (): void => {
      socket?.setTimeout(0);
      outgoing.off('drain', done);
      outgoing.off('close', done);
      resolve();
    };
    outgoing.once('drain', done);
    outgoing.once('close', done);
  });
}

async function closeBody(body: HttpAnswer['body']): Promise<void> {
  if (isStream(body)) await body[Symbol.asyncIterator]().return?.();
}

/** Reads on for a moment: cutting at once would reset the connection before the client has read the answer. */
function drain(incoming: IncomingMessage, onEnd: () => void = () => undefined): void {
  let bytes = 0;
  const cut = (): void => {
    clearTimeout(timer);
    onEnd();
    incoming.socket.destroySoon();
  };
  const timer = setTimeout(cut, DRAIN_TIME_MS);
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > MAX_DRAINED_BYTES * 16) cut();
  });
  const end = (): void => {
    clearTimeout(timer);
    onEnd();
  };
  incoming.once('end', end);
  incoming.once('close', end);
  incoming.resume();
}
