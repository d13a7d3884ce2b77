import type * as RDF from '@rdfjs/types';
import type { AggregateName } from '../functions/aggregate.ts';

/** A variable or a fixed term at one place of a pattern. Blank nodes of a query are variables. */
export type PatternTerm =
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'term'; readonly term: RDF.Term };

/**
 * The active graph of a pattern: the dataset's default graph, one named graph, a variable over the named ones, or the
 * graph of a loop around it.
 */
export type PatternGraph =
  | { readonly type: 'default' }
  | { readonly type: 'loop'; readonly name: string }
  | PatternTerm;

export interface TriplePattern {
  readonly subject: PatternTerm;
  readonly predicate: PatternTerm;
  readonly object: PatternTerm;
  readonly graph: PatternGraph;
}

/** A property path; sequences, alternatives and inverses outside of closures were translated away. */
export type Path =
  | { readonly type: 'link'; readonly iri: RDF.Term }
  | { readonly type: 'inverse'; readonly path: Path }
  | { readonly type: 'sequence'; readonly paths: readonly Path[] }
  | { readonly type: 'alternative'; readonly paths: readonly Path[] }
  | { readonly type: 'zeroOrMore' | 'oneOrMore' | 'zeroOrOne'; readonly path: Path }
  | { readonly type: 'negated'; readonly forward: readonly RDF.Term[]; readonly backward: readonly RDF.Term[] };

/** An expression. `call` names an operator or function in lower case, or the IRI of a cast. */
export type Expression =
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'term'; readonly term: RDF.Term }
  | { readonly type: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly type: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | {
      readonly type: 'if';
      readonly condition: Expression;
      readonly consequent: Expression;
      readonly otherwise: Expression;
    }
  | { readonly type: 'coalesce'; readonly args: readonly Expression[] }
  | { readonly type: 'in'; readonly value: Expression; readonly list: readonly Expression[]; readonly negated: boolean }
  | { readonly type: 'bound'; readonly name: string }
  | { readonly type: 'exists'; readonly pattern: Algebra; readonly negated: boolean };

/** One aggregate of a group; without expression it is COUNT(*). */
export interface AggregateBinding {
  readonly variable: string;
  readonly name: AggregateName;
  readonly distinct: boolean;
  readonly separator: string | undefined;
  readonly expression: Expression | undefined;
}

export interface Assignment {
  readonly variable: string;
  readonly expression: Expression;
}

export interface OrderKey {
  readonly expression: Expression;
  readonly descending: boolean;
}

/** A query's pattern in the terms of SPARQL 1.1, section 18. */
export type Algebra =
  | { readonly type: 'bgp'; readonly patterns: readonly TriplePattern[] }
  | {
      readonly type: 'path';
      readonly subject: PatternTerm;
      readonly path: Path;
      readonly object: PatternTerm;
      readonly graph: PatternGraph;
    }
  | {
      readonly type: 'unquote';
      readonly variable: string;
      readonly terms: readonly [PatternTerm, PatternTerm, PatternTerm];
    }
  | { readonly type: 'join'; readonly operands: readonly Algebra[] }
  | {
      readonly type: 'leftJoin';
      readonly left: Algebra;
      readonly right: Algebra;
      readonly conditions: readonly Expression[];
    }
  | { readonly type: 'union'; readonly operands: readonly Algebra[] }
  | { readonly type: 'minus'; readonly left: Algebra; readonly right: Algebra }
  | { readonly type: 'filter'; readonly child: Algebra; readonly conditions: readonly Expression[] }
  /** One solution without variables where the dataset has a named graph of this name, else none. */
  | { readonly type: 'namedGraph'; readonly graph: RDF.Term }
  /** Evaluates the child in one named graph after the other; `loop` names the graph inside. */
  | { readonly type: 'graph'; readonly loop: string; readonly variable: string; readonly child: Algebra }
  | { readonly type: 'extend'; readonly child: Algebra; readonly assignments: readonly Assignment[] }
  | {
      readonly type: 'values';
      readonly variables: readonly string[];
      readonly rows: readonly (readonly (RDF.Term | undefined)[])[];
    }
  | {
      readonly type: 'group';
      readonly child: Algebra;
      readonly keys: readonly Assignment[];
      readonly aggregates: readonly AggregateBinding[];
    }
  | { readonly type: 'orderBy'; readonly child: Algebra; readonly keys: readonly OrderKey[] }
  | { readonly type: 'project'; readonly child: Algebra; readonly variables: readonly string[] }
  | { readonly type: 'distinct'; readonly child: Algebra; readonly isReduced: boolean }
  | { readonly type: 'slice'; readonly child: Algebra; readonly offset: number; readonly limit: number | undefined }
  | { readonly type: 'service'; readonly silent: boolean; readonly iri: string | undefined };
