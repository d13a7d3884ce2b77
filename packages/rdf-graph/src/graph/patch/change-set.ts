import type * as RDF from '@rdfjs/types';
import { checkStream } from '../../rdf/arguments.ts';
import { rdfSyntaxError } from '../../rdf/syntax-error.ts';
import { writeQuad } from '../../rdf/term-writer.ts';
import type { ChangeSet, LabelledQuad, PrefixChange } from '../port/graph-dataset.ts';
import { inTurns, Pace } from '../store/scheduler.ts';
import type { PatchRow } from './row.ts';

/** Options of {@link toChangeSet}. */
export interface ToChangeSetOptions {
  readonly additionLabels: (quad: RDF.Quad) => Iterable<string>;
  readonly prefixLabel: string;
  /** The label that a quad or a prefix is deleted under; `undefined` for every label. */
  readonly deletionLabel: string | undefined;
  /** Quads that are instructions rather than data. Default none. */
  readonly isControl?: ((quad: RDF.Quad) => boolean) | undefined;
}

/** Writing the quad of a row as a key, in the unit of {@link Pace}. */
const WORK_PER_ROW = 200;

interface QuadChange {
  readonly quad: RDF.Quad;
  deleted: boolean;
  added: boolean;
}

/**
 * The net effect of the rows of a patch, in their order, as one change set. Rows of an aborted transaction count for
 * nothing.
 * @throws `ERR_RDF_SYNTAX` (invalid) when transactions do not pair up: a patch that was cut short is never half applied
 */
export async function toChangeSet(
  rows: AsyncIterable<PatchRow> | Iterable<PatchRow>,
  options: ToChangeSetOptions,
): Promise<ChangeSet> {
  checkStream(rows, 'the rows of a patch');
  return inTurns(netEffect(await readCommitted(rows), options));
}

function* netEffect(committed: readonly PatchRow[], options: ToChangeSetOptions): Generator<void, ChangeSet> {
  const pace = new Pace();
  const changes = new Map<string, QuadChange>();
  const prefixes: PrefixChange[] = [];
  for (const row of committed) {
    if (pace.did(WORK_PER_ROW)) yield;
    if (row.type === 'add' || row.type === 'delete') noteQuad(changes, row.type, row.quad, options);
    else if (row.type === 'add-prefix') prefixes.push({ prefix: row.prefix, iri: row.iri, label: options.prefixLabel });
    else if (row.type === 'delete-prefix')
      prefixes.push({ prefix: row.prefix, iri: undefined, label: options.deletionLabel });
  }
  return yield* toResult(changes.values(), prefixes, options, pace);
}

/** The rows that count, without those that begin and end transactions. @throws `ERR_RDF_SYNTAX` as {@link toChangeSet}. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a branch for each kind of row
export async function readCommitted(rows: AsyncIterable<PatchRow> | Iterable<PatchRow>): Promise<PatchRow[]> {
  const committed: PatchRow[] = [];
  let begunAt: number | undefined;
  for await (const row of rows) {
    if (row.type === 'begin') {
      if (begunAt !== undefined) throw unpaired('TX inside a transaction');
      begunAt = committed.length;
    } else if (row.type === 'commit' || row.type === 'abort') {
      if (begunAt === undefined) throw unpaired('a transaction ends that never began');
      if (row.type === 'abort') committed.length = begunAt;
      begunAt = undefined;
    } else {
      committed.push(row);
    }
  }
  if (begunAt !== undefined) throw unpaired('the transaction has no TC');
  return committed;
}

function unpaired(problem: string): Error {
  return rdfSyntaxError('RDF patch', problem, undefined, { expected: ['TX', 'TC', 'TA'] });
}

function noteQuad(
  changes: Map<string, QuadChange>,
  type: 'add' | 'delete',
  quad: RDF.Quad,
  { isControl }: ToChangeSetOptions,
): void {
  if (isControl?.(quad) === true) return;
  const key = writeQuad(quad);
  let change = changes.get(key);
  if (change === undefined) {
    change = { quad, deleted: false, added: false };
    changes.set(key, change);
  }
  change.added = type === 'add';
  change.deleted ||= type === 'delete';
}

function* toResult(
  changes: Iterable<QuadChange>,
  prefixes: readonly PrefixChange[],
  options: ToChangeSetOptions,
  pace: Pace,
): Generator<void, ChangeSet> {
  const deletions: LabelledQuad[] = [];
  const additions: LabelledQuad[] = [];
  for (const { quad, deleted, added } of changes) {
    if (pace.did(WORK_PER_ROW)) yield;
    if (deleted) deletions.push({ quad, label: options.deletionLabel });
    if (added) for (const label of options.additionLabels(quad)) additions.push({ quad, label });
  }
  return prefixes.length === 0 ? { deletions, additions } : { deletions, additions, prefixes };
}
