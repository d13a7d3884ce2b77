import { isCodedError } from '@cairn/errors';

const NEWER = new Set(['ERR_SEGMENT_VERSION', 'ERR_GRAPH_SNAPSHOT_VERSION', 'ERR_BLOB_VERSION']);

/** Returns true if an error says that stored bytes are not what was written, of a later release, or unreadable. */
export function isDamage(error: unknown): boolean {
  if (isCodedError(error)) return error.kind === 'corrupt' || NEWER.has(error.code);
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'EIO';
}
