import { crc32, deflateRawSync } from 'node:zlib';

/** Content by name, in the order of the archive. */
export type Entries = Readonly<Record<string, string>>;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

/** A ZIP archive whose entries are deflated, but for the `mimetype` of an OpenDocument or EPUB file. */
export function archive(entries: Entries): Uint8Array<ArrayBuffer> {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const bytes = Buffer.from(content);
    const isStored = name === 'mimetype';
    const packed = isStored ? bytes : deflateRawSync(bytes, { level: 9 });
    const fields = Buffer.concat([
      ...[u16(20), u16(0x800), u16(isStored ? 0 : 8), u32(0)],
      ...[u32(crc32(bytes)), u32(packed.length), u32(bytes.length), u16(Buffer.byteLength(name))],
    ]);
    const local = Buffer.concat([u32(LOCAL), fields, u16(0), Buffer.from(name), packed]);
    directory.push(u32(CENTRAL), u16(20), fields, Buffer.alloc(12), u32(offset), Buffer.from(name));
    locals.push(local);
    offset += local.length;
  }
  const count = u16(locals.length);
  const central = Buffer.concat(directory);
  const end = [u32(END), u32(0), count, count, u32(central.length), u32(offset), u16(0)];
  return new Uint8Array(Buffer.concat([...locals, central, ...end]));
}

function u16(value: number): Buffer {
  return Buffer.from([value & 0xff, value >>> 8]);
}

function u32(value: number): Buffer {
  return Buffer.concat([u16(value & 0xffff), u16(value >>> 16)]);
}
