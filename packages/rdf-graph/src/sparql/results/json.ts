import type * as RDF from '@rdfjs/types';
import type { Solution } from '../../graph/port/graph-dataset.ts';
import { xsd } from '../../rdf/vocabulary.ts';

/** The object of one term in SPARQL 1.1 JSON results, triple terms as in SPARQL 1.2. */
export function toJsonTerm(term: RDF.Term): object {
  switch (term.termType) {
    case 'NamedNode':
      return { type: 'uri', value: term.value };
    case 'BlankNode':
      return { type: 'bnode', value: term.value };
    case 'Literal':
      return toJsonLiteral(term);
    case 'Quad':
      return {
        type: 'triple',
        value: {
          subject: toJsonTerm(term.subject),
          predicate: toJsonTerm(term.predicate),
          object: toJsonTerm(term.object),
        },
      };
    default:
      return { type: 'uri', value: term.value };
  }
}

function toJsonLiteral({ value, language, datatype }: RDF.Literal): object {
  if (language !== '') return { type: 'literal', value, 'xml:lang': language };
  return datatype.value === xsd.string
    ? { type: 'literal', value }
    : { type: 'literal', value, datatype: datatype.value };
}

export function jsonHead(variables: readonly string[]): string {
  return `{"head":{"vars":${JSON.stringify(variables)}},"results":{"bindings":[`;
}

/** One solution; `first` tells whether a comma goes before it. */
export function jsonSolution(solution: Solution, variables: readonly string[], first: boolean): string {
  let text = first ? '\n{' : ',\n{';
  let separator = '';
  for (const variable of variables) {
    const term = solution.get(variable);
    if (term === undefined) continue;
    text += `${separator}${JSON.stringify(variable)}:${JSON.stringify(toJsonTerm(term))}`;
    separator = ',';
  }
  return `${text}}`;
}

/** End of the result after the last solution. Without it the result was cut short. */
export const JSON_TAIL = '\n]}}\n';

/** The answer of ASK. */
export function jsonBoolean(value: boolean): string {
  return `{"head":{},"boolean":${value}}\n`;
}
