import type { NextTurn, TopicPositions } from '@cairn/events';
import type { JsonObject, Viewer } from '@cairn/security';

/**
 * A document: any JSON object with a non-empty `uri`, its id. `securityLabels` beside fields says who may see them:
 * `securityLabels.defaults` for the object, `securityLabels.<field>` for one field (a string, or a list parallel to
 * a list field).
 */
export interface SearchDocument extends JsonObject {
  readonly uri: string;
}

/** One change of {@link SearchIndex.apply}. A put of an id that exists replaces the document. */
export type DocumentChange =
  | { readonly type: 'put'; readonly index: string; readonly document: SearchDocument }
  | { readonly type: 'delete'; readonly index: string; readonly id: string };

/**
 * How `query` is read: the query language; a set of terms of which any matches; one phrase; a text that is being typed;
 * a text of which any of the best words matches ({@link LikeOptions}); or the id of a document, for what is like it.
 *
 * Of a text that is being typed all words must be there, the last as a word or as the beginning of one, each with letters
 * wrong as `fuzziness` says; what has them as typed is above what has words that begin so, and this above what has words
 * near. The document that results are like is looked for in the indices that are read and is not among the results; one
 * that is not there, or not visible, fails with `ERR_NO_DOCUMENT` (not-found).
 */
export type QueryType = 'query' | 'term' | 'phrase' | 'as-you-type' | 'like' | 'like-document';

/**
 * The words by which things are like a text: those in it whose frequency times inverse document frequency is largest.
 * They are looked for as words of type `term` are. Documents are those that the viewer sees; of a document its visible
 * text in the fields that are looked at counts, up to 32,768 UTF-16 units.
 */
export interface LikeOptions {
  /** Most words, 1 to 100. Default 25. */
  readonly maxTerms?: number | undefined;
  /** How often a word must be in the text, 1 or more. Default 1. */
  readonly minTermFrequency?: number | undefined;
  /** In how many documents it must be, 1 or more. Default 1; 2 for `like-document`, the document itself among them. */
  readonly minDocumentFrequency?: number | undefined;
  /** In how many documents it may be, 1 or more. Default any number. */
  readonly maxDocumentFrequency?: number | undefined;
}

/** Words of the best matches that raise what has them, too. */
export interface FeedbackOptions {
  /** How many of the best matches give words, 1 to 50. Default 10. */
  readonly documents?: number | undefined;
  /** Most words, 1 to 50: those that are frequent in these matches and rare elsewhere. Default 10. */
  readonly terms?: number | undefined;
  /** Weight of the best of them, where the heaviest word of the query has 1: above 0 up to 10. Default 0.4. */
  readonly weight?: number | undefined;
}

/** Letters of a word that may be wrong: so many, or `auto`: none up to three letters, one up to seven, else two. */
export type Fuzziness = 'auto' | 0 | 1 | 2;

/** Types that a type filter looks at: the document's own, those of nested objects, or both. */
export type TypeFilterMode = 'any' | 'entity' | 'identifier';

/** Caps on the work of one operation. Exceeding one fails with `ERR_SEARCH_BUDGET` (exhausted). */
export interface SearchBudget {
  /** Terms that wildcards, prefixes, fuzzy terms and regular expressions may expand to. Default 10,000. */
  readonly maxExpandedTerms?: number;
  /** Postings read. Default 50,000,000. */
  readonly maxPostings?: number;
  /** Wall-clock milliseconds. Default 10,000. Fails with `ERR_TIME_LIMIT` (timeout). */
  readonly timeLimitMs?: number;
}

/** Options of every read operation. */
export interface ReadOperation {
  /** Names of the indices to read; default all. An unknown name fails with `ERR_UNKNOWN_INDEX` (invalid). */
  readonly indices?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly budget?: SearchBudget | undefined;
  /** The moment that `now` stands for in boosts, milliseconds since the epoch: an index reads no clock. Default none. */
  readonly nowMs?: number | undefined;
  /** How a long operation lets others run. Default: as the index does; a server gives each user turns of their own. */
  readonly nextTurn?: NextTurn | undefined;
}

/** Keeps documents whose fields have a value between `start` and `end`, both inclusive; either may be open. */
export interface RangeFilter {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** Paths of the fields; a value in any of them suffices. */
  readonly fields: readonly string[];
}

