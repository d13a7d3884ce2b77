import { checkPort, checkText } from '@cairn/errors';
import { checkViewer, type Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { Emitter } from '../rdf/emitter.ts';
import { QuadReader } from './quad-reader.ts';
import type { StoreDataset } from './store-dataset.ts';

/** Source of import and remove: any RDF/JS stream. */
export interface QuadEvents {
  on(event: 'data', listener: (quad: RDF.Quad) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

type Position = RDF.Term | null | undefined;

/** One viewer's view of a dataset as an RDF/JS `Source` and `Store`. */
export interface RdfJsStore {
  /** The visible quads that match, as they are now. Variables and absent terms match any term. */
  match(subject?: Position, predicate?: Position, object?: Position, graph?: Position): QuadReader;
  /** How many match: what Comunica asks to plan by. */
  countQuads(subject?: Position, predicate?: Position, object?: Position, graph?: Position): Promise<number>;
  /** Adds what a stream gives under the store's label, as one change at its end. Emits `end` or `error`. */
  import(stream: QuadEvents): Emitter;
  /** Removes what a stream gives under the labels the viewer may see. Emits `end` or `error`. */
  remove(stream: QuadEvents): Emitter;
  /** Removes the visible quads that match. */
  removeMatches(subject?: Position, predicate?: Position, object?: Position, graph?: Position): Emitter;
  /** Removes the visible quads of a graph, given as term or IRI. */
  deleteGraph(graph: RDF.Quad_Graph | string): Emitter;
}

/** An RDF/JS store over a dataset: reads what the viewer may see, and writes under `label`. */
export function createRdfJsStore(dataset: StoreDataset, viewer: Viewer, label: string): RdfJsStore {
  checkPort(dataset, 'readQuads', 'the dataset');
  checkViewer(viewer);
  checkText(label, 'the label');
  const match = (...[subject, predicate, object, graph]: Position[]): Iterable<RDF.Quad> =>
    dataset.readQuads(viewer, { subject, predicate, object, graph });
  const removeMatches = (...terms: Position[]) =>
    settled(async () => dataset.removeQuads(viewer, [...match(...terms)]));
  return {
    match: (...terms) => new QuadReader(match(...terms)),
    countQuads: (subject, predicate, object, graph) => dataset.count(viewer, { subject, predicate, object, graph }),
    import: (stream) =>
      settled(async () => {
        const additions = (await collect(stream)).map((quad) => ({ quad, label }));
        await dataset.apply([{ deletions: [], additions }]);
      }),
    remove: (stream) => settled(async () => dataset.removeQuads(viewer, await collect(stream))),
    removeMatches,
    deleteGraph: (graph) => {
      const term = typeof graph === 'string' ? { termType: 'NamedNode', value: graph, equals: () => false } : graph;
      return removeMatches(undefined, undefined, undefined, term as RDF.Term);
    },
  };
}

/** Tells how a change ended. The listeners have time to be added. */
function settled(change: () => Promise<void>): Emitter {
  const emitter = new Emitter();
  change().then(
    () => emitter.emit('end'),
    (error: unknown) => emitter.emit('error', error),
  );
  return emitter;
}

function collect(stream: QuadEvents): Promise<RDF.Quad[]> {
  return new Promise((resolve, reject) => {
    const quads: RDF.Quad[] = [];
    stream.on('data', (quad) => quads.push(quad));
    stream.on('end', () => resolve(quads));
    stream.on('error', reject);
  });
}
