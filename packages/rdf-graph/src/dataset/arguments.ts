import { badArgument, type CodedError, checkArray, checkObject, checkText } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type { ChangeSet, LabelledQuad, PrefixChange, TopicPositions } from '../port/graph-dataset.ts';
import { Pace } from '../store/scheduler.ts';

/** About 200 ns, in the units of {@link Pace}. */
const WORK_PER_QUAD = 20;

/**
 * Refuses what is no list of change sets before anything of it is applied: one quad without a label would leave a
 * dataset that cannot be read. Yields where it may pause. Cost: O(quads), a few comparisons each.
 * @throws `ERR_ARGUMENT` (invalid)
 */
export function* checkChanges(changes: readonly ChangeSet[]): Generator<void, void> {
  const pace = new Pace();
  checkArray(changes, 'the changes');
  for (const change of changes) {
    checkObject(change, 'a change set');
    checkArray(change.deletions, 'the deletions of a change set');
    checkArray(change.additions, 'the additions of a change set');
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

/** Texts of messages are made only where something is wrong: this runs for every quad. */
function checkQuad(labelled: LabelledQuad, what: string): void {
  checkObject(labelled, what);
  const { quad } = labelled;
  if (!isObject(quad)) checkObject(quad, `the quad of ${what}`);
  if (!isStored(quad.subject)) throw notStored(quad.subject, `the subject of ${what}`);
  if (!isStored(quad.predicate)) throw notStored(quad.predicate, `the predicate of ${what}`);
  if (!isStored(quad.object)) throw notStored(quad.object, `the object of ${what}`);
  if (!isStored(quad.graph)) throw notStored(quad.graph, `the graph of ${what}`);
}

/** Cheaper than {@link checkObject}, which has the last word. */
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isStored(term: RDF.Term | null | undefined): boolean {
  return typeof term?.value === 'string' && isStoredType(term.termType);
}

/** The usual ones first. */
function isStoredType(type: unknown): boolean {
  return (
    type === 'NamedNode' || type === 'Literal' || type === 'DefaultGraph' || type === 'BlankNode' || type === 'Quad'
  );
}

function notStored(term: RDF.Term | null | undefined, what: string): CodedError {
  if (!isStoredType(term?.termType)) return badArgument(what, 'a term of RDF other than a variable', term);
  return badArgument(`the value of ${what}`, 'text', term?.value);
}

function checkPrefixes(prefixes: readonly PrefixChange[]): void {
  checkArray(prefixes, 'the prefixes of a change set');
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

/** @throws `ERR_ARGUMENT` (invalid) for what is no term that a pattern can ask for; text is none. */
export function checkWanted(term: RDF.Term, position: string): void {
  if (!isStored(term)) throw notStored(term, `the ${position} of the pattern`);
}
