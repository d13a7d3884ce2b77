import type { FieldSelection } from '../mapping/field-selection.ts';
import { isTextTerm } from '../mapping/value.ts';
import { recallOf } from '../memory/recall.ts';
import type { NumericSpan, RangeSpans, TextSpan } from '../plan/plan.ts';
import type { WorkBudget } from '../plan/work-budget.ts';
import { END } from '../postings/cursor.ts';
import { TermCursor } from '../postings/term-cursor.ts';
import type { NumericColumn, Segment } from '../segment/segment.ts';
import { isLive } from '../segment/segment-state.ts';
import { type SegmentView, weighFields } from '../segment/segment-view.ts';
import type { SpaceName } from '../segment/space.ts';
import type { TermDictionary } from '../segment/term-dictionary.ts';
import { openVisibleSlots } from '../segment/visible-slots.ts';
import { DocumentSet } from './document-set.ts';

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
export function* collectTextRange(
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

export function isWithin(value: number, span: NumericSpan): boolean {
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
