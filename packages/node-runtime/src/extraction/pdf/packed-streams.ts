import { inflateSync, constants as zlib } from 'node:zlib';
import { checkRatio, ExtractionLimitError } from '../extraction-error.ts';
import type { ResolvedExtractionLimits } from '../limits.ts';

const STREAM = Buffer.from('stream');
const END = Buffer.from('endstream');
/** How far before its data a stream's dictionary is looked for. */
const DICTIONARY_BYTES = 1024;
/** Streams are packed so often at most; nobody does it twice for a good reason. */
const MAX_LAYERS = 8;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Refuses a PDF whose streams swell beyond the limits of archives: the library that reads it has none. Pictures swell
 * much and are never unpacked, so that they count only where they are packed more than once. Cost: inflating the streams,
 * up to `maxArchiveBytes`.
 * @throws `ERR_EXTRACTION` (invalid)
 */
export function checkPackedStreams(bytes: Uint8Array, limits: ResolvedExtractionLimits): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let inflatedBytes = 0;
  for (let at = buffer.indexOf(STREAM); at >= 0; at = buffer.indexOf(STREAM, at + STREAM.length)) {
    const start = dataStart(buffer, at + STREAM.length);
    if (start === undefined || !isZlib(buffer, start)) continue;
    const dictionary = buffer.toString('latin1', Math.max(0, at - DICTIONARY_BYTES), at);
    const isPicture = dictionary.slice(dictionary.lastIndexOf(' obj') + 1).includes('/Image');
    const end = buffer.indexOf(END, start);
    inflatedBytes += checkStream(buffer.subarray(start, end < 0 ? buffer.length : end), isPicture, limits);
    if (inflatedBytes > limits.maxArchiveBytes) {
      throw new ExtractionLimitError('all inflated streams', limits.maxArchiveBytes, 'bytes');
    }
  }
}

/** The data begin after the end of the line; the keyword `endstream` has none. */
function dataStart(buffer: Buffer, at: number): number | undefined {
  if (buffer[at] === LINE_FEED) return at + 1;
  return buffer[at] === CARRIAGE_RETURN ? at + (buffer[at + 1] === LINE_FEED ? 2 : 1) : undefined;
}

function isZlib(buffer: Buffer, at: number): boolean {
  const [method, flags] = [buffer[at], buffer[at + 1]];
  return method !== undefined && flags !== undefined && (method & 15) === 8 && (method * 256 + flags) % 31 === 0;
}

/** Unpacks a stream and what is packed in it; how many bytes count. */
function checkStream(data: Buffer, isPicture: boolean, limits: ResolvedExtractionLimits): number {
  let packed = data;
  let counted = 0;
  for (let layer = 0; layer < MAX_LAYERS && isZlib(packed, 0); layer++) {
    const isUnread = isPicture && layer === 0;
    const content = inflated(packed, limits.maxEntryBytes, isUnread);
    if (content === undefined) return counted;
    if (!isUnread) {
      checkRatio('a stream', content.length, packed.length, limits.maxCompressionRatio);
      counted += content.length;
    }
    packed = content;
  }
  return counted;
}

/** Unpacks a stream; `undefined` when it is not a deflated stream, or a picture that is too large to look into. */
function inflated(packed: Buffer, maxBytes: number, isUnread: boolean): Buffer | undefined {
  try {
    return inflateSync(packed, { maxOutputLength: maxBytes, finishFlush: zlib.Z_SYNC_FLUSH });
  } catch (error) {
    if (isUnread || (error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw new ExtractionLimitError('an inflated stream', maxBytes, 'bytes');
  }
}
