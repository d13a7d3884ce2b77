import { CodedError, checkBound, checkObject, checkPort, checkSignal } from '@cairn/errors';
import {
  type BlobStore,
  contentHash,
  derivedEventId,
  type Event,
  HEADER,
  loadValue,
  nextTurn,
  type StoredEvent,
} from '@cairn/events';
import { checkDefaultLabel } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { checkOptional } from '../../rdf/arguments.ts';
import { RDF_PATCH_MEDIA_TYPE, toMediaType } from '../../rdf/media-types.ts';
import { type ParseRdfOptions, parseRdfBatches } from '../../rdf/parse.ts';
import type { ChangeSet, LabelledQuad, PrefixChange } from '../port/graph-dataset.ts';
import { readCommitted, toChangeSet } from './change-set.ts';
import {
  isLabelQuad,
  LABEL_VOCABULARY,
  type LabelNode,
  LabelRules,
  type LabelVocabulary,
  readLabelNodes,
} from './label-graph.ts';
import { parsePatch } from './parser.ts';
import type { PatchRow } from './row.ts';
import { bodyPlaceOf, type ToTarget, toTarget } from './target-graph.ts';

/** Options of {@link changeSetFromEvent}. */
export interface EventChangesOptions extends Pick<ParseRdfOptions, 'contexts' | 'maxBytes' | 'signal'> {
  /** The label of what an event without `Security-Label` adds. Default `!`: visible to nobody. */
  readonly defaultLabel?: string | undefined;
  /** Where values over 1 MiB are. Without it an event that refers to a blob fails. */
  readonly blobs?: BlobStore | undefined;
  /** The words of the label graph. */
  readonly labels?: LabelVocabulary | undefined;
}

/** Denies everybody: data whose label nobody gave is shown to nobody. */
const NO_LABEL = '!';

/** Quads that are labelled between two turns of the event loop. */
const QUADS_PER_TURN = 4_096;

const DEFAULT_MEDIA_TYPE = 'application/n-quads';

/**
 * Returns the changes that an event of RDF or of an RDF patch makes to a dataset.
 *
 * The value is read by `Content-Type`: RDF patch, N-Quads (without the header), Turtle, TriG, N-Triples, JSON-LD or
 * RDF/XML. RDF is added under the event's `Security-Label`, else the default label; a label graph in it gives some
 * quads labels of their own and is no data itself; its prefixes go under the label that it has as a whole. Its triples
 * go into the graph of the header `Graph`, else into the default graph; its relative IRIs are relative to the header
 * `Base-IRI`. A patch, for which these two say nothing, adds under the event's label, else the default label, and deletes under the event's label, else every label. Blank nodes
 * of RDF get names from the event's id and their label, so the same event gives the same nodes and another event
 * others; those of a patch keep their labels.
 * @throws `ERR_RDF_SYNTAX` (invalid), `ERR_RDF_TOO_LARGE` (too-large), `ERR_RDF_MEDIA_TYPE` (unsupported),
 *   `ERR_EVENT_INVALID` (invalid) for an event without id and position, with a blob and no store, or with a `Graph` or
 *   `Base-IRI` that is no absolute IRI; `ERR_RDF_TARGET` (invalid) for RDF that names another graph than `Graph`;
 *   `ERR_LABEL_SYNTAX` (invalid) for a malformed default label; `ERR_ARGUMENT` (invalid) for what is no event or no option
 */
export async function changeSetFromEvent(
  event: Event | StoredEvent,
  options: EventChangesOptions = {},
): Promise<ChangeSet> {
  return (await readChanges(event, options, NOTHING_CHECKED)).changes;
}

/** Looks at the label graph of a value before its changes are made: throws when a rule of it is not to be used. */
export interface RuleChecks {
  readonly checkNodes: (nodes: readonly LabelNode[]) => Promise<void>;
  readonly checkRules: (rules: LabelRules) => void;
  /** Told of the rules when they were tried on every quad that is added. `undefined` when nobody asks, which is cheaper. */
  readonly checkUse: ((rules: LabelRules) => void) | undefined;
}

