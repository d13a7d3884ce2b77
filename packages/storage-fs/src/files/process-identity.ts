import { readFileSync } from 'node:fs';

/** A running process, told apart from a later one that got the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time as the system gives it; empty where unknown. */
  readonly started: string;
  /** Identifies the run of the machine; empty where unknown. */
  readonly boot: string;
}

export function currentProcess(): ProcessIdentity {
  return { pid: process.pid, started: statusOf(process.pid).started, boot: bootId() };
}

export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.boot !== bootId()) return false;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const { state, started } = statusOf(identity.pid);
  // A killed process that nobody has waited for yet still has its number, but will never write again.
  return state !== 'Z' && state !== 'X' && identity.started === started;
}

function bootId(): string {
  return readText('/proc/sys/kernel/random/boot_id').trim();
}

/** Fields 3 and 22 of `/proc/PID/stat`, the first and the 20th after the name in parentheses; empty where unknown. */
function statusOf(pid: number): { readonly state: string; readonly started: string } {
  const stat = readText(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', started: fields[19] ?? '' };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
