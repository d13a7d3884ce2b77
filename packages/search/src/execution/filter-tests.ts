import type { Plan, RangeSpans } from '../plan/plan.ts';
import type { WorkBudget } from '../plan/work-budget.ts';
import type { NumericColumn } from '../segment/segment.ts';
import { type SegmentView, weighFields } from '../segment/segment-view.ts';
import { collectTextRange, isWithin } from './range-set.ts';
import type { DocumentTest } from './top-documents.ts';

export function* compileTest(view: SegmentView, filter: Plan, budget: WorkBudget): Generator<void, DocumentTest> {
  if (filter.type === 'range') return yield* testRange(view, filter, budget);
  if (filter.type === 'terms') return testTerms(view, filter);
  const tests: DocumentTest[] = [];
  for (const child of filter.type === 'or' ? filter.children : []) tests.push(yield* compileTest(view, child, budget));
  return (document) => tests.some((test) => test(document));
}

/** The test of a range: numbers and instants are looked up by document, text is collected beforehand. */
function* testRange(
  view: SegmentView,
  plan: Extract<Plan, { type: 'range' }>,
  budget: WorkBudget,
): Generator<void, DocumentTest> {
  const columns = view.segment.numbers.filter(({ path }) => plan.selection.weigh(path) > 0);
  const tests = columns.map((column) => testColumn(view, column, plan.spans));
  const text = yield* collectTextRange(view, plan.selection, plan.spans, budget);
  return (document) => tests.some((test) => test(document)) || text.has(document);
}

/** The test of exact values: looks at the values of the document. */
function testTerms(view: SegmentView, plan: Extract<Plan, { type: 'terms' }>): DocumentTest {
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
  let low = 0;
  let high = documents.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (documents[middle] < document) low = middle + 1;
    else high = middle;
  }
  return low;
}
