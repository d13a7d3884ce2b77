import { isCodedError } from '@cairn/errors';
import { destination, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/configuration.ts';
import type { RequestObserver, RequestRecord } from '../routing/observer.ts';

/** A logger of JSON lines to standard error. */
export function createLogger(level: LogLevel): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination({ dest: 2, sync: true }));
}

/**
 * Logs requests: failures of ours as errors, slow ones as warnings, the rest at level debug. Never a query string, a
 * header or a body, so never a token.
 */
export function requestLog(logger: Logger, slowRequestMs: number): RequestObserver {
  const isDebugging = logger.isLevelEnabled('debug');
  return {
    observe(record) {
      const { requestId, method, operation, status, durationMs, userName } = record;
      const isSlow = slowRequestMs > 0 && durationMs >= slowRequestMs;
      if (status < 500 && !isSlow && !isDebugging) return;
      const facts = { requestId, method, operation, status, durationMs: Math.round(durationMs), user: userName };
      if (status >= 500 && !isExpected(record)) logger.error({ ...facts, ...describe(record.error) }, 'request failed');
      else if (isSlow) logger.warn(facts, 'slow request');
      else logger.debug(facts, 'request');
    },
  };
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
