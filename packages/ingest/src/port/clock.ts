/** Time as the engine is handed it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Resolves after a pause, or at once when the signal is aborted. It never rejects. */
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
}
