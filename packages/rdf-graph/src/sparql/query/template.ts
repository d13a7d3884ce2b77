import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import type { QuadIds } from '../../graph/port/graph-reader.ts';
import { type TermId, TermKind, UNBOUND } from '../../graph/port/term-kind.ts';
import { type Batch, idAt } from '../execute/batch.ts';
import type { Execution } from '../execute/execution.ts';
import { LOCAL_BASE } from '../execute/local-terms.ts';

/** One term of a template: fixed, a variable, or a blank node that is new for each solution. */
type TemplateTerm =
  | { readonly type: 'term'; readonly term: RDF.Term }
  | { readonly type: 'slot'; readonly slot: number }
  | { readonly type: 'blank'; readonly label: string }
  | { readonly type: 'triple'; readonly terms: readonly TemplateTerm[] };

/** A quad with variables: subject, predicate, object, graph. */
export type TemplateQuad = readonly [TemplateTerm, TemplateTerm, TemplateTerm, TemplateTerm];

export type SlotOf = (variable: string) => number;

export function toTemplateQuad(triple: Ast.Triple, graph: RDF.Term, slotOf: SlotOf): TemplateQuad {
  const { subject, predicate, object } = triple;
  return [
    toTemplateTerm(subject, slotOf),
    toTemplateTerm(predicate as RDF.Term, slotOf),
    toTemplateTerm(object, slotOf),
    toTemplateTerm(graph, slotOf),
  ];
}

function toTemplateTerm(term: RDF.Term, slotOf: SlotOf): TemplateTerm {
  switch (term.termType) {
    case 'Variable':
      return { type: 'slot', slot: slotOf(term.value) };
    case 'BlankNode':
      return { type: 'blank', label: term.value };
    case 'Quad': {
      const parts = [term.subject, term.predicate, term.object];
      return { type: 'triple', terms: parts.map((part) => toTemplateTerm(part, slotOf)) };
    }
    default:
      return { type: 'term', term };
  }
}

/** Fills a template with the solutions of a batch; quads that would not be RDF are left out. */
export function* fillTemplate(
  execution: Execution,
  template: readonly TemplateQuad[],
  batch: Batch,
): Generator<QuadIds> {
  for (let row = 0; row < batch.size; row++) {
    execution.beginSolution();
    for (const [subject, predicate, object, graph] of template) {
      const ids = [
        toId(execution, subject, batch, row),
        toId(execution, predicate, batch, row),
        toId(execution, object, batch, row),
        toId(execution, graph, batch, row),
      ] as const;
      if (isQuad(execution, ids)) yield ids;
    }
  }
}

function toId(execution: Execution, term: TemplateTerm, batch: Batch, row: number): TermId {
  switch (term.type) {
    case 'term':
      return execution.idOf(term.term);
    case 'slot':
      return idAt(batch, term.slot, row);
    case 'blank':
      return execution.idOf(execution.functions.blankNode(term.label));
    case 'triple': {
      const [s, p, o] = term.terms.map((part) => toId(execution, part, batch, row));
      return isTriple(execution, s, p, o) ? execution.tripleId(s, p, o) : UNBOUND;
    }
  }
}

function isQuad(execution: Execution, [s, p, o, g]: readonly TermId[]): boolean {
  return isTriple(execution, s, p, o) && g !== UNBOUND && kindOf(execution, g) < TermKind.blankNode;
}

function isTriple(execution: Execution, s: TermId, p: TermId, o: TermId): boolean {
  if (s === UNBOUND || p === UNBOUND || o === UNBOUND) return false;
  const subject = kindOf(execution, s);
  const canBeSubject = subject === TermKind.iri || subject === TermKind.blankNode || subject === TermKind.triple;
  return canBeSubject && kindOf(execution, p) === TermKind.iri;
}

const KINDS: Readonly<Record<string, number>> = {
  NamedNode: TermKind.iri,
  BlankNode: TermKind.blankNode,
  Literal: TermKind.string,
  Quad: TermKind.triple,
};

/** The kind of a term; a literal that the store does not hold counts as a string. */
function kindOf(execution: Execution, id: TermId): number {
  return id < LOCAL_BASE ? execution.dictionary.kind(id) : (KINDS[execution.term(id).termType] ?? TermKind.none);
}
