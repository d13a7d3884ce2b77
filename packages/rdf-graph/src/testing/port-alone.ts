import type { GraphDataset } from '../graph/port/graph-dataset.ts';
import { readByMatch } from '../graph/store/read-by-match.ts';

/** A dataset of which only the port is seen: it is read by ids through `match`, as one from another house would be. */
export function portAlone(dataset: GraphDataset): GraphDataset {
  return {
    name: dataset.name,
    query: (...given) => dataset.query(...given),
    evaluateUpdate: (...given) => dataset.evaluateUpdate(...given),
    apply: (...given) => dataset.apply(...given),
    match: (...given) => dataset.match(...given),
    count: (...given) => dataset.count(...given),
    reader: (viewer, options) => readByMatch(dataset, viewer, options),
    matchLabelled: (...given) => dataset.matchLabelled(...given),
    prefixes: (...given) => dataset.prefixes(...given),
    positions: () => dataset.positions(),
    flush: () => dataset.flush(),
    close: () => dataset.close(),
  };
}
