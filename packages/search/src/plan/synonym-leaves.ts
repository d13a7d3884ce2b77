import type { Analyzer } from '../analysis/analyzer.ts';
import { type QueryTerm, readQueryText } from '../analysis/query-terms.ts';
import type { FieldSelection } from '../mapping/field-selection.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { recall } from '../memory/recall.ts';
import type { Clause } from '../query/query.ts';
import { restrict } from './analyzed-text.ts';

/** Weight of a synonym, as a part of that of the words it stands for. */
export const SYNONYM_WEIGHT = 0.8;

/** Terms that are looked for beside those of a query. */
export interface SynonymLeaf {
  readonly terms: readonly QueryTerm[];
  /** The synonym as it is configured. */
  readonly written: string;
  readonly instead: { readonly of: string; readonly terms: readonly string[] };
}

interface RestrictedLeaf extends SynonymLeaf {
  /** The fields whose analyzers read query and synonym so. */
  readonly selection: FieldSelection;
}

/** The synonyms of a text or of words in it. */
export function toSynonymLeaves(text: string, selection: FieldSelection, mapping: IndexMapping): RestrictedLeaf[] {
  return gather(selection, mapping, (analyzer) => {
    const { readings } = readQueryText(analyzer, text);
    const known = new Set(readings.map(keyOf));
    return readings.flatMap((reading) => {
      const instead = { of: text, terms: reading.map(({ term }) => term) };
      return mapping.synonyms
        .expand(analyzer, reading)
        .filter(({ terms }) => !known.has(keyOf(terms)))
        .map((variant) => ({ ...variant, instead }));
    });
  });
}

/** The synonyms of several words in neighbouring clauses. */
export function toNeighbourLeaves(
  words: readonly string[],
  selection: FieldSelection,
  mapping: IndexMapping,
): RestrictedLeaf[] {
  const text = words.join(' ');
  const clauseOf: number[] = [];
  for (const [clause, word] of words.entries()) {
    for (let i = 0; i <= word.length; i++) clauseOf.push(clause);
  }
  return gather(selection, mapping, (analyzer) => {
    const terms = readQueryText(analyzer, text).terms;
    const leaves: SynonymLeaf[] = [];
    for (const { first, end, targets } of mapping.synonyms.find(analyzer, terms)) {
      const [from, to] = [clauseOf[terms[first].start], clauseOf[terms[end - 1].start]];
      // Those within one clause are found there.
      if (from === to) continue;
      const instead = {
        of: words.slice(from, to + 1).join(' '),
        terms: terms.slice(first, end).map(({ term }) => term),
      };
      for (const target of targets) leaves.push({ ...target, instead });
    }
    return leaves;
  });
}

/** Words of neighbouring optional clauses that look at the same fields and have neither operator nor boost. */
export interface NeighbouringWords {
  readonly field: string | undefined;
  readonly words: readonly string[];
}

export function findNeighbours(clauses: readonly Clause[]): NeighbouringWords[] {
  const runs: { field: string | undefined; words: string[] }[] = [];
  let isOpen = false;
  for (const { occur, query } of clauses) {
    const isWord = occur === 'should' && query.type === 'term';
    const last = runs.at(-1);
    if (isWord && isOpen && last?.field === query.field) last?.words.push(query.text);
    else if (isWord) runs.push({ field: query.field, words: [query.text] });
    isOpen = isWord;
  }
  return runs.filter(({ words }) => words.length > 1);
}

/** Leaves of every analyzer; those that several find stand once, for the fields of all of them. */
function gather(
  selection: FieldSelection,
  mapping: IndexMapping,
  find: (analyzer: Analyzer) => readonly SynonymLeaf[],
): RestrictedLeaf[] {
  const { analyzers, synonyms } = mapping;
  if (synonyms.isEmpty) return [];
  const found = new Map<string, { readonly leaf: SynonymLeaf; readonly analyzers: Set<Analyzer> }>();
  for (const analyzer of analyzers) {
    for (const leaf of find(analyzer)) {
      const key = `${keyOf(leaf.terms)}\0${keyOf(leaf.instead.terms)}`;
      recall(found, key, () => ({ leaf, analyzers: new Set<Analyzer>() })).analyzers.add(analyzer);
    }
  }
  return Array.from(found.values(), ({ leaf, analyzers: agreeing }) => {
    const isAll = agreeing.size === analyzers.length;
    return { ...leaf, selection: isAll ? selection : restrict(selection, [...agreeing], mapping) };
  });
}

function keyOf(terms: readonly (QueryTerm | string)[]): string {
  return JSON.stringify(terms.map((term) => (typeof term === 'string' ? term : [term.term, term.position])));
}
