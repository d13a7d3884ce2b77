import { sha1 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { GraphReader } from '../../graph/port/graph-reader.ts';
import { type TermId, TermKind } from '../../graph/port/term-kind.ts';
import { writeTerm } from '../../rdf/term-writer.ts';
import { blankNode, namedNode } from '../../rdf/terms.ts';
import type { LazyOrder } from '../graph/lazy-order.ts';
import type { Later, Pacer } from '../graph/pacer.ts';
import type { RelationPart, Relations } from '../graph/relations.ts';
import type { Rows } from '../graph/rows.ts';
import type { Direction, GraphView } from '../graph/view.ts';

/** A node of the platform schema: a term in one view. What is read of it is read once per request. */
export class Entity {
  readonly view: GraphView;
  readonly id: TermId;
  #uri: string | undefined;
  #out: Rows | undefined;
  #types: Later<LazyOrder> | undefined;
  #instances: Later<LazyOrder> | undefined;
  readonly #relations: Record<string, Later<Relations>> = {};

  constructor(view: GraphView, id: TermId) {
    this.view = view;
    this.id = id;
  }

  get uri(): string {
    this.#uri ??= uriOf(this.view.reader, this.id);
    return this.#uri;
  }

  types(pacer: Pacer): Later<LazyOrder> {
    this.#types ??= this.view.typesAmong(pacer, this.id, this.#outRows());
    return this.#types;
  }

  instances(pacer: Pacer): Later<LazyOrder> {
    this.#instances ??= this.view.instances(pacer, this.id);
    return this.#instances;
  }

  relations(pacer: Pacer, direction: Direction, part: Exclude<RelationPart, 'all'>): Later<Relations> {
    const slot = SLOTS[direction][part];
    this.#relations[slot] ??= this.view.relations(pacer, this.id, direction, part, this.#rows(direction));
    return this.#relations[slot];
  }

  /** Returns true if it is a subject or an object of the view. */
  isThere(): boolean {
    return this.#outRows().hasVisible() || this.#rows('in').hasVisible();
  }

  #rows(direction: Direction): Rows {
    return direction === 'out' ? this.#outRows() : this.view.rowsOf(this.id, direction);
  }

  #outRows(): Rows {
    this.#out ??= this.view.rowsOf(this.id, 'out');
    return this.#out;
  }
}

const SLOTS = {
  out: { nodes: 'outNodes', literals: 'outLiterals' },
  in: { nodes: 'inNodes', literals: 'inLiterals' },
} as const;

/** The IRI of a term; `_:label` of a blank node, the N-Triples form of any other. */
export function uriOf(reader: GraphReader, id: TermId): string {
  const kind = reader.kind(id);
  if (kind === TermKind.iri) return reader.text(id);
  return kind === TermKind.blankNode ? `_:${reader.text(id)}` : writeTerm(reader.term(id));
}

/** The id of the term that a text names, or 0 when it is not stored. */
export function idOfUri(reader: GraphReader, uri: string): TermId {
  return reader.idOf(uri.startsWith('_:') ? blankNode(uri.slice(2)) : namedNode(uri));
}

/** SHA-1 of a text in UTF-8, as lower-case hexadecimal. */
export function hashText(text: string): string {
  return bytesToHex(sha1(new TextEncoder().encode(text)));
}

/** Shortens an IRI by a prefix: `prefix:rest`, or the IRI when no namespace begins it. */
export type Shorten = (iri: string) => string;

/** Shortens by these prefixes; the longest namespace wins. */
export function shortenBy(prefixes: Readonly<Record<string, string>>): Shorten {
  const namespaces = Object.entries(prefixes)
    .filter(([, namespace]) => namespace !== '')
    .sort(([a, namespaceA], [b, namespaceB]) => namespaceB.length - namespaceA.length || (a < b ? -1 : 1));
  return (iri) => {
    for (const [prefix, namespace] of namespaces) {
      if (iri.startsWith(namespace)) return `${prefix}:${iri.slice(namespace.length)}`;
    }
    return iri;
  };
}
