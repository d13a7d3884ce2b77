import type { MultipartRequest } from '@cairn/node-runtime';
import type { LimitSettings } from '../config/configuration.ts';

/** One HTTP request as the routes see it; nothing in it is decoded or trusted yet. */
export interface HttpRequest {
  readonly method: string;
  /** The path as sent: still percent-encoded, never empty; `*` when a request asks for the server as a whole. */
  readonly path: string;
  /** The query string as sent, without `?`; empty when there is none. */
  readonly queryString: string;
  /** The value of a header by its lower-case name; repeated ones joined with `, ` as HTTP allows. */
  header(name: string): string | undefined;
  headerCount(name: string): number;
  /** The body as it streams in, with the headers as node:http gives them. */
  readonly body: MultipartRequest;
  /** The address of the peer, for logs. */
  readonly peer: string;
  /** Aborted when the client leaves before the answer was sent. Created at first use. */
  readonly signal: AbortSignal;
}

/** A chunk of a streamed body; nobody writes to its bytes any more, since they are held until they are sent. */
export type BodyChunk = string | Uint8Array;

export interface HttpAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Headers that go with every answer: names and values in turn, none of them in `headers`. */
  readonly commonHeaders?: readonly string[];
  /** A stream that throws after its first chunk ends the connection, so that a cut result is detectable. */
  readonly body?: BodyChunk | AsyncIterable<BodyChunk> | undefined;
}

/** Answers one request; never rejects. */
export type HttpHandler = (request: HttpRequest) => Promise<HttpAnswer>;

type ListenerLimit =
  | 'headersTimeoutMs'
  | 'requestTimeoutMs'
  | 'keepAliveTimeoutMs'
  | 'maxHeaderBytes'
  | 'maxConnections';

/** Time and size limits of one listener. */
export type HttpLimits = Pick<LimitSettings, ListenerLimit | 'answerStallMs'>;

/** Where to listen: an address and a port (0 picks one), or the path of a local socket. */
export type ListenTarget =
  | { readonly host: string; readonly port: number; readonly socketPath?: undefined }
  | { readonly socketPath: string };

export interface HttpListener {
  /** The port it got; 0 for a local socket. */
  readonly port: number;
  /** `http://HOST:PORT`; the path for a local socket. */
  readonly url: string;
  /** Stops listening, waits for running requests up to `graceMs`, then cuts them. */
  close(graceMs: number): Promise<void>;
}
