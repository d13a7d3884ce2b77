import { sha1 } from '@noble/hashes/legacy.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { blankNode, namedNode } from '../../rdf/terms.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { type TermId, TermKind } from '../../store/term-kind.ts';
import { once, type RequestContext } from '../execution/request-context.ts';
import type { GraphView } from '../graph/view.ts';

/** A node of the platform schema: a term in one view. */
export interface Entity {
  readonly view: GraphView;
  readonly id: TermId;
  readonly uri: string;
}

/** The entity of a term; one object per request. */
export function toEntity(context: RequestContext, view: GraphView, id: TermId): Entity {
  return once(context, `entity/${view.graph}/${id}`, () => ({ view, id, uri: uriOf(context.snapshot, id) }));
}

/** The IRI of a term; `_:label` of a blank node. */
export function uriOf({ dictionary }: Snapshot, id: TermId): string {
  const text = dictionary.text(id);
  return dictionary.kind(id) === TermKind.blankNode ? `_:${text}` : text;
}

/** The id of the term that a text names, or 0 when it is not stored. */
export function idOfUri(snapshot: Snapshot, uri: string): TermId {
  return snapshot.idOf(uri.startsWith('_:') ? blankNode(uri.slice(2)) : namedNode(uri));
}

/** The entity that a text names; `undefined` unless it is a subject or an object of the view. */
export function findEntity(context: RequestContext, view: GraphView, uri: string): Entity | undefined {
  const id = idOfUri(context.snapshot, uri);
  return view.has(id) ? toEntity(context, view, id) : undefined;
}

/** SHA-1 of a text in UTF-8, as lower-case hexadecimal. */
export function hashText(text: string): string {
  return bytesToHex(sha1(new TextEncoder().encode(text)));
}
