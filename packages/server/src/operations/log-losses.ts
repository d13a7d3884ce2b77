import type { LogCut } from '@cairn/events';
import type { Logger } from 'pino';
import type { Notices } from './notices.ts';

/** Tells operators of what a log has lost and nobody has taken note of: in the log, and as notices until it is accepted. */
export function reportLosses(cuts: readonly LogCut[], { logger, notices }: { logger: Logger; notices: Notices }): void {
  for (const { accepted, ...cut } of cuts) {
    if (accepted) continue;
    notices.set(noticeKey(cut), `the end of the topic ${cut.topic} was damaged and cut off; see cairn verify`);
    logger.error(
      cut,
      'events were lost: a topic was cut; cairn verify says more, cairn verify --accept takes note of it',
    );
  }
}

/** Ends the notices of losses that were accepted. */
export function clearLosses(cuts: readonly LogCut[], notices: Notices): void {
  for (const cut of cuts) notices.clear(noticeKey(cut));
}

function noticeKey({ topic }: Pick<LogCut, 'topic'>): string {
  return `log ${topic}`;
}
