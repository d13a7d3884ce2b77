import { nextTurn } from '@cairn/events';
import { createOntologyModel, type Finding, type OntologyModel, validateOntologyInSteps } from '@cairn/ontology';
import { type GraphDataset, writeQuad } from '@cairn/rdf-graph';
import type { Viewer } from '@cairn/security';
import { LRUCache } from 'lru-cache';
import { inTurns } from './in-turns.ts';

type Quad = Awaited<ReturnType<GraphDataset['match']>> extends AsyncIterable<infer Item> ? Item : never;

/** A dataset as an ontology, as far as one viewer may see it. */
export interface VisibleOntology {
  readonly model: OntologyModel;
  readonly findings: readonly Finding[];
}

/** How many pairs of viewer and state are remembered. */
const MAX_REMEMBERED = 64;

type Reading = Pick<GraphDataset, 'match'>;

const remembered = new WeakMap<GraphDataset, LRUCache<string, Promise<VisibleOntology>>>();

/** Reads and validates a dataset for a viewer, as {@link readOntology} does. Remembered until the dataset changes. */
export function readVisibleOntology(
  dataset: GraphDataset,
  viewer: Viewer,
  stylePredicate: string,
): Promise<VisibleOntology> {
  let cache = remembered.get(dataset);
  if (cache === undefined) {
    cache = new LRUCache({ max: MAX_REMEMBERED });
    remembered.set(dataset, cache);
  }
  const key = JSON.stringify([viewer.key, dataset.positions(), stylePredicate]);
  let reading = cache.get(key);
  if (reading === undefined) {
    reading = readOntology(dataset, viewer, stylePredicate);
    cache.set(key, reading);
    reading.catch(() => cache.delete(key));
  }
  return reading;
}

/**
 * Reads and validates a dataset for a viewer, as a base ontology: what it lacks may be declared where the viewer cannot
 * see it. Cost: O(visible quads).
 */
export async function readOntology(dataset: Reading, viewer: Viewer, stylePredicate: string): Promise<VisibleOntology> {
  const quads = [...(await visibleQuads(dataset, viewer)).values()];
  const findings = await inTurns(validateOntologyInSteps(quads, { isBase: true, stylePredicate }));
  await nextTurn();
  return { model: createOntologyModel(quads, { stylePredicate }), findings };
}

/**
 * Every quad that a viewer may see, by its line in N-Quads, in an order that follows from them alone: that of the store
 * tells of others, and of two styles the first counts.
 */
export async function visibleQuads(dataset: Reading, viewer: Viewer): Promise<ReadonlyMap<string, Quad>> {
  const quads: Quad[] = [];
  for await (const quad of dataset.match(viewer)) quads.push(quad);
  await nextTurn();
  const keys = await inTurns(writeInSteps(quads));
  const byKey = new Map(keys.map((key, i) => [key, quads[i] as Quad]));
  await nextTurn();
  // By code units, which is the fastest way to sort texts.
  keys.sort();
  await nextTurn();
  return new Map(keys.map((key) => [key, byKey.get(key) as Quad]));
}

const QUADS_PER_STEP = 512;

function* writeInSteps(quads: readonly Quad[]): Generator<void, string[], undefined> {
  const lines: string[] = [];
  for (const quad of quads) {
    lines.push(writeQuad(quad));
    if (lines.length % QUADS_PER_STEP === 0) yield;
  }
  return lines;
}
