import type * as RDF from '@rdfjs/types';
import { blankNode } from './terms.ts';

/** Names the blank nodes of one document: labelled ones by their label, the others by their order. */
export interface BlankNodeScope {
  /** The node of a label; the same one each time. */
  labelled(label: string): RDF.BlankNode;
  /** A node without a label; another one each time, and never one that a label names. */
  fresh(): RDF.BlankNode;
}

const ANONYMOUS = /^anon(0|[1-9]\d*)$/;

/** Gives the name of a blank node from its label, or from `anon0`, `anon1`, ... for one without. */
export type BlankNodeNaming = (label: string) => string;

/** An empty scope. The same document gives the same names each time; by default labels stay as they are. */
export function createBlankNodeScope(naming: BlankNodeNaming = (label) => label): BlankNodeScope {
  const nodes = new Map<string, RDF.BlankNode>();
  const renamed = new Set<string>();
  let count = 0;
  const isFresh = (label: string): boolean => {
    const number = ANONYMOUS.exec(label)?.[1];
    return number !== undefined && Number(number) < count;
  };
  return {
    labelled(label) {
      const known = nodes.get(label);
      if (known !== undefined) return known;
      let free = label;
      while (isFresh(free) || renamed.has(free) || (free !== label && nodes.has(free))) free += '_';
      if (free !== label) renamed.add(free);
      const node = blankNode(naming(free));
      nodes.set(label, node);
      return node;
    },
    fresh() {
      while (nodes.has(`anon${count}`)) count++;
      return blankNode(naming(`anon${count++}`));
    },
  };
}
