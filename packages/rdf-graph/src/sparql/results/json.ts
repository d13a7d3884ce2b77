import type * as RDF from '@rdfjs/types';
import { xsd } from '../../rdf/vocabulary.ts';
import type { SolutionWriter } from './solution-writer.ts';

/** The object of one term in SPARQL 1.1 JSON results, triple terms as in SPARQL 1.2. */
function toJsonTerm(term: RDF.Term): object {
  switch (term.termType) {
    case 'BlankNode':
      return { type: 'bnode', value: term.value };
    case 'Literal':
      return toJsonLiteral(term);
    case 'Quad': {
      const [subject, predicate, object] = [term.subject, term.predicate, term.object].map(toJsonTerm);
      return { type: 'triple', value: { subject, predicate, object } };
    }
    default:
      return { type: 'uri', value: term.value };
  }
}

function toJsonLiteral({ value, language, datatype }: RDF.Literal): object {
  if (language !== '') return { type: 'literal', value, 'xml:lang': language };
  if (datatype.value === xsd.string) return { type: 'literal', value };
  return { type: 'literal', value, datatype: datatype.value };
}

export const jsonWriter: SolutionWriter = {
  head: (variables) => `{"head":{"vars":${JSON.stringify(variables)}},"results":{"bindings":[`,
  solution(solution, variables, first) {
    let text = first ? '\n{' : ',\n{';
    let separator = '';
    for (const variable of variables) {
      const term = solution.get(variable);
      if (term === undefined) continue;
      text += `${separator}${JSON.stringify(variable)}:${JSON.stringify(toJsonTerm(term))}`;
      separator = ',';
    }
    return `${text}}`;
  },
  tail: '\n]}}\n',
  boolean: (value) => `{"head":{},"boolean":${value}}\n`,
};