const NOTHING_CHECKED: RuleChecks = { checkNodes: async () => {}, checkRules: () => {}, checkUse: undefined };

/** Changes by a value, with those that have no label of their own. */
export interface ReadChanges {
  readonly changes: ChangeSet;
  /** Quads that it adds and no rule of its own labels; 0 unless the use of rules is checked. */
  readonly unlabelled: number;
}

/** The same as {@link changeSetFromEvent} with checks of the label graph on the way. @throws what the checks throw, too */
export async function readChanges(
  event: Event | StoredEvent,
  options: EventChangesOptions,
  checks: RuleChecks,
): Promise<ReadChanges> {
  checkOptions(options);
  checkObject(event, 'an event');
  for (const method of ['get', 'getAll', 'has']) checkPort(event.headers, method, 'the headers of an event');
  const contentType = event.headers.get(HEADER.contentType) ?? DEFAULT_MEDIA_TYPE;
  const value = await loadBytes(event, options.blobs);
  const label = labelOf(event);
  if (toMediaType(contentType) === RDF_PATCH_MEDIA_TYPE) return fromPatch(value, label, options, checks);
  return fromRdf(value, contentType, event, label, options, checks);
}

function checkOptions(options: EventChangesOptions): void {
  checkObject(options, 'the options of changeSetFromEvent');
  checkDefaultLabel(options.defaultLabel, 'defaultLabel');
  checkOptional(options.contexts, 'contexts', checkObject);
  checkOptional(options.maxBytes, 'maxBytes', checkBound);
  checkSignal(options.signal);
  if (options.blobs !== undefined) checkPort(options.blobs, 'get', 'blobs');
}

async function loadBytes(event: Event, blobs: BlobStore | undefined): Promise<Uint8Array> {
  if (!event.headers.has(HEADER.valueBlob)) return event.value;
  if (blobs !== undefined) return loadValue(event, blobs);
  throw new CodedError({
    code: 'ERR_EVENT_INVALID',
    kind: 'invalid',
    message: 'the event refers to a blob, and no blob store was given',
  });
}

/** Several labels must all hold, which is what a comma says. A blank one is none. */
function labelOf(event: Event): string | undefined {
  const labels = event.headers.getAll(HEADER.securityLabel).filter((label) => label.trim() !== '');
  return labels.length === 0 ? undefined : labels.join(',');
}

async function fromPatch(
  value: Uint8Array,
  label: string | undefined,
  options: EventChangesOptions,
  { checkNodes, checkRules, checkUse }: RuleChecks,
): Promise<ReadChanges> {
  const vocabulary = options.labels ?? LABEL_VOCABULARY;
  const rows = await readCommitted(parsePatch(value, { signal: options.signal }));
  // Quads that a patch adds to the label graph are rules for what the same patch adds.
  const { control, prefixes } = labelsInPatch(rows, vocabulary);
  const nodes = await readLabelNodes(control, vocabulary);
  await checkNodes(nodes);
  const rules = await LabelRules.read(nodes, { prefixes });
  checkRules(rules);
  const isControl = (quad: RDF.Quad): boolean => isLabelQuad(quad, vocabulary);
  let unlabelled = 0;
  if (checkUse !== undefined) {
    for (const row of rows) if (row.type === 'add' && !isControl(row.quad) && !rules.use(row.quad)) unlabelled++;
    checkUse(rules);
  }
  const prefixLabel = label ?? options.defaultLabel ?? NO_LABEL;
  const own = [prefixLabel];
  const additionLabels = (quad: RDF.Quad): Iterable<string> => rules.find(quad) ?? own;
  const changes = await toChangeSet(rows, { additionLabels, prefixLabel, deletionLabel: label, isControl });
  return { changes, unlabelled };
}

