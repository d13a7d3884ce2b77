import { nextTurn } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import { rdfSyntaxError } from '../../rdf/syntax-error.ts';
import { toTermKey } from '../../rdf/term-key.ts';
import { Pace } from '../store/scheduler.ts';
import { type PatternScope, parseLabelPattern, quotePattern, toPatternKey } from './label-pattern.ts';

/** Where fine-grained labels are among the quads of a document, and in which words. */
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

/** Returns true if a quad belongs to the label graph: an instruction, never data. */
export function isLabelQuad(quad: RDF.Quad, vocabulary: LabelVocabulary): boolean {
  return quad.graph.termType === 'NamedNode' && quad.graph.value === vocabulary.graph;
}

export interface LabelNode {
  readonly patterns: readonly string[];
  readonly labels: readonly string[];
}

/**
 * Work of reading a quad of a label graph, a pattern besides its letters, and each letter, as a {@link Pace} counts.
 */
const QUAD_WORK = 200;
const PATTERN_WORK = 2_000;
const LETTER_WORK = 10;

/** Reads the nodes of a label graph; one may lack patterns or labels. Others have their turn meanwhile. */
export async function readLabelNodes(quads: Iterable<RDF.Quad>, vocabulary: LabelVocabulary): Promise<LabelNode[]> {
  const nodes = new Map<string, { patterns: string[]; labels: string[] }>();
  const pace = new Pace();
  for (const { subject, predicate, object } of quads) {
    const key = toTermKey(subject);
    const node = nodes.get(key) ?? { patterns: [], labels: [] };
    nodes.set(key, node);
    if (predicate.value === vocabulary.pattern) node.patterns.push(object.value);
    if (predicate.value === vocabulary.label) node.labels.push(object.value);
    if (pace.did(QUAD_WORK)) await nextTurn();
  }
  return [...nodes.values()];
}

interface Rule {
  readonly patterns: string[];
  readonly labels: Set<string>;
  isUsed: boolean;
}

/**
 * The rules of a label graph. A term of a pattern is written as in Turtle, with the document's prefixes and blank nodes;
 * `_`, `*`, `ANY` and `?name` match any term. A pattern without a graph matches in every graph. The pattern with the most
 * bound terms wins; between equal ones the earlier bound position; rules of one pattern add up.
 */
export class LabelRules {
  readonly #byMask: ReadonlyMap<number, ReadonlyMap<string, Rule>>;
  /** Most specific first. */
  readonly #masks: readonly number[];

  private constructor(byMask: ReadonlyMap<number, ReadonlyMap<string, Rule>>) {
    this.#byMask = byMask;
    this.#masks = [...byMask.keys()].sort((a, b) => bitCount(b) - bitCount(a) || b - a);
  }

  /**
   * Reads the patterns of some nodes. Others have their turn meanwhile. Cost: O(their text).
   * @throws `ERR_RDF_SYNTAX` (invalid) for a pattern that is none, or a node with a pattern and no label: loading such
   * data under a weaker label would show what was to be hidden
   */
  static async read(nodes: Iterable<LabelNode>, scope: PatternScope): Promise<LabelRules> {
    const byMask = new Map<number, Map<string, Rule>>();
    const pace = new Pace();
    for (const { patterns, labels } of nodes) {
      for (const pattern of patterns) {
        addRule(byMask, pattern, labels, scope);
        if (pace.did(PATTERN_WORK + pattern.length * LETTER_WORK)) await nextTurn();
      }
    }
    return new LabelRules(byMask);
  }

  /** The labels of the most specific patterns that match; `undefined` when none does. Cost: O(kinds of patterns). */
  find(quad: RDF.Quad): Iterable<string> | undefined {
    for (const mask of this.#masks) {
      const rule = this.#byMask.get(mask)?.get(toPatternKey(quad, mask));
      if (rule !== undefined) return rule.labels;
    }
    return undefined;
  }

  /** Notes every rule that matches a quad, and says whether any does. */
  use(quad: RDF.Quad): boolean {
    let isMatched = false;
    for (const mask of this.#masks) {
      const rule = this.#byMask.get(mask)?.get(toPatternKey(quad, mask));
      if (rule === undefined) continue;
      rule.isUsed = true;
      isMatched = true;
    }
    return isMatched;
  }

  /** A pattern that gives more labels than a bound; a quad is stored once under each of them. */
  firstAbove(maxLabels: number): { readonly pattern: string; readonly labels: number } | undefined {
    for (const rules of this.#byMask.values()) {
      for (const { patterns, labels } of rules.values()) {
        if (labels.size > maxLabels) return { pattern: patterns[0], labels: labels.size };
      }
    }
    return undefined;
  }

  /** A pattern that has matched none of the quads so far. */
  firstUnused(): string | undefined {
    for (const rules of this.#byMask.values()) {
      for (const rule of rules.values()) if (!rule.isUsed) return rule.patterns[0];
    }
    return undefined;
  }
}

function addRule(
  byMask: Map<number, Map<string, Rule>>,
  pattern: string,
  labels: readonly string[],
  scope: PatternScope,
): void {
  if (labels.length === 0) throw labelError(`the pattern ${quotePattern(pattern)} has no label`);
  const { mask, key } = parseLabelPattern(pattern, scope);
  const rules = byMask.get(mask) ?? new Map<string, Rule>();
  byMask.set(mask, rules);
  const rule = rules.get(key) ?? { patterns: [], labels: new Set<string>(), isUsed: false };
  rules.set(key, rule);
  rule.patterns.push(pattern);
  for (const label of labels) rule.labels.add(label);
}

function bitCount(mask: number): number {
  return mask.toString(2).replaceAll('0', '').length;
}

function labelError(problem: string): Error {
  return rdfSyntaxError('label graph', problem);
}
