import type * as RDF from '@rdfjs/types';
import type { Solution } from '../port/graph-dataset.ts';
import { xsd } from '../rdf/vocabulary.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
const IN_TEXT = /[&<>\r]/g;
const IN_ATTRIBUTE = /[&<>"\t\n\r]/g;
/** Characters that no XML 1.0 document may hold, not even escaped. */
const NOT_XML = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/gu;

function escapeXml(text: string, pattern: RegExp): string {
  return text.replace(NOT_XML, '\ufffd').replace(pattern, (character) => ESCAPES[character]);
}

function toXmlTerm(term: RDF.Term): string {
  switch (term.termType) {
    case 'Literal':
      return toXmlLiteral(term);
    case 'BlankNode':
      return `<bnode>${escapeXml(term.value, IN_TEXT)}</bnode>`;
    case 'Quad': {
      const parts = [term.subject, term.predicate, term.object].map(toXmlTerm);
      return `<triple><subject>${parts[0]}</subject><predicate>${parts[1]}</predicate><object>${parts[2]}</object></triple>`;
    }
    default:
      return `<uri>${escapeXml(term.value, IN_TEXT)}</uri>`;
  }
}

function toXmlLiteral({ value, language, datatype }: RDF.Literal): string {
  const text = escapeXml(value, IN_TEXT);
  if (language !== '') return `<literal xml:lang="${escapeXml(language, IN_ATTRIBUTE)}">${text}</literal>`;
  if (datatype.value === xsd.string) return `<literal>${text}</literal>`;
  return `<literal datatype="${escapeXml(datatype.value, IN_ATTRIBUTE)}">${text}</literal>`;
}

const START = '<?xml version="1.0" encoding="UTF-8"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">\n';

/** What comes before the first solution. */
export function xmlHead(variables: readonly string[]): string {
  const names = variables.map((variable) => `<variable name="${escapeXml(variable, IN_ATTRIBUTE)}"/>`);
  return `${START}<head>${names.join('')}</head>\n<results>\n`;
}

/** One solution. */
export function xmlSolution(solution: Solution, variables: readonly string[]): string {
  let text = '<result>';
  for (const variable of variables) {
    const term = solution.get(variable);
    if (term !== undefined) text += `<binding name="${escapeXml(variable, IN_ATTRIBUTE)}">${toXmlTerm(term)}</binding>`;
  }
  return `${text}</result>\n`;
}

/** What comes after the last solution. Without it the result was cut short. */
export const XML_TAIL = '</results>\n</sparql>\n';

/** The answer of ASK. */
export function xmlBoolean(value: boolean): string {
  return `${START}<head></head>\n<boolean>${value}</boolean>\n</sparql>\n`;
}