/** Keeps documents of any of these types, compared exactly. */
export interface TypeFilter {
  readonly values: readonly string[];
  readonly mode?: TypeFilterMode | undefined;
}

/** Filters of the matches of an operation. */
export interface SearchFilters {
  readonly typeFilter?: TypeFilter | undefined;
  readonly range?: RangeFilter | undefined;
}

/** Functions of numbers of 0 or more (those below count as 0): ln(1 + x), x, and 1 / (1 + x). */
export type ValueCurve = 'log1p' | 'linear' | 'reciprocal';

/**
 * Functions of a distance, 1 at 0 and 0.5 at one scale: `exp` halves with each scale, `gauss` is a bell, and `linear`
 * ends at 0 two scales away.
 */
export type DecayCurve = 'exp' | 'gauss' | 'linear';

/** Raises scores by a number: popular, long or near things come first. */
export interface ValueBoost {
  readonly type: 'value';
  /** Path of a field of numbers. */
  readonly field: string;
  readonly curve: ValueCurve;
  /** Multiplies the number before the curve; above 0, at most 1,000,000. Default 1. */
  readonly factor?: number | undefined;
  /** Multiplies the curve; above 0, at most 1,000,000. Default 1. */
  readonly weight?: number | undefined;
}

/** Raises scores by how near a date or number is to an origin: recent things come first. */
export interface DecayBoost {
  readonly type: 'decay';
  /** Path of a field of dates, or of numbers. */
  readonly field: string;
  readonly curve: DecayCurve;
  /** For dates a date, or `now` ({@link ReadOperation.nowMs}); for numbers a number. */
  readonly origin: number | string;
  /** The distance beyond the offset at which the curve is 0.5; for dates a duration: `90s`, `15m`, `12h`, `30d`, `2w`. */
  readonly scale: number | string;
  /** Up to this distance the curve is 1. Default 0. */
  readonly offset?: number | string | undefined;
  /** Multiplies the curve; above 0, at most 1,000,000. Default 1. */
  readonly weight?: number | undefined;
}

/**
 * Multiplies the score of a document by `1 + weight * curve`, at most by 1,000,001. Of several visible values the one
 * counts that raises most; a document without one keeps its score.
 */
export type ScoreBoost = ValueBoost | DecayBoost;

/** Where a query looks, and how its matches are scored. */
export interface Relevance {
  /** Where a query looks that names no field: at most 64 paths with `*` and `^boost`. Default by configuration. */
  readonly queryFields?: readonly string[] | undefined;
  /** At most 8, in place of those of the configuration. Every match is scored then, however few are shown. */
  readonly boosts?: readonly ScoreBoost[] | undefined;
  /** For queries of type `like` and `like-document`. */
  readonly like?: LikeOptions | undefined;
  /**
   * Orders matches by words of the best of them, too; what matches stays the same. Read from what the viewer sees. Every
   * match is scored twice. Default: it is not done.
   */
  readonly feedback?: FeedbackOptions | undefined;
}

/** Tags put around highlighted terms. Default `<em>` and `</em>`. */
export interface HighlightOptions {
  readonly preTag?: string;
  readonly postTag?: string;
}

/** Fragments of text around matches. */
export interface SnippetOptions extends HighlightOptions {
  /** Most fragments of each field, 1 to 20. Default 3. */
  readonly fragments?: number | undefined;
  /** UTF-16 units of text that a fragment has at most, tags and escapes not counted: 20 to 1000. Default 150. */
  readonly length?: number | undefined;
  /** Paths of the fields, with `*` as a wildcard; a path stands for all below it. Default all. */
  readonly fields?: readonly string[] | undefined;
}

