import type * as RDF from '@rdfjs/types';
import { isomorphic } from 'rdf-isomorphic';
import type { Solution } from '../../graph/port/graph-dataset.ts';
import { writeQuad, writeTerm } from '../../rdf/term-writer.ts';
import { blankNode, languageLiteral, namedNode, quad, typedLiteral } from '../../rdf/terms.ts';
import { formatNumeric } from '../../sparql/functions/numeric.ts';
import { toNumeric } from '../../sparql/functions/value.ts';

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Numbers in canonical form and language tags in lower case: engines may write one value in several. */
export function normaliseTerm(term: RDF.Term): RDF.Term {
  if (term.termType === 'Quad') {
    const [s, p, o, g] = [term.subject, term.predicate, term.object, term.graph].map(normaliseTerm);
    return quad(s, p, o, g);
  }
  if (term.termType !== 'Literal') return term;
  if (term.language !== '') return languageLiteral(term.value, term.language.toLowerCase());
  const value = toNumeric(term);
  return value === undefined ? term : typedLiteral(formatNumeric(value), term.datatype.value);
}

/** Solutions as triples: one blank node for each, so that equal ones count. */
function toQuads(solutions: readonly Solution[]): RDF.Quad[] {
  return solutions.flatMap((solution, index) => {
    const row = blankNode(`cairn-row-${index}`);
    const cells = [...solution].map(([name, term]) => quad(row, namedNode(`urn:var:${name}`), normaliseTerm(term)));
    return [quad(row, namedNode('urn:row'), namedNode('urn:row')), ...cells];
  });
}

/** Returns true if two lists of solutions are the same multiset, up to the names of blank nodes. */
export function sameSolutions(a: readonly Solution[], b: readonly Solution[]): boolean {
  if (a.length !== b.length) return false;
  const hasBlankNodes = [...a, ...b].some((solution) => [...solution.values()].some(holdsBlankNode));
  if (hasBlankNodes) return isomorphic(toQuads(a), toQuads(b));
  return writeSolutions(a).join('\n') === writeSolutions(b).join('\n');
}

function holdsBlankNode(term: RDF.Term): boolean {
  if (term.termType === 'Quad') return [term.subject, term.predicate, term.object].some(holdsBlankNode);
  return term.termType === 'BlankNode';
}

/** Solutions as sorted lines, for comparing and for showing. */
export function writeSolutions(solutions: readonly Solution[]): string[] {
  return solutions.map(writeSolution).sort();
}

function writeSolution(solution: Solution): string {
  const cells = [...solution].map(([name, term]) => `?${name}=${writeTerm(normaliseTerm(term))}`);
  return cells.sort().join(' ');
}

export function sameQuads(a: readonly RDF.Quad[], b: readonly RDF.Quad[]): boolean {
  return isomorphic(distinct(a), distinct(b));
}

function distinct(quads: readonly RDF.Quad[]): RDF.Quad[] {
  const normal = quads.map((one) => normaliseTerm(one) as RDF.Quad);
  return [...new Map(normal.map((one) => [writeQuad(one), one])).values()];
}
