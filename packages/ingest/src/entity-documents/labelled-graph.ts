import { type GraphDataset, type LabelledQuad, namedNode, type QuadPattern } from '@cairn/rdf-graph';
import { conjunction, disjunction } from '../entities/labels.ts';
import type { PathStep, PropertyPath } from './property-path.ts';
import type { Term } from './terms.ts';

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

/** Reads datasets with their labels, all graphs as one. For projections, never for answers. */
export class LabelledGraph {
  readonly #datasets: readonly GraphDataset[];

  constructor(datasets: readonly GraphDataset[]) {
    this.#datasets = datasets;
  }

  async describe(subject: Term): Promise<Description> {
    return { subject, statements: await this.#read({ subject }) };
  }

  /**
   * Every value at the end of a path, once for every label under which it can be reached: whom all the quads on a way
   * permit.
   */
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

/** The same statements, each once, under a label that permits whom any of its labels permits. */
export function mergeStatements(statements: readonly Statement[]): Statement[] {
  const merged = new Map<string, { statement: Statement; labels: Set<string> }>();
  for (const statement of statements) {
    const key = `${statement.predicate} ${termKey(statement.object)}`;
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { statement, labels: new Set([statement.label]) });
    else known.labels.add(statement.label);
  }
  return [...merged.values()].map(({ statement, labels }) => ({ ...statement, label: disjunction([...labels]) }));
}

/** The same terms, each once, under a label that permits whom any of its labels permits. */
export function mergeTerms(terms: readonly LabelledTerm[]): LabelledTerm[] {
  const merged = new Map<string, { term: Term; labels: Set<string> }>();
  for (const { term, label } of terms) {
    const key = termKey(term);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { term, labels: new Set([label]) });
    else known.labels.add(label);
  }
  return [...merged.values()].map(({ term, labels }) => ({ term, label: disjunction([...labels]) }));
}

export function termKey(term: Term): string {
  if (term.termType === 'NamedNode') return `<${term.value}>`;
  if (term.termType !== 'Literal') return `${term.termType}:${term.value}`;
  return `${JSON.stringify(term.value)}@${term.language.toLowerCase()}^${term.datatype.value}`;
}
