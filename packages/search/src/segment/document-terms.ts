import { getAnalyzer } from '../analysis/analyzer.ts';
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
      yield* analyzer.analyzeInSteps(text, (term) => visit('text', term, labels));
      if (isTypeahead) yield* simple.analyzeInSteps(text, (term) => visit('typeahead', term, labels));
    }
  }
}
