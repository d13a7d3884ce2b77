import type * as RDF from '@rdfjs/types';
import type { CompareTerms, QuadIds } from '../../graph/port/graph-reader.ts';
import { type TermId, UNBOUND } from '../../graph/port/term-kind.ts';
import { type NodeFilter, type NodeValue, toGraphTerm, toNode, toTerm } from '../core/node.ts';
import { CORE_SDL } from '../core/sdl.ts';
import { createGraphSchema, type GraphSchema } from '../execution/graph-schema.ts';
import type { RequestContext } from '../execution/request-context.ts';
import { mapInSteps, type Pacer, STEP, sortInSteps } from '../graph/pacer.ts';
import { Rows } from '../graph/rows.ts';

/** No id of a term. */
const MISSING = -1;

type QuadValue = Readonly<Record<'subject' | 'predicate' | 'object' | 'graph', NodeValue>>;

type QuadFilters = { readonly [Place in keyof QuadValue]?: NodeFilter | null };

/** The dataset schema: quads by pattern. */
const DATASET_SDL = /* GraphQL */ `
schema {
  query: Quads
}

type Quads {
  """
  The quads that match; a filter that is missing or null matches any term. In the order of the N-Triples form of
  subject, predicate, object and graph.
  """
  quads(subject: NodeFilter, predicate: NodeFilter, object: NodeFilter, graph: NodeFilter): [Quad!]!
}

"A triple and the graph that it is in."
type Quad {
  subject: Node!
  predicate: Node!
  object: Node!
  "The graph; the default graph is the IRI urn:x-arq:DefaultGraph."
  graph: Node!
}
${CORE_SDL}`;

/** Creates the dataset schema: `quads(subject, predicate, object, graph)`. */
export function createDatasetSchema(): GraphSchema {
  return createGraphSchema('dataset', DATASET_SDL, {
    Quads: { quads: (_root, filters: QuadFilters, context) => findQuads(context, filters) },
  });
}

async function findQuads({ reader, guard }: RequestContext, filters: QuadFilters): Promise<readonly QuadValue[]> {
  const { subject, predicate, object, graph } = filters;
  const idOf = (term: RDF.Term | undefined) => (term === undefined ? UNBOUND : reader.idOf(term) || MISSING);
  const [s, p, o] = [idOf(toTerm(subject)), idOf(toTerm(predicate)), idOf(toTerm(object))];
  const g = idOf(toGraphTerm(graph));
  if ([s, p, o, g].includes(MISSING)) return [];
  const found: QuadIds[] = [];
  await new Rows(reader, g === UNBOUND ? reader.possibleGraphs() : [g], [s, p, o]).read(guard, (...quad) => {
    guard.countItems(1);
    found.push(quad);
  });
  const toValue = (id: TermId): NodeValue => toNode(reader.term(id));
  const sorted = await sortQuads(guard, found, reader.compare);
  return mapInSteps(guard, sorted, ([subject, predicate, object, graph]) => ({
    subject: toValue(subject),
    predicate: toValue(predicate),
    object: toValue(object),
    graph: toValue(graph),
  }));
}

/** Sorts by the rank of each term, so that a term that occurs often is compared but once per sort of the terms. */
async function sortQuads(pacer: Pacer, quads: readonly QuadIds[], compare: CompareTerms): Promise<readonly QuadIds[]> {
  const ids = new Set<TermId>();
  for (let i = 0; i < quads.length; i++) {
    for (const id of quads[i]) ids.add(id);
    if (i % STEP === 0) await pacer.step();
  }
  const ranks = new Map<TermId, number>();
  for (const id of await sortInSteps(pacer, [...ids], compare)) ranks.set(id, ranks.size);
  return sortInSteps(pacer, quads, (a, b) => {
    for (let i = 0; i < 4; i++) {
      if (a[i] !== b[i]) return (ranks.get(a[i]) ?? 0) - (ranks.get(b[i]) ?? 0);
    }
    return 0;
  });
}
