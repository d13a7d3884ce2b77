import type * as RDF from '@rdfjs/types';

/** A string that is equal for two terms exactly when they are the same term. */
export function toTermKey(term: RDF.Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return `<${term.value}`;
    case 'BlankNode':
      return `_${term.value}`;
    case 'Literal':
      return term.language === ''
        ? `"${term.datatype.value}"${term.value}`
        : `@${term.language.toLowerCase()}"${term.value}`;
    case 'Quad':
      return `(${[term.subject, term.predicate, term.object, term.graph].map(keyWithLength).join('')}`;
    default:
      return `?${term.termType} ${term.value}`;
  }
}

/** Terms inside a triple term are told apart by their length: any character may be in a literal. */
function keyWithLength(term: RDF.Term): string {
  const key = toTermKey(term);
  return `${key.length}:${key}`;
}
