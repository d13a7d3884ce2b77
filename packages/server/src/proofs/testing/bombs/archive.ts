import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of an archive; deflated unless it is stored. */
export interface Entry {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly isStored?: boolean;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

export function archive(entries: readonly Entry[]): Uint8Array<ArrayBuffer> {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { fields, packed, name } = pack(entry);
    const local = Buffer.concat([u32(LOCAL), fields, u16(0), name, packed]);
    directory.push(
      Buffer.concat([u32(CENTRAL), u16(20), fields, u16(0), u16(0), u16(0), u16(0), u32(0), u32(offset), name]),
    );
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const counts = [u16(entries.length), u16(entries.length), u32(central.length), u32(offset), u16(0)];
  return new Uint8Array(Buffer.concat([...locals, central, u32(END), u16(0), u16(0), ...counts]));
}

function pack({ name, content, isStored = false }: Entry): { fields: Buffer; packed: Buffer; name: Buffer } {
  const bytes = Buffer.from(content);
  const packed = isStored ? bytes : deflateRawSync(bytes, { level: 9 });
  const encoded = Buffer.from(name);
  const fields = Buffer.concat([
    ...[u16(20), u16(0x800), u16(isStored ? 0 : 8), u32(0)],
    ...[u32(crc32(bytes)), u32(packed.length), u32(bytes.length), u16(encoded.length)],
  ]);
  return { fields, packed, name: encoded };
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
