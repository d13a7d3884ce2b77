import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

export const BATCH_EVENTS = 1000;
export const VALUE_BYTES = 70;

/** The value with a number: 70 bytes of its own. */
export function valueAt(number) {
  const value = Buffer.alloc(VALUE_BYTES, number & 255);
  value.writeUInt32LE(number, 0);
  return value;
}

/** A sum that depends on each value read, and on the order. */
export function createSum() {
  let sum = 0;
  return {
    add(bytes) {
      const number = bytes[0] | (bytes[1] << 8) | (bytes[2] << 16) | (bytes[3] << 24);
      sum = (Math.imul(sum, 31) + number + bytes[VALUE_BYTES - 1]) | 0;
    },
    get value() {
      return sum;
    },
  };
}

export async function timed(run) {
  const start = performance.now();
  await run();
  return Math.round(performance.now() - start);
}

export function diskBytes(directory) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, file) => sum + statSync(path.join(file.parentPath, file.name)).blocks * 512, 0);
}
