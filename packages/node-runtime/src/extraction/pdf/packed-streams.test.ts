import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { resolveExtractionLimits } from '../limits.ts';
import { checkPackedStreams } from './packed-streams.ts';

const MIB = 1024 * 1024;
const limits = resolveExtractionLimits({});

/** One object of a PDF with a stream that is deflated some times. */
function object(content: Buffer, layers: number, type = ''): Buffer {
  let bytes = content;
  for (let layer = 0; layer < layers; layer++) bytes = deflateSync(bytes, { level: 9 });
  return Buffer.concat([
    Buffer.from(`4 0 obj\n<< ${type} >>\nstream\r\n`),
    bytes,
    Buffer.from('\nendstream\nendobj\n'),
  ]);
}

const refused = (message: string): unknown => expect.objectContaining({ code: 'ERR_EXTRACTION', message });
const swells = refused('the compression ratio of a stream must be at most 200 to 1; the document has more');

describe('packed streams of a PDF', () => {
  it('are refused when they swell, however often they are packed', () => {
    const blanks = Buffer.alloc(16 * MIB, ' ');
    for (const layers of [1, 2, 3]) {
      expect(() => checkPackedStreams(object(blanks, layers), limits)).toThrow(swells);
    }
  });

  it('may be pictures, which are not unpacked, but no packed ones in disguise', () => {
    const white = Buffer.alloc(16 * MIB, 255);
    expect(() => checkPackedStreams(object(white, 1, '/Subtype /Image'), limits)).not.toThrow();
    expect(() => checkPackedStreams(object(white, 2, '/Subtype /Image'), limits)).toThrow(swells);
  });

  it('are refused when one, or all together, are too large', () => {
    const noise = Buffer.from(Array.from({ length: MIB }, (_, i) => (i * 2_654_435_761) >>> 24));
    const few = { ...limits, maxEntryBytes: MIB / 2 };
    expect(() => checkPackedStreams(object(noise, 1), few)).toThrow(
      refused(`an inflated stream must be at most ${MIB / 2} bytes; the document has more`),
    );
    const many = Buffer.concat(Array.from({ length: 3 }, () => object(noise, 1)));
    expect(() => checkPackedStreams(many, { ...limits, maxArchiveBytes: 2 * MIB })).toThrow(
      refused(`all inflated streams must be at most ${2 * MIB} bytes; the document has more`),
    );
    expect(() => checkPackedStreams(many, limits)).not.toThrow();
  });

  it('are left alone when they are no such streams', () => {
    const texts = ['stream', 'stream\n', 'a stream\nof words', 'stream\nx\x9c', '4 0 obj stream\r\n\x78\x9cnonsense'];
    for (const text of texts) {
      expect(() => checkPackedStreams(Buffer.from(text, 'latin1'), limits)).not.toThrow();
    }
  });
});
