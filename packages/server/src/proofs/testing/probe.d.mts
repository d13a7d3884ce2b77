/** What a server process holds: bytes, open files and sockets, running timers. */
export interface Reading {
  readonly heapUsed: number;
  readonly external: number;
  readonly arrayBuffers: number;
  readonly rss: number;
  readonly handles: number;
  readonly timers: number;
}
