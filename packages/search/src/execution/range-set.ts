import type { FieldSelection } from '../mapping/field-selection.ts';
import { isTextTerm } from '../mapping/value.ts';
import { recallOf } from '../memory/recall.ts';
import { seekNumber } from '../memory/seek.ts';
import type { NumericSpan, Plan, PlanOf, RangeSpans, TextSpan } from '../plan/plan.ts';
import type { WorkBudget } from '../plan/work-budget.ts';
import { END } from '../postings/cursor.ts';
import { TermCursor } from '../postings/term-cursor.ts';
import type { NumericColumn, Segment, SpaceName } from '../segment/segment.ts';
import { isLive } from '../segment/segment-state.ts';
import { openVisibleSlots, type SegmentView, weighFields } from '../segment/segment-view.ts';
import type { TermDictionary } from '../segment/term-dictionary.ts';
import { DocumentSet } from './document-set.ts';
import type { DocumentTest } from './top-documents.ts';

/** Values and terms between two chances to pause. */
const VALUES_PER_STEP = 16_384;
const TERMS_PER_STEP = 64;

/** The documents with a visible value in a range. Yields where it may pause. Cost: O(values of the fields). */
export function* collectRange(
  view: SegmentView,
  selection: FieldSelection,
  spans: RangeSpans,
  budget: WorkBudget,
): Generator<void, DocumentSet> {
  const set = yield* collectTextRange(view, selection, spans, budget);
  for (const column of view.segment.numbers) {
    if (selection.weigh(column.path) > 0) yield* addNumbers(set, view, column, spans);
  }
  return set;
}

/** The documents with visible text in a range. Yields where it may pause. */
function* collectTextRange(
  view: SegmentView,
  selection: FieldSelection,
  spans: RangeSpans,
  budget: WorkBudget,
): Generator<void, DocumentSet> {
  const set = new DocumentSet(view.segment.documentCount);
  if (spans.keywords !== undefined) yield* addTerms(set, view, 'keyword', selection, spans.keywords, budget);
  if (spans.terms !== undefined) yield* addTerms(set, view, 'text', selection, spans.terms, budget);
  return set;
}

function* addNumbers(
  set: DocumentSet,
  view: SegmentView,
  column: NumericColumn,
  spans: RangeSpans,
): Generator<void, void> {
  const { document, labelSet, value, isDate } = column;
  for (let i = 0; i < document.length; i++) {
    if (i % VALUES_PER_STEP === 0) yield;
    const span = isDate[i] === 1 ? spans.instants : spans.numbers;
    if (span === undefined || !isWithin(value[i], span)) continue;
    if (view.permitted[labelSet[i]] === 1 && isLive(view.live, document[i])) set.add(document[i]);
  }
}

function isWithin(value: number, span: NumericSpan): boolean {
  return value >= span.first && value <= span.last;
}

function* addTerms(
  set: DocumentSet,
  view: SegmentView,
  space: SpaceName,
  selection: FieldSelection,
  span: TextSpan,
  budget: WorkBudget,
): Generator<void, void> {
  const { terms } = view.segment.spaces[space];
  const { weights, largest } = weighFields(view.segment, selection);
  const visible = openVisibleSlots(view, space, selection);
  if (largest === 0 || !hasSlots(view, space, weights)) return;
  const [start, end] = toOrdinals(terms, span);
  for (let ordinal = start; ordinal < end; ordinal++) {
    budget.tick();
    if (ordinal % TERMS_PER_STEP === 0) yield;
    if (space === 'keyword' && !isTextTerm(terms.term(ordinal))) continue;
    const cursor = new TermCursor(view.segment.spaces[space], ordinal, view, visible);
    for (let document = cursor.next(); document !== END; document = cursor.next()) set.add(document);
  }
}

function toOrdinals(terms: TermDictionary, { lower, upper }: TextSpan): readonly [number, number] {
  const after = (value: string): number => terms.seek(value) + (terms.find(value) < 0 ? 0 : 1);
  const start = lower === undefined ? 0 : lower.inclusive ? terms.seek(lower.value) : after(lower.value);
  const end = upper === undefined ? terms.size : upper.inclusive ? after(upper.value) : terms.seek(upper.value);
  return [start, end];
}

const usedFields = new WeakMap<Segment, Map<SpaceName, readonly number[]>>();

/** Returns true if any slot of a space is in a selected field: else there is no need to walk the dictionary. */
function hasSlots({ segment }: SegmentView, space: SpaceName, weights: Float64Array): boolean {
  const fields = recallOf(usedFields, segment, space, () => [...new Set(segment.spaces[space].slots.field)]);
  return fields.some((field) => weights[field] > 0);
}

export function* compileTest(view: SegmentView, filter: Plan, budget: WorkBudget): Generator<void, DocumentTest> {
  if (filter.type === 'range') return yield* testRange(view, filter, budget);
  if (filter.type === 'terms') return testTerms(view, filter);
  const tests: DocumentTest[] = [];
  for (const child of filter.type === 'or' ? filter.children : []) tests.push(yield* compileTest(view, child, budget));
  return (document) => tests.some((test) => test(document));
}

/** The test of a range: numbers and instants are looked up by document, text is collected beforehand. */
function* testRange(view: SegmentView, plan: PlanOf<'range'>, budget: WorkBudget): Generator<void, DocumentTest> {
  const columns = view.segment.numbers.filter(({ path }) => plan.selection.weigh(path) > 0);
  const tests = columns.map((column) => testColumn(view, column, plan.spans));
  const text = yield* collectTextRange(view, plan.selection, plan.spans, budget);
  return (document) => tests.some((test) => test(document)) || text.has(document);
}

/** The test of exact values: looks at the values of the document. */
function testTerms(view: SegmentView, plan: PlanOf<'terms'>): DocumentTest {
  const { terms, slots, values } = view.segment.spaces[plan.space];
  const wanted = new Set(plan.terms.map((term) => terms.find(term)).filter((ordinal) => ordinal >= 0));
  const { weights } = weighFields(view.segment, plan.selection);
  if (wanted.size === 0) return () => false;
  return (document) => {
    for (let slot = slots.ofDocument[document]; slot < slots.ofDocument[document + 1]; slot++) {
      if (weights[slots.field[slot]] === 0 || view.permitted[slots.labelSet[slot]] === 0) continue;
      for (let i = values.offset[slot]; i < values.offset[slot + 1]; i++) if (wanted.has(values.term[i])) return true;
    }
    return false;
  };
}

function testColumn(view: SegmentView, column: NumericColumn, spans: RangeSpans): DocumentTest {
  const { document: documents, labelSet, value, isDate } = column;
  return (document) => {
    for (let i = findEntry(documents, document); documents[i] === document; i++) {
      const span = isDate[i] === 1 ? spans.instants : spans.numbers;
      if (span !== undefined && isWithin(value[i], span) && view.permitted[labelSet[i]] === 1) return true;
    }
    return false;
  };
}

/** The first entry of a document. Where each document has one entry, that is at its own number. */
function findEntry(documents: Uint32Array, document: number): number {
  if (documents[document] === document && (document === 0 || documents[document - 1] === document - 1)) return document;
  return seekNumber(documents, document);
}