export interface SearchRequest extends ReadOperation, SearchFilters, Relevance {
  readonly query: string;
  /** Default `query`. */
  readonly type?: QueryType | undefined;
  /**
   * How many letters of plain words may be wrong: changed, missing, too many, or two neighbours swapped, which counts
   * once. The first letter must be right; words of phrases and words that are excluded must be right, too. What has the
   * word itself is above what has one near it. Letters are those of the indexed term. Default `auto` for `as-you-type`, else 0.
   */
  readonly fuzziness?: Fuzziness | undefined;
  /**
   * ISO 639-1 codes of the languages in which words of the query are read, in fields that follow the languages of their
   * index; 1 to 8. An unknown one fails with `ERR_REQUEST` (invalid). Default all of the index.
   */
  readonly languages?: readonly string[] | undefined;
  /** 1 to 1000. Default 100. */
  readonly limit?: number | undefined;
  /** 1-based. Default 1. */
  readonly offset?: number | undefined;
  /** Adds `highlighted` to each result. Default false. */
  readonly highlight?: boolean | HighlightOptions | undefined;
  /** Adds `didYouMean` to the answer, where a word looks misspelt. Default false. */
  readonly didYouMean?: boolean | undefined;
  /** Adds `snippets` to each result, be the fields among the parts that come back or not. Default false. */
  readonly snippets?: boolean | SnippetOptions | undefined;
  /**
   * Adds `total` to the answer: the number of visible matches, exact up to this many (1 to 1,000,000; true: 10,000).
   * Default false.
   */
  readonly total?: boolean | number | undefined;
  /**
   * Keys separated by commas: `<field` ascending, `>field` or a bare field descending, `score` by score. Of several
   * values the least counts when ascending, else the greatest; numbers and instants are below any text. Equal results
   * are ordered by id. Default by score. At most 8 keys.
   */
  readonly sort?: string | undefined;
  /** Where results without a value of a sort field come. Default `last`. */
  readonly missing?: 'first' | 'last' | undefined;
  /**
   * Gives of the matches with the same value of a field the first alone, in the order of the results, and with it how
   * many there are. Default none. Totals and facets still count every match.
   */
  readonly collapse?: Collapse | undefined;
  /**
   * Goes on behind a page: the `next` of its answer, with the same query and sort. `*` begins, and makes the answer say
   * `next`. Instead of `offset`, for paging as deep as there are matches: each page costs the same.
   */
  readonly after?: string | undefined;
  /**
   * Adds `facets` to the answer, in this order: how many visible matches have each visible value of a field, exactly, be
   * they on the page or not. At most 16.
   */
  readonly facets?: readonly AskedFacet[] | undefined;
  /** Paths of the parts of a document that come back, with `*` as a wildcard; a path stands for all below it. Default all. */
  readonly fields?: readonly string[] | undefined;
  /** Paths of parts that do not come back. Default none. */
  readonly excludeFields?: readonly string[] | undefined;
  readonly showSecurityLabels?: boolean | undefined;
}

export interface TypeaheadRequest extends ReadOperation, SearchFilters {
  readonly query: string;
  /**
   * As in {@link SearchRequest}. Unless it is 0, the words may stand anywhere in a field, and what has them as they are
   * typed is above what has words that begin so, and this above what has words near them. Default 0.
   */
  readonly fuzziness?: Fuzziness | undefined;
  /** Field paths with wildcards. Default by configuration: `*PrimaryName,*primaryName`. */
  readonly fields?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly showSecurityLabels?: boolean | undefined;
}

export interface FacetRequest extends ReadOperation, SearchFilters, Relevance {
  readonly query: string;
  readonly type?: QueryType | undefined;
  /** As in {@link SearchRequest}. */
  readonly languages?: readonly string[] | undefined;
  /** Path of the field to group by, split on `/`. */
  readonly facet: string;
  /** 1 to 5000. Default 1000. */
  readonly sampleSize?: number | undefined;
}

export interface StatesRequest extends ReadOperation {
  readonly ids: readonly string[];
  /** `<field` ascending; `>field` or a bare field descending; `score`; comma-separated. Default by score. */
  readonly sort?: string | undefined;
  readonly range?: RangeFilter | undefined;
  readonly showSecurityLabels?: boolean | undefined;
}

export interface DocumentRequest extends ReadOperation {
  readonly showSecurityLabels?: boolean | undefined;
}

/** Corrects an entity inside a document. */
export interface CorrectionRequest extends ReadOperation {
  readonly documentUri: string;
  readonly entityText: string;
  readonly entityCategory: string;
  readonly resolvedEntityUri: string;
  readonly resolvedCategory: string;
}

export interface ExplainRequest extends SearchRequest {
  /** The document whose score is explained. */
  readonly id: string;
}

