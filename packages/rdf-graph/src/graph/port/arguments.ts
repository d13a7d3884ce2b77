import { badArgument, checkArray, checkObject, checkText } from '@cairn/errors';
import type { TopicPositions } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import { checkTerm, checkTermsOf } from '../../rdf/arguments.ts';
import { checkPlaces } from '../../rdf/places.ts';
import { Pace } from '../store/scheduler.ts';
import type { ChangeSet, LabelledQuad, PrefixChange, QuadPattern } from './graph-dataset.ts';
import type { GraphReader } from './graph-reader.ts';
import { type TermId, UNBOUND } from './term-kind.ts';

/** About 200 ns, in the units of {@link Pace}. */
const WORK_PER_QUAD = 20;

/**
 * A copy of change sets that holds no reference to their lists and rows, while terms and quads, which RDF/JS takes to be
 * immutable, are shared. Refuses what is no list of change sets before anything of it is applied: one quad without a
 * label would leave a dataset that cannot be read. The list and those of each change set are copied as they are reached.
 * Yields where it may pause. Cost: O(quads), a few comparisons each.
 * @throws `ERR_ARGUMENT` (invalid)
 */
export function* takeChanges(changes: readonly ChangeSet[]): Generator<void, readonly ChangeSet[]> {
  const pace = new Pace();
  checkArray(changes, 'the changes');
  const taken = [...changes];
  for (let at = 0; at < taken.length; at++) {
    checkObject(taken[at], 'a change set');
    const { deletions, additions, prefixes } = taken[at];
    checkArray(deletions, 'the deletions of a change set');
    checkArray(additions, 'the additions of a change set');
    const own = { deletions: [...deletions], additions: [...additions] };
    taken[at] = prefixes === undefined ? own : { ...own, prefixes: takePrefixes(prefixes) };
    for (const [rows, what] of [[own.deletions, 'a deletion'] as const, [own.additions, 'an addition'] as const]) {
      for (let row = 0; row < rows.length; row++) {
        rows[row] = takeRow(rows[row], what);
        if (pace.did(WORK_PER_QUAD)) yield;
      }
    }
  }
  return taken;
}

/** Texts of messages are made only where something is wrong: this runs for every quad. */
function takeRow(row: LabelledQuad, what: 'a deletion' | 'an addition'): LabelledQuad {
  checkObject(row, what);
  const { quad, label } = row;
  if (!isObject(quad)) checkObject(quad, `the quad of ${what}`);
  checkTermsOf(quad, what);
  if (what === 'an addition') checkPlaces(quad, what);
  const isLabelled = typeof label === 'string' || (label === undefined && what === 'a deletion');
  if (!isLabelled) throw badArgument(`the label of ${what}`, 'text', label);
  return { quad, label };
}

/** Cheaper than {@link checkObject}, which has the last word. */
function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function takePrefixes(prefixes: readonly PrefixChange[]): readonly PrefixChange[] {
  checkArray(prefixes, 'the prefixes of a change set');
  return [...prefixes].map((change) => {
    checkObject(change, 'a change of a prefix');
    const { prefix, iri, label } = change;
    checkText(prefix, 'a prefix');
    if (iri !== undefined) checkText(iri, 'the IRI of a prefix');
    if (label !== undefined) checkText(label, 'the label of a prefix');
    return { prefix, iri, label };
  });
}

/** A copy of positions by topic, each read once. @throws `ERR_ARGUMENT` (invalid) for what are none. */
export function takePositions(positions: TopicPositions): TopicPositions {
  checkObject(positions, 'the positions');
  const taken = { ...positions };
  for (const [topic, position] of Object.entries(taken)) checkText(position, `the position of ${topic}`);
  return taken;
}

/** A copy of a pattern, for readers that look at it later; what is no pattern as it is, to be refused by them. */
export function takePattern(pattern: QuadPattern): QuadPattern {
  if (!isObject(pattern) || pattern instanceof Date) return pattern;
  const { subject, predicate, object, graph } = pattern;
  return { subject, predicate, object, graph };
}

/** Batches of quads as they are now where they are in lists; a stream is read as it comes. */
export function takeBatches(batches: QuadBatches): QuadBatches {
  if (!Array.isArray(batches)) return batches;
  return batches.map((quads: unknown) =>
    Array.isArray(quads) ? [...quads] : quads,
  ) as readonly (readonly RDF.Quad[])[];
}

export type QuadBatches = AsyncIterable<readonly RDF.Quad[]> | Iterable<readonly RDF.Quad[]>;

/**
 * The ids of a pattern, 0 where any term matches; `undefined` when a term is not stored, so that nothing matches.
 * @throws `ERR_ARGUMENT` (invalid) for what is no pattern of terms
 */
export function patternIds(reader: GraphReader, pattern: QuadPattern): [TermId, TermId, TermId, TermId] | undefined {
  checkObject(pattern, 'the pattern');
  const { subject, predicate, object, graph } = pattern;
  const s = patternId(reader, subject, 'subject');
  const p = patternId(reader, predicate, 'predicate');
  const o = patternId(reader, object, 'object');
  const g = patternId(reader, graph, 'graph');
  return s < 0 || p < 0 || o < 0 || g < 0 ? undefined : [s, p, o, g];
}

/** 0 where any term matches, -1 for a term that is not stored. */
function patternId(reader: GraphReader, term: RDF.Term | null | undefined, position: string): number {
  if (term === null || term === undefined || term.termType === 'Variable') return UNBOUND;
  checkTerm(term, `the ${position} of the pattern`);
  return reader.idOf(term) || -1;
}
