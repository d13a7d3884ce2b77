import type { Logger } from 'pino';
import type { Notices } from './notices.ts';

const KEY = 'forgetting';

/** Tells operators that bytes of documents that were to be forgotten may be left: in the log, and as a notice until it is over. */
export function reportUnfinishedForgetting(
  documents: readonly string[],
  { logger, notices }: { readonly logger: Logger; readonly notices: Notices },
): void {
  if (documents.length === 0) return;
  notices.set(KEY, `cairn forget was cut short: bytes of ${documents.length} documents may be left; run it again`);
  logger.warn({ documents }, 'cairn forget was cut short: run it again with these documents');
}

export function clearUnfinishedForgetting(notices: Notices): void {
  notices.clear(KEY);
}