/** Keys in this order. */
export interface SearchResults {
  /** Exact: whether more visible matches exist beyond this page. */
  readonly maybeMore: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly query: string;
  readonly type: string;
  /** Only when asked for. */
  readonly total?: Total;
  /** Only when asked for. */
  readonly facets?: readonly FacetCounts[];
  /** Only when asked for, and where a word of the query looks misspelt. */
  readonly didYouMean?: DidYouMean;
  /** Only in answers to a request with `after`, and when there is more: what to give as `after` for the next page. */
  readonly next?: string;
  readonly results: readonly SearchResult[];
}

/** A field by whose values results are collapsed. */
export interface Collapse {
  /**
   * Its path, split on `/` or `.`. Of several visible values the least by code point counts, numbers and dates as they
   * are written. A document without a value stands for itself alone. More than 250,000 values fail with
   * `ERR_SEARCH_BUDGET` (exhausted).
   */
  readonly field: string;
  /** Up to how many matches of a value are counted, 1 to 1,000,000. Default 10,000. */
  readonly bound?: number | undefined;
}

/** The matches that a collapsed result stands for. */
export interface CollapsedValue {
  readonly value: string;
  /** The number of visible matches with this value, the result itself among them. */
  readonly count: Total;
}

/** How a query may have been meant, by the words of visible documents. */
export interface DidYouMean {
  /** The query with the likeliest replacement in place of each word. */
  readonly query: string;
  /** At most 16. */
  readonly words: readonly MisspeltWord[];
}

/**
 * A word of a query that no visible document has, or so few that another has twenty times as many. Of words that are
 * patterns, fuzzy or excluded there are none.
 */
export interface MisspeltWord {
  /** As it is written first. */
  readonly word: string;
  /**
   * Up to three words near it, one letter wrong up to seven letters, two in longer words: the nearer first, then those of
   * more documents, then by code point. Letters are those of the indexed term.
   */
  readonly replacements: readonly WordReplacement[];
}

/** A word that may have been meant. */
export interface WordReplacement {
  /** In small letters, in the form that the best document for it has it in first. */
  readonly text: string;
  /** Visible documents that have it where the query looks. */
  readonly count: number;
}

/** Parts of the calendar in UTC; weeks begin on Monday. */
export type CalendarInterval = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour';

/** Values from a bound on up to another, which is not included; either may be open. Both are numbers, or both dates. */
export interface FacetRange {
  readonly from?: string | number | undefined;
  readonly to?: string | number | undefined;
}

/** A field whose values are counted: one by one, or with `interval` or `ranges` its numbers or instants by buckets. */
export interface AskedFacet {
  /** Its path, split on `/` or `.`. */
  readonly field: string;
  /** Most values, 1 to 1000. Default 10. */
  readonly limit?: number | undefined;
  /** By falling count, then by value; or by value. Default `count`. */
  readonly order?: 'count' | 'value' | undefined;
  /** Counts those values alone that begin with it. Default all. */
  readonly prefix?: string | undefined;
  /** Width of the buckets for numbers; a part of the calendar for instants. */
  readonly interval?: number | CalendarInterval | undefined;
  /** At most 100. */
  readonly ranges?: readonly FacetRange[] | undefined;
}

/** Counts of one field. */
export interface FacetCounts {
  /** As it was asked for. */
  readonly field: string;
  /** True when there are more values than the limit. */
  readonly maybeMore: boolean;
  readonly values: readonly FacetValue[];
}

export interface FacetValue {
  /** A value; where a bucket begins, a date and time in UTC for instants; or `from..to`. */
  readonly value: string | number;
  /** Visible matches that have it. */
  readonly count: number;
}

/** A number of visible matches. */
export interface Total {
  readonly value: number;
  /** `eq`: that many; `gte`: at least so many, which is the bound of the request. */
  readonly relation: 'eq' | 'gte';
}

export interface SearchResult {
  readonly id: string;
  readonly score: number;
  /** The document as the viewer may see it. */
  readonly document: JsonObject;
  /** A copy of the document with marked matches, its own text HTML-escaped; absent when nothing matched in text. */
  readonly highlighted?: JsonObject;
  /**
   * Fragments of the document's texts by path, best first: those in which the most distinct terms of the query stand,
   * then those with the most matches, then the first. HTML-escaped, with matches marked; they do not overlap, and part
   * no match of a phrase that fits in. Absent unless asked for, and when nothing matched in text.
   */
  readonly snippets?: Readonly<Record<string, readonly string[]>>;
  /** Only where the results are collapsed, and the document has a value of the field. */
  readonly collapsed?: CollapsedValue;
}

