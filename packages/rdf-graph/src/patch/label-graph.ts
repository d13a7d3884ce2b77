import type * as RDF from '@rdfjs/types';
import { rdfSyntaxError } from '../rdf/syntax-error.ts';
import { toTermKey } from '../sparql/functions/term-key.ts';
import { type PatternScope, parseLabelPattern, quotePattern, toPatternKey } from './label-pattern.ts';

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

/** Whether a quad belongs to the label graph: an instruction, never data. */
export function isLabelQuad(quad: RDF.Quad, vocabulary: LabelVocabulary): boolean {
  return quad.graph.termType === 'NamedNode' && quad.graph.value === vocabulary.graph;
}

/** A node of a label graph. */
export interface LabelNode {
  readonly patterns: readonly string[];
  readonly labels: readonly string[];
}

/** What the nodes of a label graph say; one may lack patterns or labels. */
export function readLabelNodes(quads: Iterable<RDF.Quad>, vocabulary: LabelVocabulary): LabelNode[] {
  const nodes = new Map<string, { patterns: string[]; labels: string[] }>();
  for (const { subject, predicate, object } of quads) {
    const key = toTermKey(subject);
    const node = nodes.get(key) ?? { patterns: [], labels: [] };
    nodes.set(key, node);
    if (predicate.value === vocabulary.pattern) node.patterns.push(object.value);
    if (predicate.value === vocabulary.label) node.labels.push(object.value);
  }
  return [...nodes.values()];
}

interface Rule {
  readonly patterns: string[];
  readonly labels: string[];
  isUsed: boolean;
}

/**
 * The rules of a label graph. A term of a pattern is written as in Turtle, with the document's prefixes and blank nodes;
 * `_`, `*`, `ANY` and `?name` match any term. A pattern without a graph matches in every graph. The pattern with the most
 * bound terms wins; between equal ones the earlier bound position; rules of one pattern add up.
 */
export class LabelRules {
  readonly #byMask = new Map<number, Map<string, Rule>>();
  /** Most specific first. */
  readonly #masks: readonly number[];

  /**
   * @throws `ERR_RDF_SYNTAX` (invalid) for a pattern that is none, or a node with a pattern and no label: loading such
   * data under a weaker label would show what was to be hidden
   */
  constructor(nodes: Iterable<LabelNode>, scope: PatternScope) {
    for (const { patterns, labels } of nodes) {
      for (const pattern of patterns) this.#add(pattern, labels, scope);
    }
    this.#masks = [...this.#byMask.keys()].sort((a, b) => bitCount(b) - bitCount(a) || b - a);
  }

  #add(pattern: string, labels: readonly string[], scope: PatternScope): void {
    if (labels.length === 0) throw labelError(`the pattern ${quotePattern(pattern)} has no label`);
    const { mask, key } = parseLabelPattern(pattern, scope);
    const rules = this.#byMask.get(mask) ?? new Map<string, Rule>();
    this.#byMask.set(mask, rules);
    const rule = rules.get(key) ?? { patterns: [], labels: [], isUsed: false };
    rules.set(key, rule);
    rule.patterns.push(pattern);
    for (const label of labels) if (!rule.labels.includes(label)) rule.labels.push(label);
  }

  /** The labels of the most specific patterns that match; `undefined` when none does. Cost: O(kinds of patterns). */
  find(quad: RDF.Quad): readonly string[] | undefined {
    for (const mask of this.#masks) {
      const rule = this.#byMask.get(mask)!.get(toPatternKey(quad, mask));
      if (rule !== undefined) return rule.labels;
    }
    return undefined;
  }

  /** Notes every rule that matches a quad, and says whether any does. */
  use(quad: RDF.Quad): boolean {
    let isMatched = false;
    for (const mask of this.#masks) {
      const rule = this.#byMask.get(mask)!.get(toPatternKey(quad, mask));
      if (rule === undefined) continue;
      rule.isUsed = true;
      isMatched = true;
    }
    return isMatched;
  }

  /** A pattern that has matched none of the quads so far. */
  firstUnused(): string | undefined {
    for (const rules of this.#byMask.values()) {
      for (const rule of rules.values()) if (!rule.isUsed) return rule.patterns[0];
    }
    return undefined;
  }
}

function bitCount(mask: number): number {
  return mask.toString(2).replaceAll('0', '').length;
}

function labelError(problem: string): Error {
  return rdfSyntaxError('label graph', problem);
}
