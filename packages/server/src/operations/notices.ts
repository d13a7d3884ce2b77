import type { LogCut } from '@cairn/events';
import type { Logger } from 'pino';

/** Notices for operators while the service works: each under a key, until it is over. Holds no names of data. */
export type Notices = Map<string, string>;

/** Where operators are told of something: in the log at once, and as a notice until it is over. */
interface Telling {
  readonly logger: Logger;
  readonly notices: Notices;
}

/** Tells operators of what a log has lost and nobody has taken note of. */
export function reportLosses(cuts: readonly LogCut[], { logger, notices }: Telling): void {
  for (const { accepted, ...cut } of cuts) {
    if (accepted) continue;
    notices.set(keyOf(cut), `the end of the topic ${cut.topic} was damaged and cut off; see cairn verify`);
    logger.error(
      cut,
      'events were lost: a topic was cut; cairn verify says more, cairn verify --accept takes note of it',
    );
  }
}

/** Ends the notices of losses that were accepted. */
export function clearLosses(cuts: readonly LogCut[], notices: Notices): void {
  for (const cut of cuts) notices.delete(keyOf(cut));
}

function keyOf({ topic }: Pick<LogCut, 'topic'>): string {
  return `log ${topic}`;
}

const FORGETTING = 'forgetting';

/** Tells operators that bytes of documents that were to be forgotten may be left. */
export function reportUnfinishedForgetting(documents: readonly string[], { logger, notices }: Telling): void {
  if (documents.length === 0) return;
  notices.set(
    FORGETTING,
    `cairn forget was cut short: bytes of ${documents.length} documents may be left; run it again`,
  );
  logger.warn({ documents }, 'cairn forget was cut short: run it again with these documents');
}

export function clearUnfinishedForgetting(notices: Notices): void {
  notices.delete(FORGETTING);
}
