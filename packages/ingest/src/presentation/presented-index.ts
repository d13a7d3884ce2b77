import type { SearchIndex, SearchResult, SearchResults } from '@cairn/search';
import type { Viewer } from '@cairn/security';
import { presentDocument } from './present.ts';

/** The ids that a short one may stand for, in the order in which they are tried; none for an id that is not short. */
export type Expand = (id: string) => readonly string[];

/**
 * An index whose answers hold documents as {@link presentDocument} makes them for a reader. What is written, matched,
 * scored and counted is the same.
 * @param expand the ids that a short one may stand for; default no id is short
 */
export function createPresentedIndex(index: SearchIndex, expand: Expand = () => []): SearchIndex {
  const byId = withShortIds(index, expand);
  return {
    get indices() {
      return index.indices;
    },
    apply: (changes, positions) => index.apply(changes, positions),
    search: async (viewer, request) => presentResults(await index.search(viewer, request), viewer),
    typeahead: async (viewer, request) => presentResults(await index.typeahead(viewer, request), viewer),
    facets: (viewer, request) => index.facets(viewer, request),
    states: async (viewer, request) =>
      mapValues(await byId.states(viewer, request), (results) => results && presentResults(results, viewer)),
    getDocument: async (viewer, id, request) => {
      const document = await byId.getDocument(viewer, id, request);
      return document && presentDocument(document, viewer);
    },
    getDocuments: async (viewer, ids, request) =>
      mapValues(
        await byId.getDocuments(viewer, ids, request),
        (document) => document && presentDocument(document, viewer),
      ),
    correctEntity: async (viewer, request) => {
      const corrected = await index.correctEntity(viewer, request);
      return corrected && { change: corrected.change, document: presentDocument(corrected.document, viewer) };
    },
    explain: (viewer, request) => index.explain(viewer, request),
    positions: () => index.positions(),
    flush: () => index.flush(),
    close: () => index.close(),
  };
}

type ById = Pick<SearchIndex, 'getDocument' | 'getDocuments' | 'states'>;

/**
 * The ways of an index to something by its id, by short ids as well: the UUID that an upload answers, in place of the IRI
 * of the document. What is asked for by its whole id comes first, and answers have the ids that were asked for. What the
 * viewer may not see is as if it were not there, so a short id never tells of it.
 */
function withShortIds(index: ById, expand: Expand): ById {
  const isShort = (id: string): boolean => expand(id).length > 0;
  return {
    async getDocument(viewer, id, request) {
      let document = await index.getDocument(viewer, id, request);
      if (document !== undefined) return document;
      for (const whole of expand(id)) document ??= await index.getDocument(viewer, whole, request);
      return document;
    },
    async getDocuments(viewer, ids, request) {
      const found = await index.getDocuments(viewer, ids, request);
      if (!ids.some(isShort)) return found;
      return filled(found, expand, (missing) => index.getDocuments(viewer, missing, request));
    },
    async states(viewer, request) {
      const found = await index.states(viewer, request);
      if (!request.ids.some(isShort)) return found;
      return filled(found, expand, (ids) => index.states(viewer, { ...request, ids }));
    },
  };
}

/** Returns what was found, or else what one of the whole ids gives. */
async function filled<Found>(
  found: Readonly<Record<string, Found | null>>,
  expand: Expand,
  find: (ids: readonly string[]) => Promise<Readonly<Record<string, Found | null>>>,
): Promise<Readonly<Record<string, Found | null>>> {
  const whole = new Map<string, readonly string[]>();
  for (const [id, value] of Object.entries(found)) if (value === null) whole.set(id, expand(id));
  const ids = [...whole.values()].flat();
  if (ids.length === 0) return found;
  const more = new Map(Object.entries(await find(ids)));
  const firstOf = (id: string): Found | null =>
    (whole.get(id) ?? []).map((each) => more.get(each) ?? null).find((value) => value !== null) ?? null;
  return Object.fromEntries(Object.entries(found).map(([id, value]) => [id, value ?? firstOf(id)]));
}

function presentResults(results: SearchResults, viewer: Viewer): SearchResults {
  return { ...results, results: results.results.map((result) => presentResult(result, viewer)) };
}

function presentResult(result: SearchResult, viewer: Viewer): SearchResult {
  const document = presentDocument(result.document, viewer);
  if (result.highlighted === undefined) return { ...result, document };
  return { ...result, document, highlighted: presentDocument(result.highlighted, viewer) };
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
