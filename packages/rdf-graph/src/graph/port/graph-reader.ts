import type { NextTurn } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import type { TermId } from './term-kind.ts';

/** A quad of ids. */
export type QuadIds = readonly [s: TermId, p: TermId, o: TermId, g: TermId];

/** A quad of ids that is handed to a callback. */
export type QuadIdsCallback = (s: TermId, p: TermId, o: TermId, g: TermId) => void;

/** Negative when the first term comes before the second one, 0 for the same term. */
export type CompareTerms = (a: TermId, b: TermId) => number;

/** The rows of one graph that match a pattern, to be read as often as wanted. */
export interface GraphRows {
  /** How many there are at most: rows that do not show may be counted. 0 when there are none. */
  readonly size: number;
  /** Begins to read them, in ascending order of subject, predicate and object ids, each once. */
  open(): RowCursor;
}

/** Reads rows some at a time. */
export interface RowCursor {
  /** Looks at so many rows and calls back with those that are visible. Gives false when there are no more. */
  read(rows: number, visit: QuadIdsCallback): boolean;
}

/**
 * One viewer's view of a dataset at one moment, by ids. GraphQL and SHACL read nothing else.
 *
 * Laws for implementers, which the conformance suite of datasets checks. Later changes MUST NOT show, and nothing that
 * the viewer may not see MUST come out of any method, also when ids are counted up instead of read: `term`, `kind`, `text`
 * and `compare` of an id whose term is in no visible quad MUST do what they do for one that there is not. Ids are those of this reader alone; 0 stands for any term in a
 * pattern, and {@link DEFAULT_GRAPH_ID} is the default graph.
 */
export interface GraphReader {
  /** The id of a term; 0 when it is hidden and when it is not there. Terms inside visible ones may have one. */
  idOf(term: RDF.Term): TermId;
  /** The term of an id that this reader gave. @throws `ERR_TERM_UNKNOWN` (internal) for others */
  term(id: TermId): RDF.Term;
  /** The kind of an id's term, one of {@link TermKind}. Cheaper than the term. */
  kind(id: TermId): number;
  /** The IRI, the label of a blank node or the lexical form of a literal. */
  text(id: TermId): string;
  /** Orders terms by the UTF-8 bytes of their N-Triples form, blank nodes by their labels. */
  readonly compare: CompareTerms;
  /** The graphs that hold at least one visible quad, sorted by id. */
  graphs(): Uint32Array;
  /** The graphs that may hold a visible quad, in any order: some may show nothing. Cheap. */
  possibleGraphs(): readonly TermId[];
  /** The visible rows of a graph that match. Cheap; reading them costs. */
  rows(s: TermId, p: TermId, o: TermId, graph: TermId): GraphRows;
  /** Every visible quad that matches. */
  quadIds(s: TermId, p: TermId, o: TermId, g: TermId): Iterable<QuadIds>;
  /** How many visible quads match. */
  count(s: TermId, p: TermId, o: TermId, g: TermId): number;
}

/** How a reader is opened. */
export interface ReaderOptions {
  /** Ends the opening. */
  readonly signal?: AbortSignal | undefined;
  /** How a long opening lets others run; what it throws ends it. Default: {@link nextTurn} of no party. */
  readonly nextTurn?: NextTurn | undefined;
}
