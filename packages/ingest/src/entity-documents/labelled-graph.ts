import { type GraphDataset, type LabelledQuad, namedNode, type QuadPattern } from '@cairn/rdf-graph';
import { conjunction, disjunction } from '../entities/labels.ts';
import type { EntityMapping } from './mapping.ts';
import type { PathStep, PropertyPath } from './property-path.ts';

export type Quad = LabelledQuad['quad'];
/** A term of any RDF/JS implementation. */
export type Term = Quad['subject'] | Quad['object'];

/** A term, and who may see that it is there. */
export interface LabelledTerm {
  readonly term: Term;
  readonly label: string;
}

/** A statement about a node: a quad without its graph, and its label. */
export interface Statement {
  readonly subject: Term;
  readonly predicate: string;
  readonly object: Term;
  readonly label: string;
}

/** A node and everything said about it, once for every label it is said under. */
export interface Description {
  readonly subject: Term;
  readonly statements: readonly Statement[];
}

/** Where a walk starts; what is known about the node already need not be read again. */
export type Start = Pick<Description, 'subject'> & Partial<Description>;

/** Reads the datasets of entities with their labels, all graphs as one. For projections, never for answers. */
export class LabelledGraph {
  readonly mapping: EntityMapping;
  readonly #datasets: readonly GraphDataset[];

  constructor(datasets: readonly GraphDataset[], mapping: EntityMapping) {
    this.mapping = mapping;
    this.#datasets = datasets;
  }

  async describe(subject: Term): Promise<Description> {
    return { subject, statements: await this.#read({ subject }) };
  }

  /** Every value at the end of a path, once for each label: of whom all the quads on a way to it permit. */
  async walk({ subject, statements }: Start, path: PropertyPath): Promise<LabelledTerm[]> {
    let reached: LabelledTerm[] = [{ term: subject, label: '*' }];
    for (const [at, step] of path.entries()) {
      const known = at === 0 && !step.inverse ? statements : undefined;
      const next: LabelledTerm[] = [];
      for (const from of reached) for (const found of await this.#step(from, step, known)) next.push(found);
      reached = distinct(next);
    }
    return reached;
  }

  /** The terms that reach a term by a path: walks from the end of the path back to its start. */
  async walkBack(from: Term, path: PropertyPath): Promise<Term[]> {
    if (path.length === 0) return [from];
    const back = path.toReversed().map(({ predicate, inverse }) => ({ predicate, inverse: !inverse }));
    return (await this.walk({ subject: from }, back)).map(({ term }) => term);
  }

  /** Every subject of a quad with this predicate, or object when the step is walked against it. May repeat. */
  async *startsOf({ predicate, inverse }: PathStep): AsyncGenerator<Term, void, undefined> {
    for (const dataset of this.#datasets) {
      for await (const { quad } of dataset.matchLabelled({ predicate: namedNode(predicate) })) {
        yield inverse ? quad.object : quad.subject;
      }
    }
  }

  /** Every subject that is an IRI, each once. Cost: O(quads). */
  async *subjects(): AsyncGenerator<string, void, undefined> {
    const seen = new Set<string>();
    for (const dataset of this.#datasets) {
      for await (const { quad } of dataset.matchLabelled()) {
        if (quad.subject.termType !== 'NamedNode' || seen.has(quad.subject.value)) continue;
        seen.add(quad.subject.value);
        yield quad.subject.value;
      }
    }
  }

  async #step(
    { term, label }: LabelledTerm,
    { predicate, inverse }: PathStep,
    known: readonly Statement[] | undefined,
  ): Promise<LabelledTerm[]> {
    if (term.termType === 'Literal') return [];
    const found =
      known?.filter((statement) => statement.predicate === predicate) ??
      (await this.#read(
        inverse
          ? { object: term, predicate: namedNode(predicate) }
          : { subject: term, predicate: namedNode(predicate) },
      ));
    return found.map((statement) => ({
      term: inverse ? statement.subject : statement.object,
      label: label === '*' ? statement.label : conjunction(label, statement.label),
    }));
  }

  async #read(pattern: QuadPattern): Promise<Statement[]> {
    const statements: Statement[] = [];
    for (const dataset of this.#datasets) {
      for await (const labelled of dataset.matchLabelled(pattern)) {
        const statement = toStatement(labelled);
        if (statement !== undefined) statements.push(statement);
      }
    }
    return statements;
  }
}

function toStatement({ quad, label }: LabelledQuad): Statement | undefined {
  if (label === undefined || quad.predicate.termType !== 'NamedNode') return undefined;
  return { subject: quad.subject, predicate: quad.predicate.value, object: quad.object, label };
}

function distinct(terms: readonly LabelledTerm[]): LabelledTerm[] {
  if (terms.length < 2) return [...terms];
  return [...new Map(terms.map((found) => [`${termKey(found.term)} ${found.label}`, found])).values()];
}

/** The same things, each once, under a label that permits whom any of its labels permits. */
export function mergeLabels<Item extends { readonly label: string }>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Item[] {
  const merged = new Map<string, { item: Item; labels: Set<string> }>();
  for (const item of items) {
    const key = keyOf(item);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { item, labels: new Set([item.label]) });
    else known.labels.add(item.label);
  }
  return [...merged.values()].map(({ item, labels }) => ({ ...item, label: disjunction([...labels]) }));
}

export function termKey(term: Term): string {
  if (term.termType === 'NamedNode') return `<${term.value}>`;
  if (term.termType !== 'Literal') return `${term.termType}:${term.value}`;
  return `${JSON.stringify(term.value)}@${term.language.toLowerCase()}^${term.datatype.value}`;
}
