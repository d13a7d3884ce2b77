/**
 * For each node the nearest of the `targets` along its parents, itself included; nodes that reach none are left out.
 * Among several at the same distance, the way through the parent with the smaller name (by UTF-16 code units) wins.
 * Breadth-first from all targets at once, from parents to children, so every edge is walked once and cycles end.
 * Cost: O(nodes log nodes + edges).
 */
export function nearestAncestors(
  parents: ReadonlyMap<string, readonly string[]>,
  targets: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const children = invert(parents);
  const nearest = new Map<string, string>();
  for (const target of targets) nearest.set(target, target);
  let level = [...targets].sort();
  while (level.length > 0) {
    const next: string[] = [];
    // The level is sorted, so the first parent to reach a child is the smallest at this distance.
    for (const parent of level) {
      for (const child of children.get(parent) ?? []) {
        if (nearest.has(child)) continue;
        nearest.set(child, nearest.get(parent) ?? parent);
        next.push(child);
      }
    }
    level = next.sort();
  }
  return nearest;
}

/** The children of each node, in the order of the parents' map. */
export function invert(parents: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const children = new Map<string, string[]>();
  for (const [child, ids] of parents) {
    for (const parent of ids) {
      const known = children.get(parent);
      if (known === undefined) children.set(parent, [child]);
      else known.push(child);
    }
  }
  return children;
}
