import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type { CompareTerms, GraphReader, GraphRows, QuadIds } from './graph-reader.ts';
import { DEFAULT_GRAPH_ID, type TermId, UNBOUND } from './term-kind.ts';

/** The readers that checked ones stand before. Only the engines of this package ask. */
const behind = new WeakMap<GraphReader, GraphReader>();

/** The reader behind a checked one, else the reader itself: for engines, which ask only for ids that they read. */
export function uncheckedReader(reader: GraphReader): GraphReader {
  return behind.get(reader) ?? reader;
}

/**
 * A reader for callers who may count ids up: it knows only terms that stand in a visible quad. The first question about an
 * id costs a look into the index, O(its hidden rows) at worst, and is remembered. Ids are not numbered anew: how large
 * they are still tells about how many terms are stored.
 */
export function checkedReader(reader: GraphReader): GraphReader {
  const checked = new CheckedReader(reader);
  behind.set(checked, reader);
  return checked;
}

/** Ids whose visibility is remembered. */
const MAX_REMEMBERED = 1_000_000;

class CheckedReader implements GraphReader {
  readonly #reader: GraphReader;
  readonly #isVisible = new Map<TermId, boolean>();

  constructor(reader: GraphReader) {
    this.#reader = reader;
  }

  idOf(term: RDF.Term): TermId {
    const id = this.#reader.idOf(term);
    return this.#shows(id) ? id : UNBOUND;
  }

  term(id: TermId): RDF.Term {
    return this.#reader.term(this.#checked(id));
  }

  kind(id: TermId): number {
    return this.#reader.kind(this.#checked(id));
  }

  text(id: TermId): string {
    return this.#reader.text(this.#checked(id));
  }

  readonly compare: CompareTerms = (a, b) => this.#reader.compare(this.#checked(a), this.#checked(b));

  graphs(): Uint32Array {
    return this.#reader.graphs().slice();
  }

  possibleGraphs(): readonly TermId[] {
    return [...this.#reader.graphs()];
  }

  /** Their size counts only what is visible. */
  rows(s: TermId, p: TermId, o: TermId, graph: TermId): GraphRows {
    const reader = this.#reader;
    const rows = reader.rows(s, p, o, graph);
    let size: number | undefined;
    return {
      get size() {
        size ??= reader.count(s, p, o, graph);
        return size;
      },
      open: () => rows.open(),
    };
  }

  quadIds(s: TermId, p: TermId, o: TermId, g: TermId): Iterable<QuadIds> {
    return this.#reader.quadIds(s, p, o, g);
  }

  count(s: TermId, p: TermId, o: TermId, g: TermId): number {
    return this.#reader.count(s, p, o, g);
  }

  /** The same error for an id that is hidden and one that there is not. */
  #checked(id: TermId): TermId {
    if (this.#shows(id)) return id;
    const message = `term ids are those that the reader gave; got ${id}`;
    throw new CodedError({ code: 'ERR_TERM_UNKNOWN', kind: 'internal', message });
  }

  #shows(id: TermId): boolean {
    // 0 would match any term.
    if (!Number.isInteger(id) || id <= UNBOUND) return false;
    if (id === DEFAULT_GRAPH_ID) return true;
    const known = this.#isVisible.get(id);
    if (known !== undefined) return known;
    const shows = this.#isInQuad(id);
    if (this.#isVisible.size >= MAX_REMEMBERED) this.#isVisible.clear();
    this.#isVisible.set(id, shows);
    return shows;
  }

  #isInQuad(id: TermId): boolean {
    const reader = this.#reader;
    for (const _ of reader.quadIds(id, UNBOUND, UNBOUND, UNBOUND)) return true;
    for (const _ of reader.quadIds(UNBOUND, UNBOUND, id, UNBOUND)) return true;
    for (const _ of reader.quadIds(UNBOUND, id, UNBOUND, UNBOUND)) return true;
    for (const _ of reader.quadIds(UNBOUND, UNBOUND, UNBOUND, id)) return true;
    return false;
  }
}
