import { getAnalyzer, MAX_SHORT_TEXT } from '../analysis/analyzer.ts';
import type { LabelledDocument } from '../document/labelled-document.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import type { SpaceName } from './space.ts';

/** Receives an occurrence of a term: its space, and the labels any of which lets a viewer see it. */
export type TermVisitor = (space: SpaceName, term: string, labels: readonly string[]) => void;

/** Tells of every occurrence of every term that a segment holds of a document. Yields where it may pause. */
export function* visitTerms(
  { groups }: LabelledDocument,
  mapping: IndexMapping,
  visit: TermVisitor,
): Generator<void, void> {
  const simple = getAnalyzer('simple');
  for (const { path, labels, values } of groups) {
    const { analyzer, isTypeahead } = mapping.field(path);
    for (const { text, keyword, isMirror } of values) {
      if (keyword !== undefined) visit(isMirror === true ? 'mirror' : 'keyword', keyword, labels);
      if (text === undefined) continue;
      const isShort = text.length <= MAX_SHORT_TEXT;
      const visitWord = (term: string): void => visit('text', term, labels);
      if (isShort) analyzer.analyze(text, visitWord);
      else yield* analyzer.analyzeInSteps(text, visitWord);
      if (!isTypeahead) continue;
      const visitTyped = (term: string): void => visit('typeahead', term, labels);
      if (isShort) simple.analyze(text, visitTyped);
      else yield* simple.analyzeInSteps(text, visitTyped);
    }
  }
}
