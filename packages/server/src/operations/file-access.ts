import { CodedError, isCodedError } from '@cairn/errors';

const SYSTEM_CODE = /^E[A-Z0-9]+$/;
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: '; the disk is full: make room, or choose another disk',
  EDQUOT: '; the quota is used up: raise it, or choose another disk',
  EACCES: '; run this as the user whose it is, as the server does',
  EPERM: '; run this as the user whose it is, as the server does',
  EROFS: '; it is on a disk that is mounted read-only: mount it for writing, or copy what is there to another one',
  EIO: '; the disk is failing',
};

/** Runs a step. @throws its error by {@link toFileError} */
export async function naming<T>(action: 'read' | 'write', file: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw toFileError(action, file, error);
  }
}

/**
 * Returns a system error as `ERR_FILE_READ` or `ERR_FILE_WRITE` (unavailable), with the file or folder that it is about
 * and a way out; any other error as it is.
 */
export function toFileError(action: 'read' | 'write', file: string, error: unknown): unknown {
  const { code = '', message: said } = error as NodeJS.ErrnoException;
  if (isCodedError(error) || !SYSTEM_CODE.test(code)) return error;
  const message = `cannot ${action} ${file}: ${said}${ADVICE[code] ?? ''}`;
  const named = action === 'read' ? 'ERR_FILE_READ' : 'ERR_FILE_WRITE';
  return new CodedError({ code: named, kind: 'unavailable', message, cause: error });
}

/** Returns true if an error comes from a file system that is mounted read-only. */
export function isReadOnlyDisk(error: unknown): boolean {
  return codeOf(causeOf(error)) === 'EROFS';
}

const FORBIDDEN = new Set(['EACCES', 'EPERM', 'EROFS']);

/** Returns true if the system says that this user may not, or that nobody may write. */
export function isForbidden(error: unknown): boolean {
  return FORBIDDEN.has(codeOf(causeOf(error)) ?? '');
}

/** Returns the cause of a lower layer, or the error itself. */
export function causeOf(error: unknown): unknown {
  return isCodedError(error) ? (error.cause ?? error) : error;
}

/** Returns true if an error is what the operating system answered to a call: no such file, no permission, no room. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}
