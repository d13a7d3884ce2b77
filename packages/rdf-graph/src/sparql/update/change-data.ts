import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import type { TermId } from '../../graph/port/term-kind.ts';
import { blankNode, defaultGraph, quad } from '../../rdf/terms.ts';
import type { Guard } from '../query/guard.ts';
import { QUADS_PER_TURN, type RunningUpdate, type UpdateRun } from './update-run.ts';

type ToId = (term: RDF.Term) => TermId;
type Change = (s: TermId, p: TermId, o: TermId, g: TermId) => void;

/** INSERT DATA: each label of a blank node stands for a new one, the same in all of the operation. */
export function insertData(data: readonly Ast.Quads[], update: RunningUpdate): Promise<void> {
  const nodes = new Map<string, RDF.BlankNode>();
  const toId: ToId = (term) => update.store.dictionary.intern(withFreshNodes(term, nodes, update));
  return changeData(data, toId, (s, p, o, g) => update.overlay.add(s, p, o, g), update.guard);
}

/** DELETE DATA: terms that are not stored delete nothing. */
export function deleteData(data: readonly Ast.Quads[], { overlay, store, guard }: RunningUpdate): Promise<void> {
  const change: Change = (s, p, o, g) => {
    if (s !== 0 && p !== 0 && o !== 0 && g !== 0) overlay.delete(s, p, o, g);
  };
  return changeData(data, (term) => store.dictionary.find(term), change, guard);
}

async function changeData(data: readonly Ast.Quads[], toId: ToId, change: Change, guard: Guard): Promise<void> {
  let count = 0;
  for (const part of data) {
    const graph = toId(part.type === 'graph' ? part.name : defaultGraph());
    for (const { subject, predicate, object } of part.triples) {
      // Quads that would not be RDF are left out, as in templates.
      if ((subject as RDF.Term).termType === 'Literal') continue;
      if (!('termType' in predicate) || predicate.termType !== 'NamedNode') continue;
      change(toId(subject), toId(predicate), toId(object), graph);
      if (++count % QUADS_PER_TURN === 0) await guard.pauseWhenDue();
    }
  }
}

function withFreshNodes(term: RDF.Term, nodes: Map<string, RDF.BlankNode>, run: UpdateRun): RDF.Term {
  if (term.termType === 'BlankNode') {
    const known = nodes.get(term.value) ?? blankNode(run.freshLabel());
    nodes.set(term.value, known);
    return known;
  }
  if (term.termType !== 'Quad') return term;
  const [s, p, o] = [term.subject, term.predicate, term.object].map((part) => withFreshNodes(part, nodes, run));
  return quad(s, p, o);
}