export interface FacetResults {
  readonly query: string;
  readonly type: string;
  /** Documents really sampled. */
  readonly sampleSize: number;
  /** By count descending, then percentage descending, then value ascending. */
  readonly results: readonly FacetResult[];
}

export interface FacetResult {
  readonly value: string;
  readonly count: number;
  /** count / sum of counts, 0 to 1. */
  readonly percentage: number;
}

/** How a score came about. The values of `details` combine to `value` as `description` says. */
export interface Explanation {
  readonly value: number;
  readonly description: string;
  readonly details: readonly Explanation[];
}

/**
 * A full-text index in which every answer is made from what the viewer may see.
 *
 * Laws for implementers (`@cairn/search/conformance` checks them, in two levels):
 * - `core`: what `apply` changed MUST be visible to every later call when its promise resolves; a batch is visible
 *   whole or not at all. Equal scores MUST be ordered by id. `maybeMore` MUST be exact. Nothing a viewer may not see
 *   MUST ever be matched, counted, returned, suggested or highlighted. A missing and an invisible document MUST be
 *   indistinguishable.
 * - `non-interference`: the answer over all documents MUST equal, byte for byte as JSON, the answer of an index that
 *   only ever held what the viewer may see; scores included.
 */
export interface SearchIndex {
  /** The names of the configured indices, in the order of configuration. */
  readonly indices: readonly string[];
  /**
   * Applies changes in order, as one step. `positions` are recorded with it, for {@link SearchIndex.positions}.
   *
   * Reading begins in the call, and what was read is a copy: a batch that is read within a slice of a few milliseconds
   * may be changed at once. Of a longer one the documents that follow are read in the next turns of the event loop, so do
   * not change those before the promise resolves. List and positions may always be changed.
   * @throws `ERR_UNKNOWN_INDEX` or `ERR_DOCUMENT` (invalid), naming which; nothing is applied then.
   */
  apply(changes: readonly DocumentChange[], positions?: TopicPositions): Promise<void>;
  /** @throws `ERR_QUERY_SYNTAX` (invalid) with position and what was expected. */
  search(viewer: Viewer, request: SearchRequest): Promise<SearchResults>;
  typeahead(viewer: Viewer, request: TypeaheadRequest): Promise<SearchResults>;
  facets(viewer: Viewer, request: FacetRequest): Promise<FacetResults>;
  /** For each id its states (documents with `isState: true` that mention it), or null when it has none. */
  states(viewer: Viewer, request: StatesRequest): Promise<Readonly<Record<string, SearchResults | null>>>;
  getDocument(viewer: Viewer, id: string, request?: DocumentRequest): Promise<JsonObject | undefined>;
  /** For each id its document, or null. */
  getDocuments(
    viewer: Viewer,
    ids: readonly string[],
    request?: DocumentRequest,
  ): Promise<Readonly<Record<string, JsonObject | null>>>;
  /**
   * Returns the document as it would be after a correction; `undefined` when no visible entity matches. Does not store
   * it: pass `change` to {@link SearchIndex.apply}.
   */
  correctEntity(viewer: Viewer, request: CorrectionRequest): Promise<CorrectedDocument | undefined>;
  /** `undefined` when the document does not match or may not be seen. */
  explain(viewer: Viewer, request: ExplainRequest): Promise<Explanation | undefined>;
  /** The positions recorded by the last {@link SearchIndex.apply} of each topic: a copy, as all that a port gives is. */
  positions(): TopicPositions;
  /** Makes what was applied durable where the implementation stores anything, with its positions. */
  flush(): Promise<void>;
  /** Ends what runs. Every later call MUST be refused with `ERR_INDEX_CLOSED` (unavailable); a second close is none. */
  close(): Promise<void>;
}

export interface CorrectedDocument {
  /** The whole corrected document, labels and invisible parts included: for storing, never for an answer. */
  readonly change: DocumentChange;
  /** The corrected document as the viewer may see it. */
  readonly document: JsonObject;
}
