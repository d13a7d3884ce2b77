import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import type { Solution as Bindings } from '../../../graph/port/graph-dataset.ts';
import { writeQuad } from '../../../rdf/term-writer.ts';
import { parseSparql } from '../../../sparql/parse/parser.ts';
import { writeSolutions } from '../compare.ts';
import { type Term, type Triple, translateSelect } from './algebra.ts';
import { type Dataset, evaluate, type Solution } from './evaluate.ts';
import { readTerm, rememberTerm } from './terms.ts';

/** The answer of the standard's algebra over some quads, as sorted lines, for SELECT and ASK. */
export function answerOfSpecification(quads: readonly RDF.Quad[], text: string): string {
  const query = parseSparql(text) as Ast.Query;
  const select = { ...query, queryType: 'SELECT', variables: 'variables' in query ? query.variables : [STAR] };
  const solutions = evaluate(translateSelect(select as Ast.SelectQuery), toDataset(quads));
  if (query.queryType === 'ASK') return String(solutions.length > 0);
  return writeSolutions(solutions.map(toBindings)).join('\n');
}

const STAR = { termType: 'Wildcard', value: '*' };

function toBindings(solution: Solution): Bindings {
  return new Map(Object.entries(solution).map(([name, text]) => [name.slice(1), readTerm(text)]));
}

function toDataset(quads: readonly RDF.Quad[]): Dataset {
  const graphs = new Map<Term, Triple[]>();
  const defaultGraph: Triple[] = [];
  const distinct = new Map(quads.map((quad) => [writeQuad(quad), quad]));
  for (const { subject, predicate, object, graph } of distinct.values()) {
    const name = rememberTerm(graph);
    const into = graph.termType === 'DefaultGraph' ? defaultGraph : (graphs.get(name) ?? []);
    into.push({ subject: rememberTerm(subject), predicate: rememberTerm(predicate), object: rememberTerm(object) });
    if (graph.termType !== 'DefaultGraph') graphs.set(name, into);
  }
  return { defaultGraph, named: graphs };
}
