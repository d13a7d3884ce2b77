import type * as Ast from 'sparqljs';
import type { Algebra, PatternGraph } from './algebra.ts';

/** The rules for what may be inside anything else: patterns hold expressions, which hold patterns. */
export interface TranslationRules {
  group(patterns: readonly Ast.Pattern[], at: Translation): Algebra;
  subQuery(query: Ast.SelectQuery, at: Translation): Algebra;
}

/** State of a translation: names for fresh variables, the active graph, and the scope of the sub-query. */
export interface Translation {
  readonly rules: TranslationRules;
  readonly graph: PatternGraph;
  /** The name in the algebra of a variable of the text: hidden variables of sub-queries get names of their own. */
  rename(name: string): string;
  fresh(): string;
  /** Counts sub-queries, for the names of their hidden variables. */
  nextScope(): number;
}

export function createTranslation(rules: TranslationRules): Translation {
  let variables = 0;
  let scopes = 0;
  return {
    rules,
    graph: { type: 'default' },
    rename: (name) => name,
    fresh: () => `.${variables++}`,
    nextScope: () => scopes++,
  };
}

/** The same translation inside of a sub-query that shows only `visible` variables to the outside. */
export function inSubQuery(translation: Translation, visible: ReadonlySet<string>): Translation {
  const scope = translation.nextScope();
  return {
    ...translation,
    rename: (name) => (visible.has(name) ? translation.rename(name) : `${name}.${scope}`),
  };
}
