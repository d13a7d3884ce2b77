import type { IndexMapping } from '../mapping/index-mapping.ts';
import { recall } from '../memory/recall.ts';
import { IntBuffer } from '../postings/growable.ts';
import { LabelSetBuilder, type LabelSets } from '../segment/label-sets.ts';
import { toImpactWeights } from '../segment/least-lengths.ts';
import { NumberBuilder } from '../segment/number-builder.ts';
import { bySpaceInSteps, type NumericColumn, type Segment, type StoredDocuments } from '../segment/segment.ts';
import { createSegmentState, type SegmentState } from '../segment/segment-state.ts';
import { storedBytes } from '../segment/stored-documents.ts';
import { type DocumentOrder, orderDocuments } from './document-order.ts';
import { mergeSpaces } from './space-merger.ts';

/** A merged segment, and where the documents of the inputs went. */
export interface MergedSegment {
  readonly state: SegmentState;
  readonly order: DocumentOrder;
}

/** Sets of labels that are numbered between two chances to pause. */
const SETS_PER_STEP = 1024;

/** Merges the live documents of segments of one index. Yields often, wherever it may pause. */
export function* mergeSegments(states: readonly SegmentState[], mapping: IndexMapping): Generator<void, MergedSegment> {
  const segments = states.map(({ segment }) => segment);
  const order = yield* orderDocuments(states);
  const labelSets = new LabelSetBuilder();
  const sets: Uint32Array[] = [];
  for (const { labelSets: old } of segments) sets.push(yield* translateLabelSets(old, labelSets));
  const fields = new Map<string, number>();
  const fieldNumbers = segments.map(({ fields: paths }) => translateFields(paths, fields));
  const documentLabelSet = new IntBuffer(order.input.length + 1);
  for (let number = 0; number < order.input.length; number++) {
    const input = order.input[number];
    const document = order.document[number];
    documentLabelSet.push(sets[input][segments[input].documentLabelSet[document]]);
    if (number % 4096 === 4095) yield;
  }
  const impactWeights = toImpactWeights(fields.keys(), mapping);
  const spaces = yield* bySpaceInSteps((name) => {
    const inputs = segments.map(({ spaces }, input) => {
      return { space: spaces[name], fields: fieldNumbers[input], labelSets: sets[input] };
    });
    return mergeSpaces(inputs, order, labelSets, impactWeights);
  });
  const numbers = yield* mergeNumbers(segments, order, sets);
  const stored = yield* mergeStored(segments, order);
  const segment: Segment = {
    index: segments[0].index,
    documentCount: order.input.length,
    ids: order.ids,
    documentLabelSet: yield* documentLabelSet.toColumn(),
    labelSets: { labels: labelSets.labels, sets: labelSets.sets },
    fields: [...fields.keys()],
    impactWeights,
    spaces,
    numbers,
    stored,
  };
  return { order, state: yield* createSegmentState(segment) };
}

function* translateLabelSets({ labels, sets }: LabelSets, into: LabelSetBuilder): Generator<void, Uint32Array> {
  const numbers = new Uint32Array(sets.length);
  for (const [number, set] of sets.entries()) {
    numbers[number] = into.intern(set.map((label) => labels[label]));
    if (number % SETS_PER_STEP === SETS_PER_STEP - 1) yield;
  }
  return numbers;
}

function translateFields(paths: readonly string[], into: Map<string, number>): Uint32Array {
  return Uint32Array.from(paths, (path) => recall(into, path, () => into.size));
}

function* mergeNumbers(
  segments: readonly Segment[],
  order: DocumentOrder,
  sets: readonly Uint32Array[],
): Generator<void, NumericColumn[]> {
  const paths = [...new Set(segments.flatMap(({ numbers }) => numbers.map(({ path }) => path)))];
  const columns: NumericColumn[] = [];
  for (const path of paths) {
    const column = yield* mergeColumn(path, segments, order, sets);
    if (column.document.length > 0) columns.push(column);
  }
  return columns;
}

/** Each input's entries are in the order of its documents, so one pass over the new order meets them all. */
function* mergeColumn(
  path: string,
  segments: readonly Segment[],
  order: DocumentOrder,
  sets: readonly Uint32Array[],
): Generator<void, NumericColumn> {
  const columns = segments.map(({ numbers }) => numbers.find((candidate) => candidate.path === path));
  const at = segments.map(() => 0);
  const entries = columns.reduce((sum, column) => sum + (column?.document.length ?? 0), 1);
  const builder = new NumberBuilder(path, entries);
  for (let number = 0; number < order.input.length; number++) {
    const input = order.input[number];
    const column = columns[input];
    if (column === undefined) continue;
    const old = order.document[number];
    while (at[input] < column.document.length && column.document[at[input]] < old) at[input]++;
    for (; column.document[at[input]] === old; at[input]++) {
      const i = at[input];
      builder.add(number, sets[input][column.labelSet[i]], column.value[i], column.isDate[i] === 1);
    }
    if (number % 1024 === 1023) yield;
  }
  return yield* builder.finish();
}

const DOCUMENTS_PER_STEP = 1024;
const BYTES_PER_STEP: number = 1 << 20;

/** Copies the stored documents into their new order. Yields where it may pause. */
function* mergeStored(segments: readonly Segment[], order: DocumentOrder): Generator<void, StoredDocuments> {
  const offset = new Float64Array(order.input.length + 1);
  for (let number = 0; number < order.input.length; number++) {
    const { stored } = segments[order.input[number]];
    const old = order.document[number];
    offset[number + 1] = offset[number] + stored.offset[old + 1] - stored.offset[old];
  }
  yield;
  const bytes = new Uint8Array(offset[order.input.length]);
  let untilPause = BYTES_PER_STEP;
  for (let number = 0; number < order.input.length; number++) {
    const { stored } = segments[order.input[number]];
    const document = storedBytes(stored, order.document[number]);
    bytes.set(document, offset[number]);
    untilPause -= document.length + BYTES_PER_STEP / DOCUMENTS_PER_STEP;
    if (untilPause > 0) continue;
    untilPause = BYTES_PER_STEP;
    yield;
  }
  return { offset, bytes };
}
