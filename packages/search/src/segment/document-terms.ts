import { type Analyzer, getAnalyzer, MAX_SHORT_TEXT } from '../analysis/analyzer.ts';
import type { LabelledDocument } from '../document/labelled-document.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import type { SpaceName } from './space.ts';

/** Receives the occurrences of terms of one space, each with the labels any of which lets a viewer see it. */
export interface TermVisitor {
  add(term: string, labels: readonly string[]): void;
}

/** Who is told of the terms of each space. Those of a space without a visitor are not looked at. */
export type TermVisitors = Readonly<Partial<Record<SpaceName, TermVisitor>>>;

interface LongText {
  readonly text: string;
  readonly analyzer: Analyzer;
  readonly use: (term: string) => void;
}

/**
 * Tells of every occurrence of every term that a segment holds of a document, those of long texts last. Yields where it
 * may pause: in long texts, as most documents have none and are read at once.
 */
export function* visitTerms(
  document: LabelledDocument,
  mapping: IndexMapping,
  visitors: TermVisitors,
): Generator<void, void> {
  for (const { analyzer, text, use } of visitShort(document, mapping, visitors)) {
    yield* analyzer.analyzeInSteps(text, use);
  }
}

/** Visits all but the terms of long texts, and returns those texts. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: hot: every value of a document comes through here
function visitShort({ groups }: LabelledDocument, mapping: IndexMapping, visitors: TermVisitors): readonly LongText[] {
  const { text: words, typeahead } = visitors;
  const simple = getAnalyzer('simple');
  const long: LongText[] = [];
  for (const { path, labels, values } of groups) {
    const { analyzer, isTypeahead } = mapping.field(path);
    const visitWord = words && ((term: string): void => words.add(term, labels));
    const visitTyped = isTypeahead ? typeahead && ((term: string): void => typeahead.add(term, labels)) : undefined;
    for (const { text, keyword, isMirror } of values) {
      if (keyword !== undefined) visitors[isMirror === true ? 'mirror' : 'keyword']?.add(keyword, labels);
      if (text === undefined) continue;
      if (visitWord !== undefined) visitText(text, analyzer, visitWord, long);
      if (visitTyped !== undefined) visitText(text, simple, visitTyped, long);
    }
  }
  return long;
}

/** Visits the terms of a short text; adds a long one to those that are left. */
function visitText(text: string, analyzer: Analyzer, use: LongText['use'], long: LongText[]): void {
  if (text.length > MAX_SHORT_TEXT) long.push({ text, analyzer, use });
  else analyzer.analyze(text, use);
}
