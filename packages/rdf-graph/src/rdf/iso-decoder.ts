import type { ByteDecoder } from './text-source.ts';

/** Encodings of Windows that the Encoding Standard reads others as, too, each with the one that it is read for. */
const ISO_OF_WINDOWS: ReadonlyMap<string, string> = new Map([
  ['windows-1252', 'ISO-8859-1'],
  ['windows-1254', 'ISO-8859-9'],
  ['windows-874', 'ISO-8859-11'],
]);

/** Names by which the encodings of Windows themselves go. */
const WINDOWS_NAME = /^\s*(?:windows-|dos-|(?:x-)?cp125)/i;
const ASCII_NAME = /ascii|^\s*ansi_x3/i;

const ASCII_BYTES = 0x80;
/** Below it are control characters in ISO 8859, and printed ones in the encodings of Windows. */
const FIRST_PRINTED = 0xa0;
/** A call takes no more arguments than some ten thousand. */
const UNITS_PER_CALL = 8_192;

/**
 * A decoder of US-ASCII or a part of ISO 8859, when a name means that and the Encoding Standard has one of Windows for
 * it; `undefined` when it means what the standard has. Text is read O(bytes).
 */
export function createIsoDecoder(name: string, { encoding: windows }: ByteDecoder): ByteDecoder | undefined {
  const iso = ISO_OF_WINDOWS.get(windows);
  if (iso === undefined || WINDOWS_NAME.test(name)) return undefined;
  const isAscii = ASCII_NAME.test(name);
  const units = isAscii ? asciiUnits() : isoUnits(windows);
  return new UnitDecoder(isAscii ? 'US-ASCII' : iso, units);
}

/** The UTF-16 unit of each byte; bytes without one are missing. */
type Units = readonly (number | undefined)[];

function asciiUnits(): Units {
  return Array.from({ length: ASCII_BYTES }, (_, byte) => byte);
}

function isoUnits(windows: string): Units {
  const decoder = new TextDecoder(windows);
  return Array.from({ length: 256 }, (_, byte) => {
    if (byte < FIRST_PRINTED) return byte;
    const text = decoder.decode(Uint8Array.of(byte));
    return text === '\ufffd' ? undefined : text.charCodeAt(0);
  });
}

/** Reads each byte as one UTF-16 unit. */
class UnitDecoder implements ByteDecoder {
  readonly encoding: string;
  readonly #units: Units;

  constructor(encoding: string, units: Units) {
    this.encoding = encoding;
    this.#units = units;
  }

  decode(bytes: Uint8Array): string {
    let text = '';
    for (let at = 0; at < bytes.length; at += UNITS_PER_CALL) {
      const part = bytes.subarray(at, at + UNITS_PER_CALL);
      text += String.fromCharCode(...Uint16Array.from(part, (byte) => this.#unitOf(byte)));
    }
    return text;
  }

  #unitOf(byte: number): number {
    const unit = this.#units[byte];
    if (unit === undefined) throw new TypeError(`the byte ${byte} is no character of ${this.encoding}`);
    return unit;
  }
}
