import { isCodedError } from '@cairn/errors';
import type { OnProjectorNotice } from '@cairn/ingest';
import type { Logger } from 'pino';

/**
 * Logs what operators should hear of projectors: dead letters and first failures as warnings; what is damaged, has
 * failed or stands still as errors. Holds topics, positions and reasons, never what is in an event.
 */
export function projectorLog(logger: Logger): OnProjectorNotice {
  return (notice) => {
    const { topic, group } = notice;
    if (notice.type === 'resumed') {
      logger.warn({ topic, group, stalledMs: Math.round(notice.stalledMs) }, 'a projector goes on');
      return;
    }
    const facts = { topic, group, ...toFacts(notice.error) };
    if (notice.type === 'dead-letter')
      logger.warn({ ...facts, position: notice.position }, 'an event is a dead letter');
    else if (notice.type === 'failed') logger.error(facts, 'a projector has failed: its topic cannot be read on');
    else if (notice.type === 'stands-still') logger.error(facts, 'a projector stands still until that is mended');
    else {
      const isDamage = isCodedError(notice.error) && notice.error.kind === 'corrupt';
      logger[isDamage ? 'error' : 'warn'](facts, 'a projector does not come on: it tries again');
    }
  };
}

function toFacts(error: unknown): { readonly code: string | undefined; readonly reason: string } {
  if (isCodedError(error)) return { code: error.code, reason: error.message };
  return { code: undefined, reason: error instanceof Error ? error.message : String(error) };
}
