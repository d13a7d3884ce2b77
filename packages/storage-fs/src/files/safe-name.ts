const MAX_CHUNK = 220;

/**
 * Returns the relative path for a name of `A-Z a-z 0-9 . _ - /`, one to one even where the file system ignores case. A
 * capital becomes `+` and its small letter, a folder ends with `=` (so that `a` and `a/b` do not collide), a part of
 * more than 220 characters continues in a folder that ends with `~`.
 */
export function toSafePath(name: string): string {
  return name
    .split('/')
    .map((segment) => chunk(escapeSegment(segment)))
    .join('=/');
}

/** Returns the name for a path of {@link toSafePath}; `undefined` when it is none. */
export function fromSafePath(safePath: string): string | undefined {
  const name = safePath
    .replaceAll('~/', '')
    .replaceAll('=/', '/')
    .replace(/\+([a-z])/g, (_, letter: string) => letter.toUpperCase())
    .replace(/%2e/g, '.');
  return toSafePath(name) === safePath ? name : undefined;
}

/** All small letters; a leading dot is escaped so that no file is hidden. */
function escapeSegment(segment: string): string {
  return segment.replace(/[A-Z]/g, (letter) => `+${letter.toLowerCase()}`).replace(/^\./, '%2e');
}

function chunk(segment: string): string {
  const chunks: string[] = [];
  for (let start = 0; start < segment.length; start += MAX_CHUNK) chunks.push(segment.slice(start, start + MAX_CHUNK));
  return chunks.join('~/');
}
