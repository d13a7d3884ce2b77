import { takesPosition } from '../analysis/token-kind.ts';
import { anyOf } from '../plan/compiler.ts';
import type { Plan } from '../plan/plan.ts';
import { compileRelevance } from '../plan/relevance.ts';
import { toQuery } from '../plan/request-query.ts';
import { findMisspellings, type Misspelling } from '../plan/spelling.ts';
import type { DidYouMean, MisspeltWord, SearchRequest } from '../port/search-index.ts';
import { textsOf } from '../results/document-texts.ts';
import { MatchFinder } from '../results/match-finder.ts';
import { collectStatistics } from '../scoring/statistics.ts';
import { type PlannedSearch, runSearch } from './operation.ts';
import { presentMatch, type Showing } from './presented.ts';
import { toVisibleIndex } from './query-planner.ts';

/** A part of a query that is written otherwise. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Suggests how a query may have been meant, in words of visible documents; `undefined` when no word of it looks misspelt.
 * Lets other work run when it takes long.
 */
export async function suggestSpelling(
  planned: PlannedSearch,
  request: SearchRequest,
  shown: Showing,
): Promise<DidYouMean | undefined> {
  const { query: text, type = 'query' } = request;
  if (type === 'like-document') return undefined;
  const query = toQuery(text, type === 'as-you-type' || type === 'like' ? 'term' : type);
  const relevance = compileRelevance(request);
  const indices = planned.views.map((view) => toVisibleIndex(view, relevance));
  const misspellings = await planned.budget.run(findMisspellings(query, indices, planned.budget));
  const words: MisspeltWord[] = [];
  const replaced: Replacement[] = [];
  for (const misspelling of misspellings) {
    const [place, ...others] = findWord(text, misspelling, type === 'query');
    if (place === undefined) continue;
    const replacements = await toReplacements(planned, misspelling, shown);
    words.push({ word: text.slice(place.start, place.end), replacements });
    for (const { start, end } of [place, ...others]) replaced.push({ start, end, text: replacements[0].text });
  }
  return words.length === 0 ? undefined : { query: rewrite(text, replaced), words };
}

/** Before and behind a word, these make it a pattern, or the name of a field. */
const PATTERN_BEFORE = /[*?\\/]/;
const PATTERN_BEHIND = /[*?:~/]/;

/** Where a term stands in the text of a query, in the query language as a plain word. */
function findWord(text: string, { term, places }: Misspelling, isLanguage: boolean): Omit<Replacement, 'text'>[] {
  const found = new Map<number, Omit<Replacement, 'text'>>();
  for (const analyzer of new Set(places.flatMap(({ index }) => index.mapping.analyzers))) {
    analyzer.analyze(text, (candidate, _position, start, end, kind) => {
      if (candidate !== term || !takesPosition(kind)) return;
      const isPattern = PATTERN_BEFORE.test(text[start - 1] ?? '') || PATTERN_BEHIND.test(text[end] ?? '');
      if (!isLanguage || !isPattern) found.set(start, { start, end });
    });
  }
  return [...found.values()];
}

function rewrite(text: string, replaced: readonly Replacement[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, text: other } of replaced.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue;
    result += text.slice(at, start) + other;
    at = end;
  }
  return result + text.slice(at);
}

async function toReplacements(
  planned: PlannedSearch,
  misspelling: Misspelling,
  shown: Showing,
): Promise<MisspeltWord['replacements']> {
  const replacements: { text: string; count: number }[] = [];
  for (const { term, documents } of misspelling.meant) {
    replacements.push({ text: await findSurface(planned, misspelling, term, shown), count: documents });
  }
  return replacements;
}

/** A term as the best document for it has it: terms are stems. */
async function findSurface(
  { views, budget }: PlannedSearch,
  { places }: Misspelling,
  term: string,
  shown: Showing,
): Promise<string> {
  const plans = views.map(({ store }): Plan => {
    const own = places.filter(({ index }) => index.mapping === store.mapping);
    return anyOf(
      own.map(({ selection }, i) => ({ type: 'term', key: `meant:${i}`, space: 'text', term, selection, boost: 1 })),
    );
  });
  const indexPlans = views.map((view, i) => ({ plan: plans[i], views: view.views }));
  const statistics = await budget.run(collectStatistics(indexPlans, budget));
  const [match] = (await runSearch({ views, plans, filters: [], statistics, budget }, 1)).toSorted();
  const document = presentMatch(match, shown);
  const number = views.findIndex(({ store }) => store.mapping.name === match.view.segment.index);
  const { mapping } = views[number].store;
  const finder = new MatchFinder(plans[number], mapping);
  for (const { text, path } of document === undefined ? [] : textsOf(document, mapping)) {
    let form: string | undefined;
    await budget.run(finder.visit(text, path, ({ start, end }) => (form ??= text.slice(start, end))));
    if (form !== undefined) return form.toLowerCase();
  }
  return term;
}
