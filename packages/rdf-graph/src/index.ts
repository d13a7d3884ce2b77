export { type GraphDatasetOptions, openGraphDataset } from './dataset/open.ts';
export type { QuadReader } from './dataset/quad-reader.ts';
export { createRdfJsStore, type QuadEvents, type RdfJsStore } from './dataset/rdfjs-store.ts';
export { openSharedDataset, type SharedDatasetOptions, type SnapshotDataset } from './dataset/snapshot-dataset.ts';
export { type LoadOptions, StoreDataset } from './dataset/store-dataset.ts';
export { changeSetFromEvent, type EventChangesOptions, type ReadChanges } from './graph/patch/event-changes.ts';
export { type ToPatchEventsOptions, toPatchEvents } from './graph/patch/events.ts';
export type { LabelVocabulary } from './graph/patch/label-graph.ts';
export { type ParsePatchOptions, parsePatch } from './graph/patch/parser.ts';
export { type PublishOptions, publishChangeSet } from './graph/patch/publish.ts';
export type { PatchRow } from './graph/patch/row.ts';
export { toPatch } from './graph/patch/writer.ts';
export type {
  ChangeSet,
  Evaluation,
  GraphBudget,
  GraphDataset,
  LabelledQuad,
  PrefixChange,
  QuadPattern,
  QueryResult,
  ReadableDataset,
  Solution,
  UpdateEvaluation,
} from './graph/port/graph-dataset.ts';
export type {
  CompareTerms,
  GraphReader,
  GraphRows,
  QuadIds,
  QuadIdsCallback,
  ReaderOptions,
  RowCursor,
} from './graph/port/graph-reader.ts';
export { DEFAULT_GRAPH_ID, type TermId, TermKind, UNBOUND } from './graph/port/term-kind.ts';
export { type Allocate, allocatePrivate, allocateShared } from './graph/store/memory.ts';
export type { PermutationId } from './graph/store/permutation.ts';
export { type ReadByMatchOptions, readByMatch } from './graph/store/read-by-match.ts';
export { openSharedSnapshot, type SharedSnapshot, Snapshot } from './graph/store/snapshot.ts';
export type { BlankNodeNaming } from './rdf/blank-node-scope.ts';
export { createDataFactory, dataFactory } from './rdf/data-factory.ts';
export type { Emitter } from './rdf/emitter.ts';
export {
  findFormat,
  mediaTypeOfFile,
  RDF_FORMATS,
  RDF_PATCH_MEDIA_TYPE,
  type RdfFormat,
  type RdfFormatInfo,
  toMediaType,
} from './rdf/media-types.ts';
export { negotiate } from './rdf/negotiate.ts';
export { type ParseRdfOptions, parseRdf, parseRdfBatches } from './rdf/parse.ts';
export type { QuadSource } from './rdf/quad-source.ts';
export { type SerializeRdfOptions, serializeRdf } from './rdf/serialize.ts';
export { writeQuad, writeTerm } from './rdf/term-writer.ts';
export { blankNode, defaultGraph, languageLiteral, namedNode, quad, stringLiteral, typedLiteral } from './rdf/terms.ts';
export type { TextSource } from './rdf/text-source.ts';
export {
  GRAPH_MEDIA_TYPES,
  RESULTS_FORMATS,
  type ResultsFormat,
  type ResultsFormatInfo,
  SOLUTION_MEDIA_TYPES,
} from './sparql/results/media-types.ts';
export { type ParsedResult, parseJsonResult } from './sparql/results/read.ts';
export { type WriteResultOptions, writeResult } from './sparql/results/write.ts';
export type { LoadGraph } from './sparql/update/update-run.ts';
