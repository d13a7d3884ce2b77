import { badArgument, type CodedError, checkObject, checkText } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';

/** Lets `undefined` pass, and what the check lets pass. */
export function checkOptional(value: unknown, what: string, check: (value: unknown, what: string) => void): void {
  if (value !== undefined) check(value, what);
}

/** @throws `ERR_ARGUMENT` (invalid) for what are no texts by name. */
export function checkTexts(value: unknown, what: string): void {
  checkObject(value, what);
  for (const text of Object.values(value as object)) checkText(text, `each of ${what}`);
}

/** @throws `ERR_ARGUMENT` (invalid) for what cannot be walked, now or as it comes, and for text, whose letters would be. */
export function checkStream(value: unknown, what: string): void {
  if (!isStream(value)) throw badArgument(what, 'a list or a stream', value);
}

/** @throws `ERR_ARGUMENT` (invalid) for what is neither text nor bytes nor a list or stream of them. */
export function checkTextSource(value: unknown): void {
  if (typeof value !== 'string' && !isStream(value)) throw badArgument('the source', 'text, bytes or a stream', value);
}

/** @throws `ERR_ARGUMENT` (invalid) for what is neither text nor bytes. */
export function checkPiece(piece: unknown): void {
  if (typeof piece === 'string' || piece instanceof Uint8Array) return;
  throw badArgument('each piece of the source', 'text or bytes', piece);
}

/** @throws `ERR_ARGUMENT` (invalid) for what is no term, and for a variable, which no syntax of RDF can write. */
export function checkTerm(term: RDF.Term | null | undefined, what: string): void {
  if (!isTerm(term)) throw noTerm(term, what);
}

/** @throws `ERR_ARGUMENT` (invalid) for what is no quad of terms. */
export function checkQuad(quad: RDF.BaseQuad | null | undefined): void {
  if (typeof quad !== 'object' || quad === null) throw badArgument('a quad', 'an object', quad);
  checkTermsOf(quad, 'a quad');
}

/** Texts of messages are made only where something is wrong: this runs for every quad. @throws like {@link checkTerm} */
export function checkTermsOf(quad: RDF.BaseQuad, what: string): void {
  if (!isTerm(quad.subject)) throw noTerm(quad.subject, `the subject of ${what}`);
  if (!isTerm(quad.predicate)) throw noTerm(quad.predicate, `the predicate of ${what}`);
  if (!isTerm(quad.object)) throw noTerm(quad.object, `the object of ${what}`);
  if (!isTerm(quad.graph)) throw noTerm(quad.graph, `the graph of ${what}`);
}

function isTerm(term: RDF.Term | null | undefined): boolean {
  return typeof term?.value === 'string' && isTermType(term.termType);
}

/** The usual ones first. */
function isTermType(type: unknown): boolean {
  return (
    type === 'NamedNode' || type === 'Literal' || type === 'DefaultGraph' || type === 'BlankNode' || type === 'Quad'
  );
}

function noTerm(term: RDF.Term | null | undefined, what: string): CodedError {
  if (!isTermType(term?.termType)) return badArgument(what, 'a term of RDF other than a variable', term);
  return badArgument(`the value of ${what}`, 'text', term?.value);
}

function isStream(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const walk = Reflect.get(value, Symbol.asyncIterator) ?? Reflect.get(value, Symbol.iterator);
  return typeof walk === 'function';
}
