import { checkText, readableOnce } from '@cairn/errors';
import { type NowMs, nextTurn } from '@cairn/events';
import { checkViewer, type Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { patternIds, takePattern } from '../graph/port/arguments.ts';
import { checkedReader } from '../graph/port/checked-reader.ts';
import type { Evaluation, QuadPattern, QueryResult, ReadableDataset } from '../graph/port/graph-dataset.ts';
import type { GraphReader } from '../graph/port/graph-reader.ts';
import { type LabelledPrefix, PrefixTable } from '../graph/store/prefix-table.ts';
import { inTurns } from '../graph/store/scheduler.ts';
import { openSharedSnapshot, type SharedSnapshot, type Snapshot } from '../graph/store/snapshot.ts';
import { parseInSlices } from '../sparql/parse/parser.ts';
import { evaluateQuery } from '../sparql/query/evaluate.ts';
import { takeEvaluation } from '../sparql/query/evaluation-arguments.ts';
import { PlanCache } from './plan-cache.ts';

/** Longer texts are parsed in turns with other events. */
const LONG_TEXT = 1 << 14;

/** Quads between two looks at the event loop. */
const QUADS_PER_TURN = 4096;

export interface SnapshotDatasetParts {
  readonly name: string;
  readonly prefixes: Iterable<LabelledPrefix>;
  /** A clock for time limits. */
  readonly nowMs: NowMs | undefined;
  /** Takes a viewer's present view. */
  readonly snapshot: (viewer: Viewer) => Snapshot;
}

/** Reads for viewers by a snapshot of each. */
export class SnapshotDataset implements ReadableDataset {
  readonly name: string;
  protected readonly prefixTable: PrefixTable;
  readonly #nowMs: NowMs | undefined;
  readonly #snapshot: (viewer: Viewer) => Snapshot;
  readonly #plans = new PlanCache();

  constructor({ name, prefixes, nowMs, snapshot }: SnapshotDatasetParts) {
    this.name = name;
    this.prefixTable = new PrefixTable(prefixes);
    this.#nowMs = nowMs;
    this.#snapshot = snapshot;
  }

  /**
   * Returns a viewer's present view: ids, terms and sorted stretches of quads, for engines that go below SPARQL. Its
   * quads are the visible ones; its dictionary is that of all viewers, so ids must be those that it gave.
   */
  snapshot(viewer: Viewer): Snapshot {
    checkViewer(viewer);
    return this.#snapshot(viewer);
  }

  /** A viewer's present view, by ids. Unlike {@link snapshot}, it knows no term but those of visible quads. */
  async reader(viewer: Viewer): Promise<GraphReader> {
    return checkedReader(this.snapshot(viewer));
  }

  async query(viewer: Viewer, text: string, given: Evaluation = {}): Promise<QueryResult> {
    const snapshot = this.snapshot(viewer);
    checkText(text, 'the query');
    const evaluation = takeEvaluation(given);
    const { baseIri, signal } = evaluation;
    const isLong = text.length > LONG_TEXT && !this.#plans.has(text, baseIri);
    const parsed = isLong ? await inTurns(parseInSlices(text, baseIri), signal) : undefined;
    const { maxSolutionWork } = evaluation.budget ?? {};
    const planning = inTurns(this.#plans.find(text, baseIri, snapshot, { parsed, maxSolutionWork }));
    // Most plans are there at once.
    const { query, compiled } = planning instanceof Promise ? await planning : planning;
    let blankNodes = 0;
    const freshLabel = () => `q${blankNodes++}`;
    return evaluateQuery(query, compiled, { snapshot, evaluation, nowMs: this.#nowMs, freshLabel });
  }

  match(viewer: Viewer, pattern: QuadPattern = {}): AsyncGenerator<RDF.Quad> {
    return readableOnce(this.#match(viewer, takePattern(pattern)));
  }

  async *#match(viewer: Viewer, pattern: QuadPattern): AsyncGenerator<RDF.Quad> {
    const snapshot = this.snapshot(viewer);
    const ids = patternIds(snapshot, pattern);
    if (ids === undefined) return;
    let count = 0;
    for (const found of snapshot.quadsInSlices(...ids)) {
      if (found !== undefined) {
        yield found;
        if (++count % QUADS_PER_TURN !== 0) continue;
      }
      await nextTurn();
    }
  }

  /** Like {@link match}, at once: the visible quads that match, as they are now. Iterable once. */
  readQuads(viewer: Viewer, pattern: QuadPattern = {}): Iterable<RDF.Quad> {
    const snapshot = this.snapshot(viewer);
    const ids = patternIds(snapshot, pattern);
    return ids === undefined ? [] : snapshot.quads(...ids);
  }

  async count(viewer: Viewer, pattern: QuadPattern = {}): Promise<number> {
    const snapshot = this.snapshot(viewer);
    const ids = patternIds(snapshot, pattern);
    if (ids === undefined) return 0;
    const count = snapshot.countAtOnce(...ids);
    return count >= 0 ? count : inTurns(snapshot.countInSlices(...ids));
  }

  async prefixes(viewer: Viewer): Promise<Readonly<Record<string, string>>> {
    checkViewer(viewer);
    return this.prefixTable.visibleTo(viewer);
  }
}

/** Options of {@link openSharedDataset}. */
export interface SharedDatasetOptions {
  /** Prefixes for short forms, without colon. Default none. */
  readonly prefixes?: Readonly<Record<string, string>> | undefined;
  /** A clock for time limits: milliseconds that increase. Default: looks are counted instead of time. */
  readonly nowMs?: NowMs | undefined;
}

/** The dataset that was shared, for reading: what one viewer saw at one moment. Whoever asks counts as that viewer. */
export function openSharedDataset(shared: SharedSnapshot, options: SharedDatasetOptions = {}): ReadableDataset {
  const snapshot = openSharedSnapshot(shared);
  const prefixes = forEverybody(options.prefixes);
  return new SnapshotDataset({ name: 'shared', prefixes, nowMs: options.nowMs, snapshot: () => snapshot });
}

/** Prefixes that no data said, as labelled ones. */
export function forEverybody(prefixes: Readonly<Record<string, string>> = {}): LabelledPrefix[] {
  return Object.entries(prefixes).map(([prefix, iri]) => ({ prefix, iri, label: undefined }));
}
