export function createCounter(prefix = 'id'): () => string {
  let count = 0;
  return () => `${prefix}-${count++}`;
}
