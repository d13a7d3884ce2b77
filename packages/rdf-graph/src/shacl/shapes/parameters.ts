import type * as RDF from '@rdfjs/types';
import { RDF_LANG_STRING, xsd } from '../../rdf/vocabulary.ts';
import { compileRegex } from '../../xpath/regex.ts';
import { shName } from '../vocabulary.ts';

/** Returns what a value must be; `undefined` when it is. */
type ValueRule = (value: RDF.Term) => string | undefined;

/** Rule of SHACL for the values of one parameter or property of a shape. */
export interface ParameterRule {
  /** Rule for each value, or for each member where the value must be a list. */
  readonly value: ValueRule;
  readonly isList?: true;
  /** How many values a shape may have. Default any number. */
  readonly max?: 1;
  /** True when the values (or the members) are shapes themselves. */
  readonly isShape?: true;
  /** True when only a shape with sh:path may have it. */
  readonly needsPath?: true;
  /** True when having it says nothing about being a shape. */
  readonly isAnnotation?: true;
}

const NODE_KINDS: readonly string[] = [
  'BlankNode',
  'IRI',
  'Literal',
  'BlankNodeOrIRI',
  'BlankNodeOrLiteral',
  'IRIOrLiteral',
];

function mustBe(what: string, isIt: (value: RDF.Term) => boolean): ValueRule {
  return (value) => (isIt(value) ? undefined : `must be ${what}`);
}

function isLiteralOf(value: RDF.Term, datatype: string): boolean {
  return value.termType === 'Literal' && value.datatype.value === datatype;
}

const isString = (value: RDF.Term): boolean => isLiteralOf(value, xsd.string);

const rule = {
  anyTerm: () => undefined,
  iri: mustBe('an IRI', ({ termType }) => termType === 'NamedNode'),
  literal: mustBe('a literal', ({ termType }) => termType === 'Literal'),
  iriOrLiteral: mustBe('an IRI or a literal', ({ termType }) => termType !== 'BlankNode'),
  node: mustBe('a shape: an IRI or blank node', ({ termType }) => termType !== 'Literal'),
  integer: mustBe('an xsd:integer', (value) => isLiteralOf(value, xsd.integer) && /^[+-]?\d+$/.test(value.value)),
  boolean: mustBe(
    'an xsd:boolean',
    (value) => isLiteralOf(value, xsd.boolean) && /^(?:true|false|1|0)$/.test(value.value),
  ),
  string: mustBe('an xsd:string', isString),
  text: mustBe('a text', (value) => isString(value) || isLiteralOf(value, RDF_LANG_STRING)),
  nodeKind: mustBe(`one of sh:${NODE_KINDS.join(', sh:')}`, (value) => NODE_KINDS.includes(shName(value) ?? '')),
};

/** Every property of SHACL Core that shapes have, by local name; sh:path has rules of its own. */
export const PARAMETERS: Readonly<Record<string, ParameterRule>> = {
  targetClass: { value: rule.iri },
  targetNode: { value: rule.iriOrLiteral },
  targetSubjectsOf: { value: rule.iri },
  targetObjectsOf: { value: rule.iri },
  severity: { value: rule.iri, max: 1 },
  message: { value: rule.text, isAnnotation: true },
  deactivated: { value: rule.boolean, max: 1 },
  name: { value: rule.text, isAnnotation: true },
  description: { value: rule.text, isAnnotation: true },

  class: { value: rule.iri },
  datatype: { value: rule.iri, max: 1 },
  nodeKind: { value: rule.nodeKind, max: 1 },
  minCount: { value: rule.integer, max: 1, needsPath: true },
  maxCount: { value: rule.integer, max: 1, needsPath: true },
  minExclusive: { value: rule.literal, max: 1 },
  minInclusive: { value: rule.literal, max: 1 },
  maxExclusive: { value: rule.literal, max: 1 },
  maxInclusive: { value: rule.literal, max: 1 },
  minLength: { value: rule.integer, max: 1 },
  maxLength: { value: rule.integer, max: 1 },
  pattern: { value: rule.string },
  flags: { value: rule.string, max: 1, isAnnotation: true },
  languageIn: { value: rule.string, isList: true, max: 1 },
  uniqueLang: { value: rule.boolean, max: 1, needsPath: true },
  equals: { value: rule.iri },
  disjoint: { value: rule.iri },
  lessThan: { value: rule.iri, needsPath: true },
  lessThanOrEquals: { value: rule.iri, needsPath: true },
  not: { value: rule.node, isShape: true },
  and: { value: rule.node, isList: true, isShape: true },
  or: { value: rule.node, isList: true, isShape: true },
  xone: { value: rule.node, isList: true, isShape: true },
  node: { value: rule.node, isShape: true },
  property: { value: rule.node, isShape: true },
  qualifiedValueShape: { value: rule.node, isShape: true },
  qualifiedMinCount: { value: rule.integer, max: 1 },
  qualifiedMaxCount: { value: rule.integer, max: 1 },
  qualifiedValueShapesDisjoint: { value: rule.boolean, max: 1 },
  closed: { value: rule.boolean, max: 1 },
  ignoredProperties: { value: rule.iri, isList: true, max: 1, isAnnotation: true },
  hasValue: { value: rule.anyTerm },
  in: { value: rule.anyTerm, isList: true, max: 1 },
};

/** Triples that are read between two chances to pause. */
export const TRIPLES_PER_STEP = 256;

/** Longer patterns are compiled for longer than a check of shapes may take, in UTF-16 units. */
const MAX_PATTERN_UNITS = 10_000;

/** Returns why a pattern with its flags cannot be matched in linear time; `undefined` when it can. */
export function patternProblem(pattern: string, flags: string): string | undefined {
  if (pattern.length > MAX_PATTERN_UNITS) {
    return `must have at most ${MAX_PATTERN_UNITS} characters; got ${pattern.length}`;
  }
  try {
    compileRegex(pattern, flags);
    return undefined;
  } catch (error) {
    return `must be a regular expression that runs in linear time: ${error instanceof Error ? error.message : ''}`;
  }
}
