export { type GraphDatasetOptions, openGraphDataset } from './dataset/open.ts';
export { Emitter, QuadReader } from './dataset/quad-reader.ts';
export { createRdfJsStore, type QuadEvents, type RdfJsStore } from './dataset/rdfjs-store.ts';
export { type LoadOptions, StoreDataset } from './dataset/store-dataset.ts';
export {
  type AppliedEvents,
  type ApplyEventsOptions,
  applyEvents,
  type ProjectEventsOptions,
  projectEvents,
} from './patch/apply-events.ts';
export { type ToChangeSetOptions, toChangeSet } from './patch/change-set.ts';
export { changeSetFromEvent, type EventChangesOptions, type ReadChanges } from './patch/event-changes.ts';
export { PATCH_EVENT_TYPE, type ToPatchEventsOptions, toPatchEvents } from './patch/events.ts';
export { LABEL_VOCABULARY, type LabelVocabulary } from './patch/label-graph.ts';
export { type ParsePatchOptions, parsePatch } from './patch/parser.ts';
export { type PublishOptions, publishChangeSet } from './patch/publish.ts';
export type { PatchRow } from './patch/row.ts';
export {
  checkLabelsOfChanges,
  checkStatedLabels,
  type JudgeLabel,
  readStatedChanges,
  type StatedBodyOptions,
  type StatedLabels,
  type StatedLabelsOptions,
} from './patch/stated-labels.ts';
export { toPatch, toPatchRows, writePatch, writePatchRow } from './patch/writer.ts';
export { listSnapshotBlobs } from './persistence/snapshot-blobs.ts';
export type {
  ChangeSet,
  Evaluation,
  GraphBudget,
  GraphDataset,
  LabelledQuad,
  PrefixChange,
  QuadPattern,
  QueryResult,
  Solution,
  TopicPositions,
  UpdateEvaluation,
} from './port/graph-dataset.ts';
export type { BlankNodeNaming } from './rdf/blank-node-scope.ts';
export { createDataFactory, dataFactory } from './rdf/data-factory.ts';
export {
  findFormat,
  mediaTypeOfFile,
  RDF_FORMATS,
  RDF_PATCH_MEDIA_TYPE,
  type RdfFormat,
  type RdfFormatInfo,
  toMediaType,
} from './rdf/media-types.ts';
export { type ParseRdfOptions, parseRdf, parseRdfBatches } from './rdf/parse.ts';
export { type QuadSource, type SerializeRdfOptions, serializeRdf } from './rdf/serialize.ts';
export { writeQuad, writeTerm } from './rdf/term-writer.ts';
export {
  blankNode,
  defaultGraph,
  languageLiteral,
  namedNode,
  quad,
  stringLiteral,
  typedLiteral,
} from './rdf/terms.ts';
export type { TextSource } from './rdf/text-source.ts';
export {
  findResultsFormat,
  GRAPH_MEDIA_TYPES,
  RESULTS_FORMATS,
  type ResultsFormat,
  type ResultsFormatInfo,
  SOLUTION_MEDIA_TYPES,
} from './results/media-types.ts';
export { negotiate } from './results/negotiate.ts';
export { type ParsedResult, parseJsonResult, parseTsvResult } from './results/read.ts';
export { type WriteResultOptions, writeResult } from './results/write.ts';
export type { Now } from './sparql/query/guard.ts';
export type { LoadGraph } from './sparql/update/manage-graphs.ts';
export { type Allocate, allocatePrivate, allocateShared } from './store/memory.ts';
export { Permutation, type PermutationId } from './store/permutation.ts';
export { Range } from './store/range.ts';
export { openSharedSnapshot, type SharedSnapshot, Snapshot } from './store/snapshot.ts';
export type { TermId } from './store/term-kind.ts';
