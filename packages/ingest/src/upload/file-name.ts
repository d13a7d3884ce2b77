const MAX_NAME_LENGTH = 255;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** The name in what a sender calls a file: folders before the last `/` or `\` are dropped. */
export function baseName(sent: string): string {
  return sent.slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1);
}

/** Why a file name may not be stored as data; `undefined` for one that may. */
export function findNameFault(name: string): string | undefined {
  if (name.trim() === '') return 'the file has no name';
  if (name === '.' || name === '..') return `"${name}" is not a file name`;
  if (CONTROL.test(name)) return 'the file name holds control characters';
  if (LONE_SURROGATE.test(name)) return 'the file name is not valid Unicode';
  if (name.length <= MAX_NAME_LENGTH) return undefined;
  return `the file name must have at most ${MAX_NAME_LENGTH} characters; got ${name.length}`;
}
