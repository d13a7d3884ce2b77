/** What a server process holds: bytes, open files and sockets, running timers. */
export interface Reading {
  readonly heapUsed: number;
  readonly external: number;
  readonly arrayBuffers: number;
  readonly rss: number;
  readonly handles: number;
  readonly timers: number;
  /**
   * The longest stretch of work on the main thread since the last reading in milliseconds, the moments not counted in
   * which other processes had the core, where the system tells them apart.
   */
  readonly longestStretchMs: number;
}
