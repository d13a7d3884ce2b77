/** A file name that may be stored as data, or why it may not. */
export type FileNameCheck =
  | { readonly ok: true; readonly name: string }
  | { readonly ok: false; readonly reason: string };

const MAX_NAME_LENGTH = 255;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Checks the name of an uploaded file. It is data, never a path: folders before the last `/` or `\` are dropped. */
export function checkFileName(sent: string): FileNameCheck {
  const name = sent.slice(Math.max(sent.lastIndexOf('/'), sent.lastIndexOf('\\')) + 1);
  if (name.trim() === '') return refuse('the file has no name');
  if (name === '.' || name === '..') return refuse(`"${name}" is not a file name`);
  if (CONTROL.test(name)) return refuse('the file name holds control characters');
  if (LONE_SURROGATE.test(name)) return refuse('the file name is not valid Unicode');
  if (name.length > MAX_NAME_LENGTH) {
    return refuse(`the file name must have at most ${MAX_NAME_LENGTH} characters; got ${name.length}`);
  }
  return { ok: true, name };
}

function refuse(reason: string): FileNameCheck {
  return { ok: false, reason };
}
