import type * as RDF from '@rdfjs/types';
import type { Solution } from '../../graph/port/graph-dataset.ts';
import { writeTerm } from '../../rdf/term-writer.ts';
import { xsd } from '../../rdf/vocabulary.ts';

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

/** The line of names. */
export function csvHead(variables: readonly string[]): string {
  return `${variables.map(csvField).join(',')}\r\n`;
}

/** One solution; an unbound variable is an empty field. */
export function csvSolution(solution: Solution, variables: readonly string[]): string {
  const fields = variables.map((variable) => {
    const term = solution.get(variable);
    return term === undefined ? '' : csvTerm(term);
  });
  return `${fields.join(',')}\r\n`;
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

/** The line of names. */
export function tsvHead(variables: readonly string[]): string {
  return `${variables.map((variable) => `?${variable}`).join('\t')}\n`;
}

/** One solution; an unbound variable is an empty field. */
export function tsvSolution(solution: Solution, variables: readonly string[]): string {
  const fields = variables.map((variable) => {
    const term = solution.get(variable);
    return term === undefined ? '' : tsvTerm(term);
  });
  return `${fields.join('\t')}\n`;
}
