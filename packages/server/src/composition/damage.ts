import { isCodedError } from '@cairn/errors';

/** Of a later release, or of indices that are not configured any more. */
const OTHERS = new Set([
  'ERR_SEGMENT_VERSION',
  'ERR_GRAPH_SNAPSHOT_VERSION',
  'ERR_BLOB_VERSION',
  'ERR_MANIFEST_FOREIGN',
]);

/**
 * Returns true if an error says that stored bytes are not what was written, unreadable, of a later release, or of none of
 * the indices that are configured.
 */
export function isDamage(error: unknown): boolean {
  if (isCodedError(error)) return error.kind === 'corrupt' || OTHERS.has(error.code);
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'EIO';
}
