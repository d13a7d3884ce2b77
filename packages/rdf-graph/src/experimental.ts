/**
 * Access of the other packages of Cairn to stored datasets, and to the labels that writers state.
 * Not under semantic versioning: it may change or go in any release.
 * @module
 */

export {
  checkLabelsOfChanges,
  checkStatedLabels,
  countDeletions,
  type JudgeLabel,
  readStatedChanges,
  type StatedBodyOptions,
  type StatedLabels,
  type StatedLabelsOptions,
} from './graph/patch/stated-labels.ts';
export { type BodyPlace, bodyPlaceOf } from './graph/patch/target-graph.ts';
export { listSnapshotBlobs } from './graph/persistence/snapshot-blobs.ts';
export { isAbsoluteIri, resolveIri } from './rdf/iri.ts';
