import type * as RDF from '@rdfjs/types';
import { writeTerm } from '../../rdf/term-writer.ts';
import { xsd } from '../../rdf/vocabulary.ts';
import type { SolutionWriter } from './solution-writer.ts';

const CSV_SPECIAL = /[",\r\n]/;

/** A field of CSV, in quotes where it must be (RFC 4180). */
function csvField(text: string): string {
  return CSV_SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** CSV loses types: a literal is its text, an IRI too. */
function csvTerm(term: RDF.Term): string {
  if (term.termType === 'BlankNode') return csvField(`_:${term.value}`);
  return csvField(term.termType === 'Quad' ? writeTerm(term) : term.value);
}

const BARE: ReadonlyMap<string, RegExp> = new Map([
  [xsd.integer, /^[+-]?\d+$/],
  [xsd.decimal, /^[+-]?\d*\.\d+$/],
  [xsd.double, /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?\d+$/],
]);

/** A term as in Turtle; numbers stand bare when their form is one of Turtle's. */
function tsvTerm(term: RDF.Term): string {
  if (term.termType === 'Literal' && BARE.get(term.datatype.value)?.test(term.value) === true) return term.value;
  return writeTerm(term).replaceAll('\t', '\\t');
}

/** Lines of fields: first the names, then the solutions; an unbound variable is an empty field. */
function separated(
  separator: string,
  lineEnd: string,
  toName: (variable: string) => string,
  toField: (term: RDF.Term) => string,
): SolutionWriter {
  return {
    head: (variables) => variables.map(toName).join(separator) + lineEnd,
    solution(solution, variables) {
      const fields = variables.map((variable) => {
        const term = solution.get(variable);
        return term === undefined ? '' : toField(term);
      });
      return fields.join(separator) + lineEnd;
    },
    tail: '',
    boolean: (value) => `${value}${lineEnd}`,
  };
}

export const csvWriter: SolutionWriter = separated(',', '\r\n', csvField, csvTerm);
export const tsvWriter: SolutionWriter = separated('\t', '\n', (variable) => `?${variable}`, tsvTerm);
