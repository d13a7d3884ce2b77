import { checkObject, resolveLimits } from '@cairn/errors';
import { checkLimit } from '../limits/limit-values.ts';

/** Limits for one multipart request. Every limit refuses the request: nothing is cut short silently. */
export interface MultipartLimits {
  /** Files and fields together. Default 1000. */
  readonly maxParts?: number | undefined;
  /** Default 100. */
  readonly maxFiles?: number | undefined;
  /** Bytes of one file name in UTF-8. Default: no limit but that of a part's header, 16 KiB. */
  readonly maxFilenameBytes?: number | undefined;
  /** Bytes of the value of one field that is no file. Default 65536. */
  readonly maxFieldBytes?: number | undefined;
  /** Characters of the boundary. Default 70, which RFC 2046 allows at most. */
  readonly maxBoundaryLength?: number | undefined;
  /** Bytes of the whole body. Default: no limit here. */
  readonly maxRequestBytes?: number | undefined;
  /** How long the sender may stay silent while it is waited for, in milliseconds. Default 30000. */
  readonly idleTimeoutMs?: number | undefined;
  /**
   * Lowest rate of the sender, bytes a second, over each {@link MultipartLimits.rateWindowMs} that it is waited for;
   * the time that the consumer takes does not count. Default 0: however slow.
   */
  readonly minBytesPerSecond?: number | undefined;
  /** How long it is waited for before the rate counts, in milliseconds. Default 10000. */
  readonly rateGraceMs?: number | undefined;
  /** Default 10000 milliseconds. */
  readonly rateWindowMs?: number | undefined;
}

/** Limits with nothing left to default. */
export type ResolvedMultipartLimits = { readonly [Name in keyof MultipartLimits]-?: number };

const DEFAULTS: ResolvedMultipartLimits = {
  maxParts: 1000,
  maxFiles: 100,
  maxFilenameBytes: Number.POSITIVE_INFINITY,
  maxFieldBytes: 65_536,
  maxBoundaryLength: 70,
  maxRequestBytes: Number.POSITIVE_INFINITY,
  idleTimeoutMs: 30_000,
  minBytesPerSecond: 0,
  rateGraceMs: 10_000,
  rateWindowMs: 10_000,
};

/** Fills in the defaults. @throws `ERR_CONFIGURATION` (invalid) for one that is no number */
export function resolveMultipartLimits(limits: MultipartLimits): ResolvedMultipartLimits {
  checkObject(limits, 'the limits');
  return resolveLimits(limits, DEFAULTS, checkLimit);
}
