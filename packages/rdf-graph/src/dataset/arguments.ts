import { badArgument, checkList, checkObject, checkText } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type { ChangeSet, LabelledQuad, PrefixChange, QuadPattern, TopicPositions } from '../port/graph-dataset.ts';
import { Pace } from '../store/scheduler.ts';

/** About 200 ns, in the units of {@link Pace}. */
const WORK_PER_QUAD = 20;

const STORED: ReadonlySet<unknown> = new Set(['NamedNode', 'BlankNode', 'Literal', 'DefaultGraph', 'Quad']);

/**
 * Refuses what is no list of change sets before anything of it is applied: one quad without a label would leave a
 * dataset that cannot be read. Yields where it may pause. Cost: O(quads), a few comparisons each.
 * @throws `ERR_ARGUMENT` (invalid)
 */
export function* checkChanges(changes: readonly ChangeSet[]): Generator<void, void> {
  const pace = new Pace();
  checkList(changes, 'the changes');
  for (const change of changes) {
    checkObject(change, 'a change set');
    checkList(change.deletions, 'the deletions of a change set');
    checkList(change.additions, 'the additions of a change set');
    for (const deletion of change.deletions) {
      checkQuad(deletion, 'a deletion');
      if (deletion.label !== undefined) checkText(deletion.label, 'the label of a deletion');
      if (pace.did(WORK_PER_QUAD)) yield;
    }
    for (const addition of change.additions) {
      checkQuad(addition, 'an addition');
      if (typeof addition.label !== 'string') throw badArgument('the label of an addition', 'text', addition.label);
      if (pace.did(WORK_PER_QUAD)) yield;
    }
    if (change.prefixes !== undefined) checkPrefixes(change.prefixes);
  }
}

function checkQuad(labelled: LabelledQuad, what: string): void {
  checkObject(labelled, what);
  checkObject(labelled.quad, `the quad of ${what}`);
  const { subject, predicate, object, graph } = labelled.quad;
  checkStored(subject, `the subject of ${what}`);
  checkStored(predicate, `the predicate of ${what}`);
  checkStored(object, `the object of ${what}`);
  checkStored(graph, `the graph of ${what}`);
}

function checkStored(term: RDF.Term | null | undefined, what: string): void {
  if (!STORED.has(term?.termType)) throw badArgument(what, 'a term of RDF other than a variable', term);
  checkText(term?.value, `the value of ${what}`);
}

function checkPrefixes(prefixes: readonly PrefixChange[]): void {
  checkList(prefixes, 'the prefixes of a change set');
  for (const change of prefixes) {
    checkObject(change, 'a change of a prefix');
    checkText(change.prefix, 'a prefix');
    if (change.iri !== undefined) checkText(change.iri, 'the IRI of a prefix');
    if (change.label !== undefined) checkText(change.label, 'the label of a prefix');
  }
}

/** @throws `ERR_ARGUMENT` (invalid) for what are no positions by topic. */
export function checkPositions(positions: TopicPositions): void {
  checkObject(positions, 'the positions');
  for (const [topic, position] of Object.entries(positions)) checkText(position, `the position of ${topic}`);
}

/** @throws `ERR_ARGUMENT` (invalid) for what is no pattern of terms; text is no term. */
export function checkPattern(pattern: QuadPattern): void {
  checkObject(pattern, 'the pattern');
  const { subject, predicate, object, graph } = pattern;
  checkWanted(subject, 'subject');
  checkWanted(predicate, 'predicate');
  checkWanted(object, 'object');
  checkWanted(graph, 'graph');
}

function checkWanted(term: RDF.Term | null | undefined, position: string): void {
  if (term === null || term === undefined || term.termType === 'Variable') return;
  checkStored(term, `the ${position} of the pattern`);
}
