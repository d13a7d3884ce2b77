import { isLiteralKind, TermKind } from '../../graph/port/term-kind.ts';

/** Selection of relations: those to IRIs and blank nodes, those to literals, or all. */
export type RelationPart = 'nodes' | 'literals' | 'all';

type KindTest = (kind: number) => boolean;

/** Returns true for the kinds of terms of entities: IRIs and blank nodes. */
export const isNodeKind: KindTest = (kind) => kind === TermKind.iri || kind === TermKind.blankNode;

/** By part whether a kind of term belongs to it. */
export const PARTS: Readonly<Record<RelationPart, KindTest>> = {
  nodes: isNodeKind,
  literals: isLiteralKind,
  all: () => true,
};
