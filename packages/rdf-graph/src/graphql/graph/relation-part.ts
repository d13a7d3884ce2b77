import { isLiteralKind, TermKind } from '../../store/term-kind.ts';

/** Which relations are meant: those to IRIs and blank nodes, those to literals, or all. */
export type RelationPart = 'nodes' | 'literals' | 'all';

type KindTest = (kind: number) => boolean;

/** Whether a kind of term is one that entities are: IRIs and blank nodes. */
export const isNodeKind: KindTest = (kind) => kind === TermKind.iri || kind === TermKind.blankNode;

/** By part whether a kind of term belongs to it. */
export const PARTS: Readonly<Record<RelationPart, KindTest>> = {
  nodes: isNodeKind,
  literals: isLiteralKind,
  all: () => true,
};
