import type * as RDF from '@rdfjs/types';
import { Parser } from 'n3';
import { rdfSyntaxError } from '../rdf/syntax-error.ts';
import { toTermKey } from '../sparql/functions/term-key.ts';

/** Where fine-grained labels stand among the quads of a document, and in which words. */
export interface LabelVocabulary {
  /** IRI of the graph. Default `http://telicent.io/security#labels`. */
  readonly graph: string;
  /** IRI of the property that holds a pattern: `s p o` or `s p o g` as text. Default `http://telicent.io/security#pattern`. */
  readonly pattern: string;
  /** IRI of the property that holds a label. Default `http://telicent.io/security#label`. */
  readonly label: string;
}

const SECURITY = 'http://telicent.io/security#';

/** The words that existing clients write. */
export const LABEL_VOCABULARY: LabelVocabulary = {
  graph: `${SECURITY}labels`,
  pattern: `${SECURITY}pattern`,
  label: `${SECURITY}label`,
};

/** Finds the labels that a label graph gives a quad. */
export interface LabelRules {
  /** The labels of the most specific patterns that match; `undefined` when none does. */
  find(quad: RDF.Quad): readonly string[] | undefined;
}

/** Whether a quad belongs to the label graph: an instruction, never data. */
export function isLabelQuad(quad: RDF.Quad, vocabulary: LabelVocabulary): boolean {
  return quad.graph.termType === 'NamedNode' && quad.graph.value === vocabulary.graph;
}

/**
 * The rules of a label graph. A term of a pattern is written as in Turtle, with the document's prefixes; `_`, `*`, `ANY`
 * and `?name` match any term. A pattern without a graph matches in every graph. The pattern with the most bound terms
 * wins; between equal ones the earlier bound position; rules of one pattern add up.
 * @throws `ERR_RDF_SYNTAX` (invalid) for a pattern that is none, or a node with a pattern and no label: loading such data
 * under a weaker label would show what was to be hidden
 */
export function createLabelRules(
  quads: Iterable<RDF.Quad>,
  prefixes: ReadonlyMap<string, string>,
  vocabulary: LabelVocabulary,
): LabelRules {
  const byMask = new Map<number, Map<string, string[]>>();
  for (const { pattern, labels } of readNodes(quads, vocabulary)) {
    const { mask, key } = parsePattern(pattern, prefixes);
    const rules = byMask.get(mask) ?? new Map<string, string[]>();
    byMask.set(mask, rules);
    rules.set(key, [...new Set([...(rules.get(key) ?? []), ...labels])]);
  }
  const masks = [...byMask.keys()].sort((a, b) => bitCount(b) - bitCount(a) || b - a);
  return {
    find(quad) {
      const terms = [quad.subject, quad.predicate, quad.object, quad.graph];
      for (const mask of masks) {
        const labels = byMask.get(mask)!.get(toKey(terms, mask));
        if (labels !== undefined) return labels;
      }
      return undefined;
    },
  };
}

interface LabelNode {
  readonly pattern: string;
  readonly labels: string[];
}

function readNodes(quads: Iterable<RDF.Quad>, vocabulary: LabelVocabulary): LabelNode[] {
  const nodes = new Map<string, { patterns: string[]; labels: string[] }>();
  for (const { subject, predicate, object } of quads) {
    const key = toTermKey(subject);
    const node = nodes.get(key) ?? { patterns: [], labels: [] };
    nodes.set(key, node);
    if (predicate.value === vocabulary.pattern) node.patterns.push(object.value);
    if (predicate.value === vocabulary.label) node.labels.push(object.value);
  }
  return [...nodes.values()].flatMap(({ patterns, labels }) => {
    if (patterns.length > 0 && labels.length === 0) throw labelError('a pattern has no label');
    return patterns.map((pattern) => ({ pattern, labels }));
  });
}

const WILDCARD = 'urn:x-cairn:any-term';
const WILDCARD_WORDS = /(?<=^|\s)(?:_|\*|ANY|\?\w*)(?=\s|$)/g;

/** The bits of the mask: subject 8, predicate 4, object 2, graph 1. */
function parsePattern(text: string, prefixes: ReadonlyMap<string, string>): { mask: number; key: string } {
  const declarations = [...prefixes].map(([prefix, iri]) => `PREFIX ${prefix}: <${iri}>\n`).join('');
  const statement = text.replace(WILDCARD_WORDS, `<${WILDCARD}>`).replace(/\s*\.?\s*$/, ' .');
  const quads = parseStatement(declarations + statement);
  if (quads.length !== 1) throw labelError('a pattern must be three or four terms');
  const [{ subject, predicate, object, graph }] = quads as [RDF.Quad];
  const terms = [subject, predicate, object, graph];
  const isBound = (term: RDF.Term): boolean => term.value !== WILDCARD && term.termType !== 'DefaultGraph';
  const mask = terms.reduce((bits, term, index) => bits | (isBound(term) ? 8 >> index : 0), 0);
  return { mask, key: toKey(terms, mask) };
}

function parseStatement(text: string): RDF.Quad[] {
  try {
    return new Parser().parse(text) as RDF.Quad[];
  } catch (cause) {
    throw labelError('a pattern cannot be read', cause);
  }
}

function toKey(terms: readonly RDF.Term[], mask: number): string {
  return terms.map((term, index) => ((mask & (8 >> index)) === 0 ? '' : toTermKey(term))).join('\n');
}

function bitCount(mask: number): number {
  return mask.toString(2).replaceAll('0', '').length;
}

function labelError(problem: string, cause?: unknown): Error {
  return rdfSyntaxError('label graph', problem, undefined, { cause });
}
