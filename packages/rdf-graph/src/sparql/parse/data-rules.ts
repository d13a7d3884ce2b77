import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';

/** The data of INSERT DATA and DELETE DATA are RDF without variables; no literal is a subject. Templates leave such out. */
export function checkData(operation: Ast.UpdateOperation): void {
  if (!('updateType' in operation)) return;
  const { updateType } = operation;
  if (updateType !== 'insert' && updateType !== 'delete') return;
  const data = updateType === 'insert' ? operation.insert : operation.delete;
  for (const term of termsOf(data)) {
    if (holds(term, 'Variable')) throw new Error(`${updateType.toUpperCase()} DATA has no variables`);
  }
  for (const { triples } of data) {
    for (const { subject, object } of triples) {
      if (!canBeSubject(subject) || !isRdf(object)) {
        throw new Error(`${updateType.toUpperCase()} DATA lists a triple whose subject is a literal`);
      }
    }
  }
}

/** Deleted quads name no blank node, also not inside of GRAPH (19.8, note 7). */
export function checkDeleted(operation: Ast.UpdateOperation): void {
  if (!('updateType' in operation) || operation.updateType === 'insert') return;
  for (const term of termsOf(operation.delete ?? [])) {
    if (holds(term, 'BlankNode')) throw new Error('DELETE has no blank nodes; use a variable');
  }
}

function* termsOf(quads: readonly Ast.Quads[]): Generator<RDF.Term> {
  for (const { triples } of quads) {
    for (const { subject, predicate, object } of triples) {
      yield subject;
      if ('termType' in predicate) yield predicate;
      yield object;
    }
  }
}

/** Returns true if a term is of a type, or a quoted triple with such a part. */
function holds(term: RDF.Term, type: RDF.Term['termType']): boolean {
  if (term.termType !== 'Quad') return term.termType === type;
  return holds(term.subject, type) || holds(term.predicate, type) || holds(term.object, type);
}

function canBeSubject(term: RDF.Term): boolean {
  return term.termType !== 'Literal' && isRdf(term);
}

function isRdf(term: RDF.Term): boolean {
  return term.termType !== 'Quad' || (canBeSubject(term.subject) && isRdf(term.object));
}
