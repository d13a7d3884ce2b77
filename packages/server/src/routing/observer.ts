/** Record of one request, for metrics and logs. Holds no query string, token or body. */
export interface RequestRecord {
  readonly requestId: string;
  readonly method: string;
  /** The operation of the route; empty when no route matched. */
  readonly operation: string;
  readonly status: number;
  /** Until the answer began. */
  readonly durationMs: number;
  readonly userName: string | undefined;
  /** The error behind a failed answer. */
  readonly error?: unknown;
}

export interface RequestObserver {
  observe(record: RequestRecord): void;
}
