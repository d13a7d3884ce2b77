import { isCodedError } from '@cairn/errors';
import { destination, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/configuration.ts';
import type { RequestObserver, RequestRecord } from '../routing/observer.ts';

/** Takes lines of the log, each with its line feed. */
export interface LogDestination {
  write(line: string): void;
}

/** A logger of JSON lines, to standard error unless they go elsewhere. */
export function createLogger(level: LogLevel, to: LogDestination = openDestination(2)): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, to);
}

/** The open file of a number. A line that it does not take, as on a full disk, is lost: that ends no server. */
export function openDestination(descriptor: number): LogDestination {
  const stream = destination({ dest: descriptor, sync: true });
  stream.on('error', () => undefined);
  return stream;
}

/** Refusals that are logged in a second; further ones are counted in the next line. */
const MAX_REFUSALS_PER_SECOND = 10;
const SECOND_MS = 1_000;

/**
 * Logs requests: failures of ours as errors; slow ones, and why somebody was not let in, as warnings; the rest at level
 * debug. Never a query string, a header or a body, so never a token.
 */
export function requestLog(logger: Logger, slowRequestMs: number, nowMs: () => number): RequestObserver {
  const isDebugging = logger.isLevelEnabled('debug');
  const throttled = createThrottle(MAX_REFUSALS_PER_SECOND, nowMs);
  return {
    observe(record) {
      const { requestId, method, operation, status, durationMs, userName } = record;
      const isSlow = slowRequestMs > 0 && durationMs >= slowRequestMs;
      const isRefused = isRefusalOfIdentity(record);
      if (status < 500 && !isSlow && !isRefused && !isDebugging) return;
      const facts = { requestId, method, operation, status, durationMs: Math.round(durationMs), user: userName };
      if (status >= 500 && !isExpected(record)) logger.error({ ...facts, ...describe(record.error) }, 'request failed');
      else if (isRefused)
        throttled((passedOver) => logger.warn({ ...facts, ...reasonFacts(record), passedOver }, 'not let in'));
      else if (isSlow) logger.warn(facts, 'slow request');
      else logger.debug(facts, 'request');
    },
  };
}

/** Lets so many through in a second, and tells the next one how many it did not. */
function createThrottle(perSecond: number, nowMs: () => number): (through: (heldBack?: number) => void) => void {
  let sinceMs = Number.NEGATIVE_INFINITY;
  let passed = 0;
  let heldBack = 0;
  return (through) => {
    const now = nowMs();
    if (now - sinceMs >= SECOND_MS) {
      sinceMs = now;
      passed = 0;
    }
    if (passed >= perSecond) {
      heldBack++;
      return;
    }
    passed++;
    through(heldBack === 0 ? undefined : heldBack);
    heldBack = 0;
  };
}

/** A credential was missing or proved nothing: 401, or 400 for what is no token at all. */
function isRefusalOfIdentity({ status, error }: RequestRecord): boolean {
  return status === 401 || (isCodedError(error) && error.code === 'ERR_TOKEN_UNUSABLE');
}

function reasonFacts({ error }: RequestRecord): Readonly<Record<string, unknown>> {
  return isCodedError(error) ? { code: error.code, reason: error.message } : {};
}

function isExpected({ error }: RequestRecord): boolean {
  if (error === undefined) return true;
  return (
    isCodedError(error) && (error.code === 'ERR_NOT_READY' || error.kind === 'cancelled' || error.kind === 'overloaded')
  );
}

function describe(error: unknown): Readonly<Record<string, unknown>> {
  if (isCodedError(error)) return { code: error.code, reason: error.message, cause: reasonOf(error.cause) };
  return { reason: reasonOf(error), stack: error instanceof Error ? error.stack : undefined };
}

function reasonOf(error: unknown): string | undefined {
  return error instanceof Error ? error.message : undefined;
}
