import { CodedError, checkArray } from '@cairn/errors';
import type { Event } from '@cairn/events';
import { nextTurn } from '@cairn/events';
import type * as RDF from '@rdfjs/types';
import { RDF_PATCH_MEDIA_TYPE, toMediaType } from '../../rdf/media-types.ts';
import { type ParseRdfOptions, parseRdfBatches } from '../../rdf/parse.ts';
import type { ChangeSet } from '../port/graph-dataset.ts';
import { Pace } from '../store/scheduler.ts';
import { readCommitted } from './change-set.ts';
import { type EventChangesOptions, labelsInPatch, type ReadChanges, readChanges } from './event-changes.ts';
import {
  isLabelQuad,
  LABEL_VOCABULARY,
  type LabelNode,
  LabelRules,
  type LabelVocabulary,
  readLabelNodes,
} from './label-graph.ts';
import { type PatternScope, quotePattern } from './label-pattern.ts';
import { parsePatch } from './parser.ts';
import { type BodyPlace, toTarget } from './target-graph.ts';

/** Judges one label that a writer states: throws when it is not to be used. `where` says where it is. */
export type JudgeLabel = (label: string, where: string) => void;

/** Options of {@link checkStatedLabels} and {@link checkLabelsOfChanges}. */
export interface StatedLabelsOptions {
  readonly judge: JudgeLabel;
  /** The words of the label graph. */
  readonly labels?: LabelVocabulary | undefined;
}

/** Options of {@link checkStatedLabels}. */
export interface StatedBodyOptions
  extends StatedLabelsOptions,
    BodyPlace,
    Pick<ParseRdfOptions, 'contentType' | 'contexts' | 'maxBytes' | 'signal'> {}

/** Labels found in a body, all usable by their writer. */
export interface StatedLabels {
  /** Quads that it adds. */
  readonly additions: number;
  /** Those of them that no rule of its own labels. */
  readonly unlabelled: number;
  /** Quads and prefixes that it takes away, under its label as a whole; without one, under every label. */
  readonly deletions: number;
}

/**
 * Reads RDF or an RDF patch to its end before it is made an event, and checks its label graph: every label in it is
 * judged, and every rule must match a quad that the body adds, so that none is lost in silence. Others have their turn
 * meanwhile. Cost: reads it once, with a label graph twice.
 *
 * @throws `ERR_RDF_SYNTAX` (invalid), also for a pattern that cannot be read; `ERR_LABEL_RULE` (invalid) for a rule that
 *   cannot apply, naming it; `ERR_RDF_TARGET` (invalid) for a body that names another graph than the one given; what the
 *   judge throws; `ERR_RDF_TOO_LARGE` (too-large), `ERR_RDF_MEDIA_TYPE` (unsupported)
 */
export async function checkStatedLabels(value: Uint8Array, options: StatedBodyOptions): Promise<StatedLabels> {
  const { labels: vocabulary = LABEL_VOCABULARY, signal } = options;
  if (toMediaType(options.contentType) === RDF_PATCH_MEDIA_TYPE) {
    const rows = await readCommitted(parsePatch(value, { signal }));
    const { control, prefixes } = labelsInPatch(rows, vocabulary);
    const added = rows.flatMap((row) => (row.type === 'add' ? [row.quad] : []));
    const deletions = rows.filter(({ type }) => type === 'delete' || type === 'delete-prefix').length;
    return { ...(await checkRules(control, { prefixes }, [added], options)), deletions };
  }
  const prefixes = new Map<string, string>();
  const control: RDF.Quad[] = [];
  let additions = 0;
  for await (const quads of readBody(value, options, prefixes)) {
    for (const quad of quads) {
      if (isLabelQuad(quad, vocabulary)) control.push(quad);
      else additions++;
    }
  }
  if (control.length === 0) return { additions, unlabelled: additions, deletions: 0 };
  return checkRules(control, { prefixes }, readBody(value, options, new Map()), options);
}

/** Quads and prefixes that changes take away. */
export function countDeletions({ deletions, prefixes = [] }: ChangeSet): number {
  return deletions.length + prefixes.filter(({ iri }) => iri === undefined).length;
}

/**
 * Reads the changes by an event of RDF or of a patch once, with the checks of {@link checkStatedLabels}, for an event
 * to be appended and applied soon. Holds all of it in memory.
 * @throws as {@link checkStatedLabels} and `changeSetFromEvent`
 */
export function readStatedChanges(
  event: Event,
  options: EventChangesOptions & { readonly judge: JudgeLabel },
): Promise<ReadChanges> {
  return readChanges(event, options, {
    checkNodes: (nodes) => checkNodes(nodes, options.judge),
    checkRules: checkLabelCounts,
    checkUse,
  });
}

