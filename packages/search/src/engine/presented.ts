import { type JsonObject, redactDocument, type Viewer } from '@cairn/security';
import { labelPlainDocument } from '../document/labelled-document.ts';
import { withLanguages } from '../document/value-languages.ts';
import type { CollapsedMatch } from '../execution/collapsed-matches.ts';
import type { Match } from '../execution/top-documents.ts';
import type { Plan } from '../plan/plan.ts';
import type { Page } from '../port/arguments.ts';
import type { HighlightOptions, SearchDocument, SearchResult, SearchResults } from '../port/search-index.ts';
import type { TakeParts } from '../results/document-parts.ts';
import { Highlighter } from '../results/highlight.ts';
import { MatchFinder, TextAnalyzers } from '../results/match-finder.ts';
import { type AskedSnippets, SnippetMaker } from '../results/snippets.ts';
import { damagedSegment } from '../segment/segment.ts';
import { type DocumentPlace, findDocument } from '../segment/segment-state.ts';
import { readStoredDocument, storedBytes } from '../segment/stored-documents.ts';
import type { IndexStore } from './index-store.ts';
import type { IndexView } from './operation.ts';

type Mutable<Shape> = { -readonly [Member in keyof Shape]: Shape[Member] };

export interface Showing {
  readonly stores: ReadonlyMap<string, IndexStore>;
  readonly viewer: Viewer;
  readonly showSecurityLabels: boolean;
  /** Takes the parts of a result's document that were asked for. Default all. */
  readonly takeParts?: TakeParts | undefined;
}

/** A document that a viewer sees, and where it is. */
interface FoundDocument {
  readonly view: IndexView;
  readonly place: DocumentPlace;
  readonly stored: JsonObject;
  /** The part that the viewer sees. */
  readonly document: JsonObject;
}

/** Markers of the results of one index. */
interface Markers {
  readonly finder: MatchFinder;
  readonly highlighter: Highlighter | undefined;
  readonly snippetMaker: SnippetMaker | undefined;
}

/** Markers by index name; none when nothing is to be marked. */
export function toMarkers(
  views: readonly IndexView[],
  plans: readonly Plan[],
  highlight: boolean | HighlightOptions,
  snippets: AskedSnippets | undefined,
): Map<string, Markers> {
  const options = highlight === true ? {} : highlight;
  if (options === false && snippets === undefined) return new Map();
  const toEntry = ({ store: { mapping } }: IndexView, i: number): [string, Markers] => {
    const finder = new MatchFinder(plans[i], mapping);
    const highlighter = options === false ? undefined : new Highlighter(finder, mapping, options);
    const snippetMaker = snippets && new SnippetMaker(finder, mapping, snippets);
    return [mapping.name, { finder, highlighter, snippetMaker }];
  };
  return new Map(views.map(toEntry));
}

/** A page of results with its echo of the request, keys in the order of the interface. */
export function toResults(
  matches: readonly Match[],
  { limit, offset }: Page,
  query: string,
  type: string,
  results: readonly SearchResult[],
  extras: Partial<SearchResults> = {},
): SearchResults {
  const maybeMore = matches.length >= offset + limit;
  return { maybeMore, limit, offset, query, type, ...extras, results };
}

/** Bytes of documents that are shown between two chances to pause. */
const BYTES_PER_STEP: number = 2 ** 14;

/** One page of matches as its viewer sees them, marked by the markers of their index if it has some. Yields. */
export function* presentPage(
  matches: readonly (Match & Partial<CollapsedMatch>)[],
  { limit, offset }: Page,
  showing: Showing,
  markers: ReadonlyMap<string, Markers> = new Map(),
): Generator<void, SearchResult[]> {
  const results: SearchResult[] = [];
  let bytes = 0;
  for (const match of matches.slice(offset - 1, offset - 1 + limit)) {
    const visible = presentMatch(match, showing);
    if (visible === undefined) throw damagedSegment('a document that matches cannot be seen');
    const document = showing.takeParts?.(visible) ?? visible;
    const { segment } = match.view;
    const { finder, highlighter, snippetMaker } = markers.get(segment.index) ?? {};
    finder?.open(yield* readAnalyzers(match, showing));
    const highlighted = highlighter && (yield* highlighter.highlight(document));
    const snippets = snippetMaker && (yield* snippetMaker.make(visible));
    const { score, collapsed } = match;
    const result: Mutable<SearchResult> = { id: segment.ids.term(match.document), score, document };
    if (highlighted) result.highlighted = highlighted;
    if (snippets) result.snippets = snippets;
    if (collapsed) result.collapsed = collapsed;
    results.push(result);
    bytes += storedBytes(segment.stored, match.document).length;
    if (bytes < BYTES_PER_STEP) continue;
    bytes = 0;
    yield;
  }
  return results;
}

/** The analyzers of the texts of a match that its viewer sees, where they differ from document to document. Yields. */
function* readAnalyzers(
  { view, document }: Match,
  { stores, viewer }: Showing,
): Generator<void, TextAnalyzers | undefined> {
  const mapping = stores.get(view.segment.index)?.mapping;
  if (mapping === undefined || mapping.languages.length < 2) return undefined;
  const stored = readStoredDocument(view.segment.stored, document) as SearchDocument;
  const { groups } = yield* withLanguages(labelPlainDocument(stored, mapping), mapping);
  const analyzers = new TextAnalyzers();
  for (const { path, labels, values } of groups) {
    if (!labels.some((label) => viewer.permits(label))) continue;
    for (const { text, analyzer } of values) if (text !== undefined) analyzers.add(path, text, analyzer);
  }
  return analyzers;
}

export function presentMatch({ view, document }: Match, showing: Showing): JsonObject | undefined {
  const store = showing.stores.get(view.segment.index);
  const stored = readStoredDocument(view.segment.stored, document);
  return store && redactForViewer(stored, showing, store.mapping.defaultLabel);
}

/** The documents of some ids, `null` where none is visible. Yields where it may pause. */
export function* lookUpAll(
  views: readonly IndexView[],
  ids: Iterable<string>,
  showing: Showing,
): Generator<void, [string, JsonObject | null][]> {
  const entries: [string, JsonObject | null][] = [];
  for (const id of ids) {
    entries.push([id, lookUp(views, id, showing)?.document ?? null]);
    yield;
  }
  return entries;
}

/** The first visible document of an id, in the order of the indices. */
export function lookUp(views: readonly IndexView[], id: string, showing: Showing): FoundDocument | undefined {
  for (const view of views) {
    const place = findDocument(view.states, id);
    if (place === undefined) continue;
    const stored = readStoredDocument(place.state.segment.stored, place.document);
    const document = redactForViewer(stored, showing, view.store.mapping.defaultLabel);
    if (document !== undefined) return { view, place, stored, document };
  }
  return undefined;
}

/** A document as a viewer may see it; `undefined` when nothing of it, or not its `uri`, is visible. */
export function redactForViewer(
  document: JsonObject,
  { viewer, showSecurityLabels }: Omit<Showing, 'stores'>,
  defaultLabel: string | undefined,
): JsonObject | undefined {
  const visible = redactDocument(document, viewer, { showSecurityLabels, defaultLabel });
  return visible?.['uri'] === undefined ? undefined : visible;
}
