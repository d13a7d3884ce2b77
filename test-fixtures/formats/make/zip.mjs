// A zip archive of text or bytes, always the same for the same input. `stored` entries are not compressed.
import { crc32, deflateRawSync } from 'node:zlib';

export function zip(entries) {
  const locals = [];
  const directory = [];
  let offset = 0;
  for (const { name, content, stored = false, flags = 0x800, size, raw } of entries) {
    const bytes = Buffer.from(content);
    const packed = raw ?? (stored ? bytes : deflateRawSync(bytes, { level: 9 }));
    const common = commonFields({ bytes, packed, method: stored ? 0 : 8, flags, size: size ?? bytes.length, name });
    const local = Buffer.concat([u32(0x04034b50), common, u16(0), Buffer.from(name), packed]);
    directory.push(Buffer.concat([u32(0x02014b50), u16(20), common, u16(0), u16(0), u16(0), u16(0), u32(0), u32(offset), Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = [u32(0x06054b50), u16(0), u16(0), u16(entries.length), u16(entries.length), u32(central.length), u32(offset), u16(0)];
  return Buffer.concat([...locals, central, ...end]);
}

function commonFields({ bytes, packed, method, flags, size, name }) {
  // 2024-01-01 00:00 in DOS time.
  const date = ((2024 - 1980) << 9) | (1 << 5) | 1;
  return Buffer.concat([
    u16(20), u16(flags), u16(method), u16(0), u16(date), u32(crc32(bytes)), u32(packed.length), u32(size),
    u16(Buffer.byteLength(name)),
    // The length of the extra field.
  ]);
}

function u16(value) {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16LE(value);
  return buffer;
}

function u32(value) {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value >>> 0);
  return buffer;
}
