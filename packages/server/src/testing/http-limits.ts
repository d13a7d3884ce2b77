import type { HttpLimits } from '../http/message.ts';

/** Limits that no test of a listener reaches by accident, however slow the machine. */
export const TEST_HTTP_LIMITS: HttpLimits = {
  headersTimeoutMs: 60_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 60_000,
  maxHeaderBytes: 16_384,
  maxConnections: 100,
  answerStallMs: 60_000,
};
