/** Returns true if an error is what the operating system answered to a call: no such file, no permission, no room. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';
}
