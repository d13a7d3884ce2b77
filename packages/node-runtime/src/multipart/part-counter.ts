import type { CodedError } from '@cairn/errors';
import type { FieldInfo, FileInfo } from 'busboy';
import type { ResolvedMultipartLimits } from './limits.ts';
import { limitError, multipartError } from './multipart-error.ts';

const PLAIN_ENCODINGS: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary']);

/** Counts the parts of one request; each count gives an `ERR_MULTIPART` error when it goes over a limit. */
export class PartCounter {
  readonly #limits: ResolvedMultipartLimits;
  #parts = 0;
  #files = 0;

  constructor(limits: ResolvedMultipartLimits) {
    this.#limits = limits;
  }

  countFile(info: FileInfo): CodedError | undefined {
    const { maxParts, maxFiles, maxFilenameBytes } = this.#limits;
    if (++this.#parts > maxParts) return this.overParts();
    if (++this.#files > maxFiles) return limitError('number of files', `${this.#files} or more`, maxFiles);
    const nameBytes = Buffer.byteLength(info.filename ?? '');
    if (nameBytes > maxFilenameBytes) return limitError('bytes of a file name', nameBytes, maxFilenameBytes);
    if (PLAIN_ENCODINGS.has(info.encoding)) return undefined;
    return multipartError('Content-Transfer-Encoding of a part must be 7bit, 8bit or binary (RFC 7578, 4.7)');
  }

  countField(info: FieldInfo): CodedError | undefined {
    const { maxParts, maxFieldBytes } = this.#limits;
    if (++this.#parts > maxParts) return this.overParts();
    if (!info.valueTruncated) return undefined;
    return limitError('bytes of a field', `${maxFieldBytes + 1} or more`, maxFieldBytes);
  }

  /** The error for a body that began more parts than were counted here. */
  checkComplete(begun: number): CodedError | undefined {
    if (begun === this.#parts) return undefined;
    return multipartError('every part must have a Content-Disposition of form-data with a name (RFC 7578, 4.2)');
  }

  /** The error for parts that the parser met but did not report. */
  overParts(): CodedError {
    return limitError('number of parts', `${this.#limits.maxParts + 1} or more`, this.#limits.maxParts);
  }
}