/**
 * The same for the additions of a change set, as they become events: rules hold for what is added under the label that
 * they are added under themselves.
 * @throws as {@link checkStatedLabels}
 */
export async function checkLabelsOfChanges(
  { additions, prefixes = [] }: ChangeSet,
  options: StatedLabelsOptions,
): Promise<void> {
  checkArray(additions, 'the additions of a change set');
  checkArray(prefixes, 'the prefixes of a change set');
  const vocabulary = options.labels ?? LABEL_VOCABULARY;
  const parts = new Map<string | undefined, RDF.Quad[]>();
  for (const { label, quad } of additions) {
    if (isLabelQuad(quad, vocabulary)) parts.set(label, []);
  }
  if (parts.size === 0) return;
  for (const { label, quad } of additions) parts.get(label)?.push(quad);
  const declared = new Map(prefixes.flatMap(({ prefix, iri }) => (iri === undefined ? [] : [[prefix, iri] as const])));
  for (const quads of parts.values()) {
    const control = quads.filter((quad) => isLabelQuad(quad, vocabulary));
    await checkRules(control, { prefixes: declared }, [quads], options);
  }
}

async function* readBody(
  value: Uint8Array,
  options: StatedBodyOptions,
  prefixes: Map<string, string>,
): AsyncGenerator<readonly RDF.Quad[]> {
  const onPrefix = (prefix: string, iri: string) => void prefixes.set(prefix, iri);
  const { contentType, baseIri, contexts, maxBytes, signal, graph, labels: vocabulary = LABEL_VOCABULARY } = options;
  const place = toTarget(graph, vocabulary);
  for await (const quads of parseRdfBatches(value, { contentType, baseIri, contexts, maxBytes, signal, onPrefix })) {
    yield place(quads);
    await nextTurn();
  }
}

async function checkRules(
  control: readonly RDF.Quad[],
  scope: PatternScope,
  batches: Iterable<readonly RDF.Quad[]> | AsyncIterable<readonly RDF.Quad[]>,
  { judge, labels: vocabulary = LABEL_VOCABULARY }: StatedLabelsOptions,
): Promise<StatedLabels> {
  const nodes = await readLabelNodes(control, vocabulary);
  await checkNodes(nodes, judge);
  const rules = await LabelRules.read(nodes, scope);
  checkLabelCounts(rules);
  let [additions, unlabelled] = [0, 0];
  for await (const quads of batches) {
    for (const quad of quads) {
      if (isLabelQuad(quad, vocabulary)) continue;
      additions++;
      if (!rules.use(quad)) unlabelled++;
    }
  }
  checkUse(rules);
  return { additions, unlabelled, deletions: 0 };
}

/** A quad is stored once under each of its labels: more rules of one pattern multiply what a body stores. */
const MAX_LABELS_OF_A_PATTERN = 256;

function checkLabelCounts(rules: LabelRules): void {
  const found = rules.firstAbove(MAX_LABELS_OF_A_PATTERN);
  if (found === undefined) return;
  const { pattern, labels } = found;
  throw badRule(
    `the pattern ${quotePattern(pattern)} must give at most ${MAX_LABELS_OF_A_PATTERN} labels; got ${labels}`,
  );
}

function checkUse(rules: LabelRules): void {
  const unused = rules.firstUnused();
  if (unused !== undefined)
    throw badRule(`the pattern ${quotePattern(unused)} matches none of the quads that are added`);
}

/** Work of judging a label, and each letter of it, as a {@link Pace} counts. */
const LABEL_WORK = 1_000;
const LETTER_WORK = 20;

async function checkNodes(nodes: readonly LabelNode[], judge: JudgeLabel): Promise<void> {
  const pace = new Pace();
  for (const node of nodes) {
    checkNode(node, judge);
    const letters = node.labels.reduce((sum, label) => sum + label.length, 0);
    if (pace.did(node.labels.length * LABEL_WORK + letters * LETTER_WORK)) await nextTurn();
  }
}

function checkNode({ patterns, labels }: LabelNode, judge: JudgeLabel): void {
  const [pattern] = patterns;
  if (pattern === undefined) {
    const found = labels.length === 0 ? 'one has neither' : `the label ${quotePattern(labels[0])} has no pattern`;
    throw badRule(`a node needs a pattern and a label; ${found}`);
  }
  if (labels.length === 0) throw badRule(`the pattern ${quotePattern(pattern)} has no label`);
  for (const label of labels) judge(label, `the label of the pattern ${quotePattern(pattern)}`);
}

function badRule(problem: string): CodedError {
  return new CodedError({ code: 'ERR_LABEL_RULE', kind: 'invalid', message: `a rule of the label graph: ${problem}` });
}
