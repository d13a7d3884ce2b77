import { resolveLimits } from '@cairn/errors';
import { checkLimit } from '../limits/limit-values.ts';

/** Limits for one document. Going over any of these but the first fails the document with `ERR_EXTRACTION`. */
export interface ExtractionLimits {
  /**
   * Bytes of the extracted text in UTF-8, attachments included. A document with more is read without its text, for the
   * reason `too much text`, unless it is a twentieth of that itself: then it is a bomb. Default 32 MiB.
   */
  readonly maxTextBytes?: number | undefined;
  /** Entries of one archive (office files, EPUB). Default 10000. */
  readonly maxEntries?: number | undefined;
  /** Inflated bytes of one archive entry. Default 64 MiB. */
  readonly maxEntryBytes?: number | undefined;
  /** Inflated bytes of all entries read from one archive. Default 256 MiB. */
  readonly maxArchiveBytes?: number | undefined;
  /** Inflated bytes for each compressed byte, counted once an entry is over 4 MiB. Default 200. */
  readonly maxCompressionRatio?: number | undefined;
  /** Elements or values inside each other in XML, HTML, JSON and RTF. Default 256. */
  readonly maxDepth?: number | undefined;
  /** Bytes of the JavaScript objects that a worker holds at once. Default 512 MiB. */
  readonly maxHeapBytes?: number | undefined;
  /** Bytes of the buffers that a worker holds at once, the document itself included. Default 512 MiB. */
  readonly maxBufferBytes?: number | undefined;
  /** Pages of a PDF. Default 20000. */
  readonly maxPages?: number | undefined;
  /** Attachments of one mail. Default 1000. */
  readonly maxAttachments?: number | undefined;
  /** Documents inside documents: mail in mail. Default 5. */
  readonly maxNesting?: number | undefined;
}

/** Limits with nothing left to default. */
export type ResolvedExtractionLimits = { readonly [Name in keyof ExtractionLimits]-?: number };

const MIB = 1024 * 1024;

const DEFAULTS: ResolvedExtractionLimits = {
  maxTextBytes: 32 * MIB,
  maxEntries: 10_000,
  maxEntryBytes: 64 * MIB,
  maxArchiveBytes: 256 * MIB,
  maxCompressionRatio: 200,
  maxDepth: 256,
  maxHeapBytes: 512 * MIB,
  maxBufferBytes: 512 * MIB,
  maxPages: 20_000,
  maxAttachments: 1000,
  maxNesting: 5,
};

/** Fills in the defaults; other options are left out. @throws `ERR_CONFIGURATION` (invalid) for one that is no number */
export function resolveExtractionLimits(limits: ExtractionLimits): ResolvedExtractionLimits {
  return resolveLimits(limits, DEFAULTS, checkLimit);
}
