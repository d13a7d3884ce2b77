import type * as RDF from '@rdfjs/types';
import { writeTerm } from '../../../rdf/term-writer.ts';
import type { Term } from './algebra.ts';

/** Terms by their text: the reference holds solutions as texts, and needs terms only where it computes. */
const TERMS = new Map<Term, RDF.Term>();

/** Writes a term, and remembers it so that it can be read again. */
export function rememberTerm(term: RDF.Term): Term {
  const text = writeTerm(term);
  if (!TERMS.has(text)) TERMS.set(text, term);
  return text;
}

/** @throws for a text that was never a term of data or query */
export function readTerm(text: Term): RDF.Term {
  const term = TERMS.get(text);
  if (term === undefined) throw new Error(`the reference never saw the term ${text}`);
  return term;
}
