/** Settings from one source, by dotted key. */
export interface Layer {
  readonly source: string;
  readonly values: ReadonlyMap<string, unknown>;
}

/** A tree of settings with the values of a layer put over it; the tree given is not changed. */
export function withLayer(tree: Readonly<Record<string, unknown>>, layer: Layer): Record<string, unknown> {
  let result: Record<string, unknown> = { ...tree };
  for (const [key, value] of layer.values) result = withValue(result, key.split('.'), value);
  return result;
}

function withValue(
  tree: Readonly<Record<string, unknown>>,
  path: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [key, ...rest] = path as [string, ...string[]];
  if (rest.length === 0) return { ...tree, [key]: value };
  const below = tree[key];
  const isTree = typeof below === 'object' && below !== null && !Array.isArray(below);
  return { ...tree, [key]: withValue(isTree ? (below as Record<string, unknown>) : {}, rest, value) };
}
