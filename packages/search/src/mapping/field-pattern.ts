/**
 * The test of a path against a pattern in which `*` stands for any characters, dots included. Matching is linear in the
 * path: there is no backtracking past the last `*`.
 */
export function compileFieldPattern(pattern: string): (path: string) => boolean {
  if (pattern === '*') return () => true;
  if (!pattern.includes('*')) return (path) => path === pattern;
  const [head, ...rest] = pattern.split('*');
  const tail = rest.pop() ?? '';
  return (path) => fits(path, head, rest, tail);
}

function fits(path: string, head: string, middle: readonly string[], tail: string): boolean {
  if (path.length < head.length + tail.length || !path.startsWith(head) || !path.endsWith(tail)) return false;
  const end = path.length - tail.length;
  let offset = head.length;
  for (const part of middle) {
    const found = path.indexOf(part, offset);
    if (found < 0 || found + part.length > end) return false;
    offset = found + part.length;
  }
  return true;
}
