import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { limitError, type ResolvedLimits } from './limits.ts';

/** Measure of a document, with fragments counted as often as they are spread. */
interface Measure {
  readonly depth: number;
  readonly aliases: number;
  readonly directives: number;
  readonly fields: number;
}

const NONE: Measure = { depth: 0, aliases: 0, directives: 0, fields: 0 };

const CHECKS: readonly (readonly [keyof Measure, keyof ResolvedLimits, string])[] = [
  ['depth', 'maxDepth', 'nest fields'],
  ['aliases', 'maxAliases', 'have aliases'],
  ['directives', 'maxDirectives', 'have directives'],
  ['fields', 'maxFields', 'have fields'],
];

type Fragments = Readonly<Record<string, FragmentDefinitionNode | undefined>>;
type Known = Map<string, Measure>;

/** The fragments of a document by name; the last one of a name. */
export function fragmentsOf(document: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  }
  return fragments;
}

/** The limits that a parsed document exceeds, as errors. Cost: O(document), whatever its fragments. */
export function checkMeasure(document: DocumentNode, limits: ResolvedLimits): GraphQLError[] {
  const [fragments, known] = [fragmentsOf(document), new Map<string, Measure>()];
  let total = NONE;
  for (const definition of document.definitions) {
    if (!('selectionSet' in definition)) continue;
    const own = { ...NONE, directives: definition.directives?.length ?? 0 };
    total = beside(total, beside(own, measureSelections(definition.selectionSet, fragments, known)));
  }
  return CHECKS.filter(([name, limit]) => total[name] > limits[limit]).map(([name, limit, what]) =>
    limitError(`a document may ${what} ${limits[limit]} times; got ${showCount(total[name])}`),
  );
}

/** Doubling fragments give numbers beyond all measure. */
export function showCount(count: number): string {
  return count > Number.MAX_SAFE_INTEGER ? 'far more' : String(count);
}

function measureSelections({ selections }: SelectionSetNode, fragments: Fragments, known: Known): Measure {
  let total = NONE;
  for (const selection of selections) {
    total = beside(total, { ...NONE, directives: selection.directives?.length ?? 0 });
    if (selection.kind === Kind.FRAGMENT_SPREAD)
      total = beside(total, measureFragment(selection.name.value, fragments, known));
    else {
      const set = selection.selectionSet;
      const inner = set === undefined ? NONE : measureSelections(set, fragments, known);
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        total = beside(total, inner);
        continue;
      }
      total = beside(total, {
        ...inner,
        depth: inner.depth + 1,
        fields: inner.fields + 1,
        aliases: inner.aliases + (selection.alias === undefined ? 0 : 1),
      });
    }
  }
  return total;
}

/** A fragment that leads back to itself counts as nothing there: validation refuses it. */
function measureFragment(name: string, fragments: Fragments, known: Known): Measure {
  const before = known.get(name);
  if (before !== undefined) return before;
  known.set(name, NONE);
  const fragment = fragments[name];
  const measure = fragment === undefined ? NONE : measureSelections(fragment.selectionSet, fragments, known);
  known.set(name, measure);
  return measure;
}

function beside(a: Measure, b: Measure): Measure {
  return {
    depth: Math.max(a.depth, b.depth),
    aliases: a.aliases + b.aliases,
    directives: a.directives + b.directives,
    fields: a.fields + b.fields,
  };
}
