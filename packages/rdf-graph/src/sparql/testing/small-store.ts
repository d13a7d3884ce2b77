import { createViewerOfEverything, type Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { openGraphDataset } from '../../dataset/open.ts';
import type { TermId } from '../../graph/port/term-kind.ts';
import { defaultGraph, namedNode, quad, typedLiteral } from '../../rdf/terms.ts';
import { xsd } from '../../rdf/vocabulary.ts';
import { Execution, WHOLE_DATASET } from '../execute/execution.ts';

/** A statement of a small store, in names of IRIs and integers. */
export interface Fact {
  readonly s: string;
  readonly p: string;
  readonly o: string | number;
  /** Default `*`, which everybody sees. */
  readonly label?: string | undefined;
  /** Default the default graph. */
  readonly graph?: string | undefined;
}

/** The term of a name: `http://e/name`, or an integer. */
export function toTerm(name: string | number): RDF.NamedNode | RDF.Literal {
  return typeof name === 'number' ? typedLiteral(String(name), xsd.integer) : namedNode(`http://e/${name}`);
}

export interface Evaluating {
  readonly viewer?: Viewer | undefined;
  readonly maxMemoryBytes?: number | undefined;
  /** The graphs whose merge is the default graph. Default: the default graph alone. */
  readonly from?: readonly string[] | undefined;
}

export async function executionOver(
  facts: readonly Fact[],
  { viewer = createViewerOfEverything(), maxMemoryBytes, from }: Evaluating = {},
): Promise<Execution> {
  const store = await openGraphDataset({ name: 'small' });
  const additions = facts.map(({ s, p, o, label = '*', graph }) => ({
    quad: quad(
      namedNode(`http://e/${s}`),
      namedNode(`http://e/${p}`),
      toTerm(o),
      graph === undefined ? defaultGraph() : namedNode(`http://e/${graph}`),
    ),
    label,
  }));
  if (additions.length > 0) await store.apply([{ deletions: [], additions }]);
  const snapshot = store.snapshot(viewer);
  const dataset =
    from === undefined
      ? WHOLE_DATASET
      : { defaultGraphs: from.map((name) => snapshot.idOf(toTerm(name))), namedGraphs: undefined };
  const sources = { nowMs: 0, random: undefined, baseIri: undefined, maxMemoryBytes, freshLabel: () => 'fresh' };
  return new Execution(snapshot, dataset, sources);
}

/** The ids of names, in their order. */
export function idsOf(execution: Execution, names: readonly (string | number)[]): TermId[] {
  return names.map((name) => execution.idOf(toTerm(name)));
}

/** Returns the names of ids: the last part of an IRI, the text of anything else, `-` where an id is 0. */
export function namesOf(execution: Execution, ids: readonly TermId[]): string[] {
  return ids.map((id) => (id === 0 ? '-' : execution.term(id).value.replace('http://e/', '')));
}
