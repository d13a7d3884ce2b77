import { badArgument, checkList } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { writeTerm } from '../../rdf/term-writer.ts';
import { namedNode } from '../../rdf/terms.ts';
import { type IndexedGraph, indexQuads, objectsOf } from '../data/indexed-graph.ts';
import { rdf, sh, shName } from '../vocabulary.ts';

/** A result as plain text fields. */
export interface PlainResult {
  /** IRIs as they are; blank nodes as `_:label`. Literals as their text. */
  readonly focusNode: string;
  /** An IRI, or a path as SHACL writes it in SPARQL: `^<http://e/p>`, `<http://e/p>/<http://e/q>`. */
  readonly path: string | undefined;
  readonly value: string | undefined;
  /** The first message; empty when there is none. */
  readonly message: string;
  /** `Violation`, `Warning` or `Info`; another severity by its IRI. */
  readonly severity: string;
  /** `MinCountConstraintComponent`; a component from outside SHACL by its IRI. */
  readonly component: string;
  readonly shape: string | undefined;
}

/** A report as plain values. */
export interface PlainReport {
  readonly conforms: boolean;
  readonly results: readonly PlainResult[];
}

/**
 * Reads a validation report, of ours or of another engine, as plain objects, results in the order of the quads.
 * Details of results are left out.
 * @example readReport((await validate(data, shapes)).quads).results[0]?.message
 */
export function readReport(report: Iterable<RDF.Quad> | { readonly quads: Iterable<RDF.Quad> }): PlainReport {
  const quads = quadsOf(report);
  checkList(quads, 'the quads of a report');
  const graph = indexQuads(quads);
  const conforms = [...graph.match(null, namedNode(sh('conforms')))].every(({ object }) =>
    /^(?:true|1)$/.test(object.value),
  );
  const results = [...graph.match(null, namedNode(sh('result')))].map(({ object }) => readResult(graph, object));
  return { conforms, results };
}

function quadsOf(report: Parameters<typeof readReport>[0]): Iterable<RDF.Quad> {
  if (typeof report !== 'object' || report === null)
    throw badArgument('a report', 'quads or an object with quads', report);
  return (Reflect.get(report, 'quads') ?? report) as Iterable<RDF.Quad>;
}

function readResult(graph: IndexedGraph, node: RDF.Term): PlainResult {
  const first = (name: string): RDF.Term | undefined => objectsOf(graph, node, namedNode(sh(name)))[0];
  const path = first('resultPath');
  return {
    focusNode: plain(first('focusNode')) ?? '',
    path: path?.termType === 'NamedNode' ? path.value : path && showPart(graph, path, 0),
    value: plain(first('value')),
    message: first('resultMessage')?.value ?? '',
    severity: shortName(first('resultSeverity')),
    component: shortName(first('sourceConstraintComponent')),
    shape: plain(first('sourceShape')),
  };
}

function plain(term: RDF.Term | undefined): string | undefined {
  if (term === undefined) return undefined;
  return term.termType === 'BlankNode' ? `_:${term.value}` : term.value;
}

function shortName(term: RDF.Term | undefined): string {
  return term === undefined ? '' : (shName(term) ?? term.value);
}

const MARKS: readonly (readonly [name: string, before: string, after: string])[] = [
  ['inversePath', '^', ''],
  ['zeroOrMorePath', '', '*'],
  ['oneOrMorePath', '', '+'],
  ['zeroOrOnePath', '', '?'],
];

function showPart(graph: IndexedGraph, path: RDF.Term, depth: number): string {
  if (path.termType === 'NamedNode' || depth > 50) return writeTerm(path);
  const sequence = listMembers(graph, path);
  if (sequence.length > 0) return joinParts(graph, sequence, '/', depth);
  for (const [name, before, after] of MARKS) {
    const inner = objectsOf(graph, path, namedNode(sh(name)))[0];
    if (inner !== undefined) return `${before}${inGroup(showPart(graph, inner, depth + 1))}${after}`;
  }
  const alternatives = objectsOf(graph, path, namedNode(sh('alternativePath')))[0];
  return alternatives === undefined ? writeTerm(path) : joinParts(graph, listMembers(graph, alternatives), '|', depth);
}

/** An operator binds to what follows or precedes it: `(^<p>)*` is not `^<p>*`. */
function inGroup(path: string): string {
  return /^(<.*>|\(.*\)|_:\S*)$/s.test(path) ? path : `(${path})`;
}

function joinParts(graph: IndexedGraph, members: readonly RDF.Term[], separator: string, depth: number): string {
  return `(${members.map((member) => showPart(graph, member, depth + 1)).join(separator)})`;
}

const MAX_MEMBERS = 1000;

function listMembers(graph: IndexedGraph, head: RDF.Term): RDF.Term[] {
  const members: RDF.Term[] = [];
  for (let node: RDF.Term | undefined = head; node !== undefined && members.length < MAX_MEMBERS; ) {
    const first = objectsOf(graph, node, namedNode(rdf.first))[0];
    if (first === undefined) break;
    members.push(first);
    node = objectsOf(graph, node, namedNode(rdf.rest))[0];
  }
  return members;
}
