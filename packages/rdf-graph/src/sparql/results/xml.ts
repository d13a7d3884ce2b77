import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { xsd } from '../../rdf/vocabulary.ts';
import { escapeXml, IN_ATTRIBUTE, IN_TEXT, NOT_XML } from '../../rdf/xml-text.ts';
import type { SolutionWriter } from './solution-writer.ts';

/** @throws `ERR_RDF_XML` (unsupported): a value with other characters would be read back as another one */
function toXmlText(text: string, pattern: RegExp): string {
  if (text.search(NOT_XML) >= 0) throw notWritable();
  return escapeXml(text, pattern);
}

function notWritable(): CodedError {
  return new CodedError({
    code: 'ERR_RDF_XML',
    kind: 'unsupported',
    message: 'application/sparql-results+xml cannot say a value with a character that XML does not have; ask for JSON',
  });
}

function toXmlTerm(term: RDF.Term): string {
  switch (term.termType) {
    case 'Literal':
      return toXmlLiteral(term);
    case 'BlankNode':
      return `<bnode>${toXmlText(term.value, IN_TEXT)}</bnode>`;
    case 'Quad': {
      const parts = [term.subject, term.predicate, term.object].map(toXmlTerm);
      return `<triple><subject>${parts[0]}</subject><predicate>${parts[1]}</predicate><object>${parts[2]}</object></triple>`;
    }
    default:
      return `<uri>${toXmlText(term.value, IN_TEXT)}</uri>`;
  }
}

function toXmlLiteral({ value, language, datatype }: RDF.Literal): string {
  const text = toXmlText(value, IN_TEXT);
  if (language !== '') return `<literal xml:lang="${toXmlText(language, IN_ATTRIBUTE)}">${text}</literal>`;
  if (datatype.value === xsd.string) return `<literal>${text}</literal>`;
  return `<literal datatype="${toXmlText(datatype.value, IN_ATTRIBUTE)}">${text}</literal>`;
}

const START = '<?xml version="1.0" encoding="UTF-8"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">\n';

export const xmlWriter: SolutionWriter = {
  head(variables) {
    const names = variables.map((variable) => `<variable name="${toXmlText(variable, IN_ATTRIBUTE)}"/>`);
    return `${START}<head>${names.join('')}</head>\n<results>\n`;
  },
  solution(solution, variables) {
    let text = '<result>';
    for (const variable of variables) {
      const term = solution.get(variable);
      if (term === undefined) continue;
      text += `<binding name="${toXmlText(variable, IN_ATTRIBUTE)}">${toXmlTerm(term)}</binding>`;
    }
    return `${text}</result>\n`;
  },
  tail: '</results>\n</sparql>\n',
  boolean: (value) => `${START}<head></head>\n<boolean>${value}</boolean>\n</sparql>\n`,
};
