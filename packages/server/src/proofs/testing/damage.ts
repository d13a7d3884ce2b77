import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Damage to a file, or for `exchange` a folder, under a data directory. */
export interface Damage {
  /** Relative to the data directory. */
  readonly file: string;
  readonly how: 'flip' | 'cut' | 'remove' | 'swap' | 'exchange';
  /** The other file of a swap, which is damaged as well. */
  readonly other?: string;
  /** For people: where, how much, with which. */
  readonly detail: string;
}

/** Every regular file under a data directory, in order. */
export function filesUnder(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** Flips a bit, cuts, removes, or swaps with another of its kind, one file under a directory. */
export function doDamage(directory: string, random: (bound: number) => number): Damage {
  const files = filesUnder(directory);
  const kinds = [...new Set(files.map(kindOf))];
  // A kind first: there are many more caches than anything else.
  const kind = kinds[random(kinds.length)] as string;
  const candidates = files.filter((file) => kindOf(file) === kind);
  const file = candidates[random(candidates.length)] as string;
  const content = readFileSync(path.join(directory, file));
  const others = candidates.filter((other) => !readFileSync(path.join(directory, other)).equals(content));
  const how = (['flip', 'cut', 'remove', 'swap'] as const)[random(4)] as Damage['how'];
  if (how === 'remove') rmSync(path.join(directory, file));
  if (how === 'remove') return { file, how, detail: '' };
  if (how === 'swap' && others.length > 0) return swap(directory, file, others[random(others.length)] as string);
  return how === 'cut' ? cut(directory, file, random) : flip(directory, file, random);
}

/** Returns what can be exchanged with another data directory: folders, and manifests of caches that differ. */
export function exchangeable(directory: string, other: string): string[] {
  const manifests = filesUnder(directory).filter((file) => kindOf(file) === 'cache manifest');
  const content = (root: string, file: string): Buffer => readFileSync(path.join(root, file));
  const isOther = (file: string): boolean =>
    existsSync(path.join(other, file)) && !content(directory, file).equals(content(other, file));
  return ['blobs', 'log', ...manifests.filter(isOther)];
}

/** Puts a file or folder of another data directory in the place of the one under a directory. */
export function exchange(directory: string, other: string, file: string): Damage {
  rmSync(path.join(directory, file), { recursive: true });
  cpSync(path.join(other, file), path.join(directory, file), { recursive: true, preserveTimestamps: true });
  return { file, how: 'exchange', detail: 'with that of another directory' };
}

function flip(directory: string, file: string, random: (bound: number) => number): Damage {
  const bytes = readFileSync(path.join(directory, file));
  if (bytes.length === 0) return { file, how: 'flip', detail: 'it is empty' };
  const [at, bit] = [random(bytes.length), random(8)];
  bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
  writeFileSync(path.join(directory, file), bytes);
  return { file, how: 'flip', detail: `bit ${bit} of byte ${at} of ${bytes.length}` };
}

function cut(directory: string, file: string, random: (bound: number) => number): Damage {
  const bytes = readFileSync(path.join(directory, file));
  const left = random(Math.max(1, bytes.length));
  writeFileSync(path.join(directory, file), bytes.subarray(0, left));
  return { file, how: 'cut', detail: `${left} of ${bytes.length} bytes are left` };
}

/** Puts each of two files under a directory in the place of the other. */
export function swap(directory: string, file: string, other: string): Damage {
  const [mine, its] = [readFileSync(path.join(directory, file)), readFileSync(path.join(directory, other))];
  writeFileSync(path.join(directory, file), its);
  writeFileSync(path.join(directory, other), mine);
  return { file, how: 'swap', other, detail: `with ${other}` };
}

/** Files that stand for the same thing of different topics, caches or contents. */
function kindOf(file: string): string {
  const name = path.basename(file);
  if (file.startsWith('log/topics/')) return 'log segment';
  if (file.startsWith('blobs/blobs/caches=')) return `cache ${name.replace(/-.*/, '')}`;
  if (file.startsWith('blobs/blobs/')) return 'value';
  if (file.startsWith('blobs/manifests/applied=')) return 'applied ids';
  if (file.startsWith('blobs/manifests/caches=')) return name === 'generation' ? 'generation' : 'cache manifest';
  return file;
}
