import type { SearchIndex, SearchResult, SearchResults } from '@cairn/search';
import type { JsonObject, Viewer } from '@cairn/security';
import { presentDocument } from './present.ts';
import { type Expand, withShortIds } from './short-ids.ts';

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
      mapValues(await byId.states(viewer, request), (results) =>
        results === null ? null : presentResults(results, viewer),
      ),
    getDocument: async (viewer, id, request) => present(await byId.getDocument(viewer, id, request), viewer),
    getDocuments: async (viewer, ids, request) =>
      mapValues(await byId.getDocuments(viewer, ids, request), (document) =>
        document === null ? null : presentDocument(document, viewer),
      ),
    correctEntity: async (viewer, request) => {
      const corrected = await index.correctEntity(viewer, request);
      return corrected === undefined
        ? undefined
        : { change: corrected.change, document: presentDocument(corrected.document, viewer) };
    },
    explain: (viewer, request) => index.explain(viewer, request),
    positions: () => index.positions(),
    flush: () => index.flush(),
    close: () => index.close(),
  };
}

function present(document: JsonObject | undefined, viewer: Viewer): JsonObject | undefined {
  return document === undefined ? undefined : presentDocument(document, viewer);
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
