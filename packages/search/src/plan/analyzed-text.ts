import type { Analyzer } from '../analysis/analyzer.ts';
import { type QueryTerm, readQueryText } from '../analysis/query-terms.ts';
import type { FieldSelection } from '../mapping/field-selection.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { recall } from '../memory/recall.ts';
import type { PhraseWord } from './plan.ts';

export interface AnalyzedText {
  readonly words: readonly PhraseWord[];
  /** Every way to read it, that of `words` first; none without a term. */
  readonly readings: readonly (readonly PhraseWord[])[];
  /** The selection without the fields that read it otherwise. */
  readonly restricted: FieldSelection;
}

type ReadText = Pick<AnalyzedText, 'words' | 'readings'>;

function readText(analyzer: Analyzer, text: string): ReadText {
  const { terms, readings } = readQueryText(analyzer, text);
  const words = toPhrase(terms);
  return { words, readings: readings.map((reading) => (reading === terms ? words : toPhrase(reading))) };
}

/** A text as each analyzer of an index reads it; analyzers that agree stand together. */
export function analyzeForFields(text: string, selection: FieldSelection, mapping: IndexMapping): AnalyzedText[] {
  const { analyzers } = mapping;
  if (analyzers.length === 1) return [{ ...readText(analyzers[0], text), restricted: selection }];
  const groups = new Map<string, { read: ReadText; analyzers: Analyzer[] }>();
  for (const analyzer of analyzers) {
    const read = readText(analyzer, text);
    recall(groups, JSON.stringify(read), () => ({ read, analyzers: [] })).analyzers.push(analyzer);
  }
  return Array.from(groups.values(), ({ read, analyzers: agreeing }) => {
    return { ...read, restricted: groups.size === 1 ? selection : restrict(selection, agreeing, mapping) };
  });
}

/** The part of a selection whose fields any of some analyzers reads. */
export function restrict(
  selection: FieldSelection,
  analyzers: readonly Analyzer[],
  mapping: IndexMapping,
): FieldSelection {
  return {
    key: `${selection.key}&${mapping.name}:${analyzers.map(({ name }) => name).join('+')}`,
    weigh: (path) => (mapping.field(path).analyzers.some((one) => analyzers.includes(one)) ? selection.weigh(path) : 0),
  };
}

export function toPhrase(terms: readonly QueryTerm[]): PhraseWord[] {
  return terms.map(({ term, position }) => ({ terms: [term], offset: position }));
}
