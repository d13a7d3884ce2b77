import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { CodedError } from '@cairn/errors';
import { closing, linkIfAbsent, readWholeFile } from './durable-file.ts';
import { type FileSystem, isNoRoom, nodeFileSystem } from './file-system.ts';
import { currentProcess, isAlive, type ProcessIdentity } from './process-identity.ts';

/** A folder that one process holds for itself. */
export interface DirectoryLock {
  /** Returns false when the lock was removed, or is another's; true also when it cannot be read now. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

interface Owner extends ProcessIdentity {
  /** Unique per lock taken. */
  readonly token: string;
}

/**
 * Takes the file `lock` of a folder for as long as the process lives. The lock of a process that has died is taken
 * over, also after kill -9. Works among the processes of one machine, not among machines. On a full disk the lock is an
 * empty file, and its owner is in the name of another beside it.
 * @throws `ERR_LOG_LOCKED` (conflict) naming the process that holds it
 */
export async function lockDirectory(directory: string, fs: FileSystem = nodeFileSystem): Promise<DirectoryLock> {
  const lock = await acquire(path.join(directory, 'lock'), fs);
  await removeLeftOvers(directory, fs);
  return lock;
}

/** Drafts and claims of processes that died while they took the lock. */
async function removeLeftOvers(directory: string, fs: FileSystem): Promise<void> {
  for (const { name } of await fs.list(directory)) {
    if (!name.startsWith('lock.')) continue;
    const file = path.join(directory, name);
    const owner = ownerNamed(name) ?? (await readOwner(file, fs));
    if (owner !== undefined && !isAlive(owner)) await fs.remove(file);
  }
}

/**
 * Links a finished file into place, so that a lock is never seen half written. A stale lock is replaced by the process
 * that holds the lock on taking over exactly that lock (`lock.TOKEN`), so that only one of two takers gets it.
 */
async function acquire(file: string, fs: FileSystem): Promise<DirectoryLock> {
  const owner: Owner = { ...currentProcess(), token: randomUUID() };
  const draft = `${file}.${owner.pid}.${owner.started}.${owner.boot}.${owner.token}.tmp`;
  const isWritten = await writeOwner(draft, owner, fs).catch((error: unknown) => refuseIfHeld(file, fs, error));
  let isHeld = false;
  try {
    while (!(await linkIfAbsent(fs, draft, file))) {
      const holder = await readOwner(file, fs, owner);
      if (holder === undefined) continue;
      if (isAlive(holder)) throw locked(file, holder);
      if (await takeOver(file, holder, { draft, isWritten, owner }, fs)) break;
    }
    isHeld = true;
  } finally {
    if (isWritten || !isHeld) await fs.remove(draft);
  }
  return {
    // An empty one is its owner's as long as the owner's name stands beside it.
    isHeld: () =>
      readWholeFile(fs, file)
        .then((text) => isOf(text, owner, fs, draft))
        .catch(() => true),
    release: async () => {
      const holder = await readOwner(file, fs);
      if (holder?.token === owner.token) await fs.remove(file);
      await fs.remove(draft);
    },
  };
}

async function isOf(text: Buffer | undefined, owner: Owner, fs: FileSystem, draft: string): Promise<boolean> {
  if (text === undefined) return false;
  return text.length === 0 ? (await fs.sizeOf(draft)) !== undefined : text.includes(owner.token);
}

/** A process without write access can still see that another holds the lock. @throws `ERR_LOG_LOCKED`, else the error */
async function refuseIfHeld(file: string, fs: FileSystem, error: unknown): Promise<never> {
  const holder = await readOwner(file, fs).catch(() => undefined);
  throw holder !== undefined && isAlive(holder) ? locked(file, holder) : error;
}

async function takeOver(
  file: string,
  stale: Owner,
  { draft, isWritten, owner }: { readonly draft: string; readonly isWritten: boolean; readonly owner: Owner },
  fs: FileSystem,
): Promise<boolean> {
  const claim = await acquire(`${file}.${stale.token}`, fs);
  try {
    const holder = await readOwner(file, fs, owner);
    if (holder?.token !== stale.token) return false;
    if (isWritten) await fs.rename(draft, file);
    else {
      // The draft stays, because its name says whose the lock is. Another taker finds this process alive.
      await fs.link(draft, `${draft}.link`);
      await fs.rename(`${draft}.link`, file);
    }
    return true;
  } finally {
    await claim.release();
  }
}

/** Returns true if there was room for it; otherwise the file is empty. */
async function writeOwner(file: string, owner: Owner, fs: FileSystem): Promise<boolean> {
  const text = JSON.stringify({ format: 'cairn-lock', version: 1, ...owner });
  return closing(await fs.open(file, 'create'), async (handle) => {
    try {
      await handle.write(Buffer.from(text), 0);
      await handle.sync();
      return true;
    } catch (error) {
      if (isNoRoom(error)) {
        await handle.truncate(0);
        return false;
      }
      await fs.remove(file);
      throw error;
    }
  });
}

const NAMED_OWNER = /\.(\d+)\.([^.]*)\.([^.]*)\.([0-9a-f-]{36})\.tmp$/;

function ownerNamed(name: string): Owner | undefined {
  const [, pid, started = '', boot = '', token] = NAMED_OWNER.exec(name) ?? [];
  return token === undefined ? undefined : { pid: Number(pid), started, boot, token };
}

/** Returns the owner of an empty lock: a living process among those that tried to take it, except `taker`. */
async function ownerBeside(file: string, fs: FileSystem, taker: Owner | undefined): Promise<Owner | undefined> {
  const names = (await fs.list(path.dirname(file))).map(({ name }) => name);
  const drafts = names.filter((name) => name.replace(NAMED_OWNER, '') === path.basename(file));
  return drafts
    .flatMap((name) => ownerNamed(name) ?? [])
    .find((owner) => owner.token !== taker?.token && isAlive(owner));
}

/**
 * Returns the owner in a lock file; `undefined` when the file has gone. A damaged one (power loss) counts as stale. A
 * process about to take the lock does not hold it yet.
 */
async function readOwner(file: string, fs: FileSystem, taker?: Owner): Promise<Owner | undefined> {
  const text = (await readWholeFile(fs, file))?.toString('utf8');
  if (text === undefined) return undefined;
  const beside = text === '' ? await ownerBeside(file, fs, taker) : undefined;
  if (beside !== undefined) return beside;
  try {
    const { pid, started, boot, token } = JSON.parse(text) as Owner;
    if (Number.isSafeInteger(pid) && /^[0-9a-f-]{36}$/.test(token)) return { pid, started, boot, token };
  } catch {}
  return { pid: 0, started: '', boot: 'damaged', token: 'damaged' };
}

function locked(file: string, holder: Owner): CodedError {
  const message = `process ${holder.pid} holds ${file}; stop it first`;
  return new CodedError({ code: 'ERR_LOG_LOCKED', kind: 'conflict', message });
}
