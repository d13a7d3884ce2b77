import {
  CodedError,
  checkBound,
  checkFunction,
  checkObject,
  checkPort,
  checkSignal,
  throwIfAborted,
} from '@cairn/errors';
import { nextTurn } from '@cairn/events';
import { checkViewer, type Viewer } from '@cairn/security';
import { checkOptional } from '../../rdf/arguments.ts';
import type { GraphDataset } from '../port/graph-dataset.ts';
import type { GraphReader, ReaderOptions } from '../port/graph-reader.ts';
import { BulkLoader } from './bulk-loader.ts';
import { QuadStore } from './quad-store.ts';

/** Quads between two turns of the event loop. */
const QUADS_PER_TURN = 1024;

/** Options of {@link readByMatch}. */
export interface ReadByMatchOptions extends ReaderOptions {
  /** Visible quads. Default 5,000,000. */
  readonly maxQuads?: number | undefined;
}

/**
 * A reader for datasets that have none of their own: over a copy of what `match` gives the viewer, so that it is of one
 * moment when that is. Cost: O(visible quads log visible quads), and their memory for as long as the reader is used.
 * @example reader: (viewer, options) => readByMatch(dataset, viewer, options)
 * @throws `ERR_READER_QUADS` (exhausted) for more than `maxQuads`; `ERR_ARGUMENT` (invalid) for what are none of these; what `match`, the signal and `nextTurn` throw
 */
export async function readByMatch(
  dataset: Pick<GraphDataset, 'match'>,
  viewer: Viewer,
  options: ReadByMatchOptions = {},
): Promise<GraphReader> {
  checkPort(dataset, 'match', 'the dataset');
  checkViewer(viewer);
  checkObject(options, 'the options of readByMatch');
  checkOptional(options.maxQuads, 'maxQuads', checkBound);
  checkOptional(options.nextTurn, 'nextTurn', checkFunction);
  checkSignal(options.signal);
  const { maxQuads = 5_000_000, signal } = options;
  const turn = options.nextTurn ?? (() => nextTurn());
  const store = new QuadStore();
  const copy = new BulkLoader(store, '*');
  for await (const quad of dataset.match(viewer)) {
    if (copy.size >= maxQuads) {
      const message = `a dataset without a reader of its own may show ${maxQuads} quads; it shows more`;
      throw new CodedError({ code: 'ERR_READER_QUADS', kind: 'exhausted', message });
    }
    copy.add(quad);
    if (copy.size % QUADS_PER_TURN > 0) continue;
    await turn();
    throwIfAborted(signal);
  }
  for (const _ of copy.commit()) {
    await turn();
    throwIfAborted(signal);
  }
  return store.snapshotOfEverything();
}
