export interface PathMatch<Target> {
  readonly methods: ReadonlyMap<string, Target>;
  /** Decoded values of the path's variables. */
  readonly variables: ReadonlyMap<string, string>;
}

class Node<Target> {
  readonly fixed = new Map<string, Node<Target>>();
  variable: Node<Target> | undefined;
  readonly targets = new Map<string, Target>();
  /** The names that targets give a variable, and how many variables are before it. */
  readonly names = new Map<string, number>();
}

const NO_VARIABLES: ReadonlyMap<string, string> = new Map();

/**
 * Finds the target of a method and path. Paths are split on `/` before anything is percent-decoded, so that an
 * encoded slash belongs to its segment, and a fixed name wins over a variable. Cost: O(segments).
 */
export class Router<Target> {
  readonly #root = new Node<Target>();
  /** Paths without variables: most requests ask for one of few. */
  readonly #fixed = new Map<string, PathMatch<Target>>();
  readonly #methods = new Set<string>();

  /** Variables in the path are in braces. */
  add(method: string, path: string, target: Target): void {
    const names: string[] = [];
    let node = this.#root;
    for (const segment of path.split('/').slice(1)) {
      const name = /^\{(.+)\}$/.exec(segment)?.[1];
      if (name !== undefined) names.push(name);
      if (name === undefined) node = child(node, segment);
      else node = node.variable ??= new Node();
    }
    if (node.targets.has(method)) throw new Error(`two routes for ${method} ${path}`);
    node.targets.set(method, target);
    this.#methods.add(method);
    names.forEach((name, i) => void node.names.set(name, i));
    if (names.length === 0) this.#fixed.set(path, { methods: node.targets, variables: NO_VARIABLES });
  }

  /** The methods of all targets. */
  methods(): ReadonlySet<string> {
    return this.#methods;
  }

  /** `undefined` when no path matches. @throws `URIError` when a variable is not well encoded. */
  find(path: string): PathMatch<Target> | undefined {
    const fixed = this.#fixed.get(path);
    if (fixed !== undefined) return fixed;
    const values: string[] = [];
    const node = walk(this.#root, path.split('/'), 1, values);
    return node === undefined ? undefined : toMatch(node, values);
  }
}

function child<Target>(node: Node<Target>, segment: string): Node<Target> {
  const existing = node.fixed.get(segment);
  if (existing !== undefined) return existing;
  const created = new Node<Target>();
  node.fixed.set(segment, created);
  return created;
}

function walk<Target>(
  node: Node<Target>,
  segments: readonly string[],
  index: number,
  values: string[],
): Node<Target> | undefined {
  if (index === segments.length) return node.targets.size > 0 ? node : undefined;
  const segment = segments[index] as string;
  const fixed = node.fixed.get(segment);
  const found = fixed === undefined ? undefined : walk(fixed, segments, index + 1, values);
  if (found !== undefined || node.variable === undefined) return found;
  values.push(segment);
  const below = walk(node.variable, segments, index + 1, values);
  if (below === undefined) values.pop();
  return below;
}

function toMatch<Target>({ targets, names }: Node<Target>, values: readonly string[]): PathMatch<Target> {
  if (names.size === 0) return { methods: targets, variables: NO_VARIABLES };
  const variables = new Map<string, string>();
  for (const [name, i] of names) variables.set(name, decodeURIComponent(values[i] as string));
  return { methods: targets, variables };
}