/** Reads a patch's additions to the label graph, with the prefixes that it may use there. */
export function labelsInPatch(
  rows: readonly PatchRow[],
  vocabulary: LabelVocabulary,
): { readonly control: readonly RDF.Quad[]; readonly prefixes: ReadonlyMap<string, string> } {
  const control: RDF.Quad[] = [];
  const prefixes = new Map<string, string>();
  for (const row of rows) {
    if (row.type === 'add' && isLabelQuad(row.quad, vocabulary)) control.push(row.quad);
    if (row.type === 'add-prefix') prefixes.set(row.prefix, row.iri);
  }
  return { control, prefixes };
}

async function fromRdf(
  value: Uint8Array,
  contentType: string,
  event: Event | StoredEvent,
  label: string | undefined,
  options: EventChangesOptions,
  { checkNodes, checkRules, checkUse }: RuleChecks,
): Promise<ReadChanges> {
  const { labels: vocabulary = LABEL_VOCABULARY, defaultLabel = NO_LABEL, contexts, maxBytes, signal } = options;
  const id = idOf(event);
  const { graph, baseIri } = bodyPlaceOf(event);
  const nameBlankNode = (name: string): string => `b${contentHash(JSON.stringify([id, name])).slice(0, 32)}`;
  const prefixes = new Map<string, string>();
  const batches = parseRdfBatches(value, {
    contentType,
    baseIri,
    nameBlankNode,
    onPrefix: (prefix, iri) => prefixes.set(prefix, iri),
    contexts,
    maxBytes,
    signal,
  });
  const { data, count, control } = await partControl(batches, toTarget(graph, vocabulary), vocabulary);
  const nodes = await readLabelNodes(control, vocabulary);
  await checkNodes(nodes);
  const rules = await LabelRules.read(nodes, { prefixes, nameBlankNode });
  checkRules(rules);
  const prefixLabel = label ?? defaultLabel;
  const own = [prefixLabel];
  const additions: LabelledQuad[] = new Array(count);
  let added = 0;
  let unlabelled = 0;
  let pause = QUADS_PER_TURN;
  for (const quads of data) {
    for (const quad of quads) {
      // A quad is added under each of its labels.
      if (added >= pause) {
        await nextTurn();
        pause = added + QUADS_PER_TURN;
      }
      if (checkUse !== undefined && !rules.use(quad)) unlabelled++;
      for (const quadLabel of rules.find(quad) ?? own) additions[added++] = { quad, label: quadLabel };
    }
  }
  additions.length = added;
  checkUse?.(rules);
  return { changes: { deletions: [], additions, ...toPrefixChanges(prefixes, prefixLabel) }, unlabelled };
}

interface PartedQuads {
  /** In batches: an array of millions would be copied again and again while it grows. */
  readonly data: readonly (readonly RDF.Quad[])[];
  readonly count: number;
  /** The quads that say which labels the data has. */
  readonly control: readonly RDF.Quad[];
}

async function partControl(
  batches: AsyncIterable<readonly RDF.Quad[]>,
  place: ToTarget,
  vocabulary: LabelVocabulary,
): Promise<PartedQuads> {
  const data: (readonly RDF.Quad[])[] = [];
  let count = 0;
  const control: RDF.Quad[] = [];
  for await (const quads of batches) {
    const others: RDF.Quad[] = [];
    for (const quad of place(quads)) (isLabelQuad(quad, vocabulary) ? control : others).push(quad);
    data.push(others);
    count += others.length;
  }
  return { data, count, control };
}

function toPrefixChanges(
  prefixes: ReadonlyMap<string, string>,
  label: string,
): { readonly prefixes?: readonly PrefixChange[] } {
  return prefixes.size === 0 ? {} : { prefixes: [...prefixes].map(([prefix, iri]) => ({ prefix, iri, label })) };
}

function isStored(event: Event | StoredEvent): event is StoredEvent {
  return (event as Partial<StoredEvent>).position !== undefined;
}

function idOf(event: Event | StoredEvent): string {
  const id = event.headers.get(HEADER.eventId);
  if (id !== undefined && id !== '') return id;
  if (isStored(event)) return derivedEventId(event, 'load', 0);
  throw new CodedError({
    code: 'ERR_EVENT_INVALID',
    kind: 'invalid',
    message: `an event that was not stored needs the header ${HEADER.eventId} to name its blank nodes`,
  });
}
