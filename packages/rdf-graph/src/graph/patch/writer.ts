import { badArgument, CodedError, checkArray, checkList, checkObject } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { isAbsoluteIri } from '../../rdf/iri.ts';
import { checkPlaces } from '../../rdf/places.ts';
import { isBlankNodeLabel, writeIri, writeString, writeTerm } from '../../rdf/term-writer.ts';
import { xsd } from '../../rdf/vocabulary.ts';
import { isWellFormed } from '../../rdf/well-formed.ts';
import type { ChangeSet } from '../port/graph-dataset.ts';
import { Pace } from '../store/scheduler.ts';
import type { PatchRow } from './row.ts';

const WRITERS: { readonly [T in PatchRow['type']]: (row: Extract<PatchRow, { type: T }>) => string } = {
  header: ({ name, value }) => `H ${checkedName(name)} ${writePatchTerm(value)} .`,
  begin: () => 'TX .',
  commit: () => 'TC .',
  abort: () => 'TA .',
  'add-prefix': ({ prefix, iri }) => `PA ${writeString(prefix)} ${writeString(iri)} .`,
  'delete-prefix': ({ prefix }) => `PD ${writeString(prefix)} .`,
  add: ({ quad }) => `A ${writePatchQuad(quad)} .`,
  delete: ({ quad }) => `D ${writePatchQuad(quad)} .`,
};

/** @throws `ERR_ARGUMENT` (invalid) for a name that would end early, so that another row could follow */
function checkedName(name: string): string {
  if (typeof name === 'string' && /^[^\s<"]+$/.test(name)) return name;
  throw badArgument('the name of a header of a patch', 'text without white space, < and "', name);
}

/** A row as a line of `application/rdf-patch`, without the line end. */
export function writePatchRow(row: PatchRow): string {
  const write = Object.hasOwn(WRITERS, row?.type) ? (WRITERS[row.type] as (row: PatchRow) => string) : undefined;
  if (write === undefined) throw badArgument('a row of a patch', 'an object with the type of a row', row);
  return write(row);
}

/** Rows as text, line by line. */
export function* writePatch(rows: Iterable<PatchRow>): Generator<string, void, void> {
  checkList(rows, 'the rows of a patch');
  for (const row of rows) yield `${writePatchRow(row)}\n`;
}

function writePatchQuad(quad: RDF.Quad): string {
  checkPlaces(quad, 'a row of a patch');
  const { subject, predicate, object, graph } = quad;
  const terms = graph.termType === 'DefaultGraph' ? [subject, predicate, object] : [subject, predicate, object, graph];
  return terms.map(writeDataTerm).join(' ');
}

/** Like N-Triples, but a blank node keeps any label: `<_:...>` when it is none that `_:` takes. */
function writePatchTerm(term: RDF.Term): string {
  if (term.termType === 'BlankNode') {
    return isBlankNodeLabel(term.value) ? `_:${term.value}` : writeIri(`_:${term.value}`);
  }
  if (term.termType !== 'Quad') return writeTerm(term);
  return `<<( ${[term.subject, term.predicate, term.object].map(writePatchTerm).join(' ')} )>>`;
}

/** An IRI that needs no second look. */
const PLAIN_IRI = /^[a-zA-Z][a-zA-Z0-9+.-]*:[^\x00-\x20<>"{}|^`\\\ud800-\udfff]*$/;

/** The same of what reads back; headers may say more. @throws `ERR_TERM_UNSUPPORTED` (invalid) */
function writeDataTerm(term: RDF.Term): string {
  switch (term.termType) {
    case 'NamedNode':
      if (PLAIN_IRI.test(term.value)) return `<${term.value}>`;
      checkIri(term);
      break;
    case 'Literal':
      checkCharacters(term);
      if (term.datatype.value !== xsd.string) checkIri(term.datatype);
      break;
    case 'BlankNode':
      checkCharacters(term);
      break;
    case 'Quad':
      return `<<( ${[term.subject, term.predicate, term.object].map(writeDataTerm).join(' ')} )>>`;
  }
  return writePatchTerm(term);
}

function checkCharacters({ value }: RDF.Term): void {
  if (!isWellFormed(value)) throw unreadable('text of whole characters', value);
}

function checkIri({ value }: RDF.NamedNode): void {
  if (!isAbsoluteIri(value) || !isWellFormed(value)) throw unreadable('an absolute IRI', value);
}

function unreadable(expected: string, value: string): CodedError {
  const got = JSON.stringify(value.slice(0, 100));
  const message = `what a term of a patch says must be ${expected}, or it would not read back; got ${got}`;
  return new CodedError({ code: 'ERR_TERM_UNSUPPORTED', kind: 'invalid', message });
}

/** The rows of a change set as one transaction: prefixes, deletions, additions. Labels are not in a patch. */
export function* toPatchRows(changes: ChangeSet): Generator<PatchRow, void, void> {
  checkObject(changes, 'a change set');
  checkArray(changes.deletions, 'the deletions of a change set');
  checkArray(changes.additions, 'the additions of a change set');
  const { prefixes = [] } = changes;
  checkArray(prefixes, 'the prefixes of a change set');
  yield { type: 'begin' };
  for (const { prefix, iri } of prefixes) {
    yield iri === undefined ? { type: 'delete-prefix', prefix } : { type: 'add-prefix', prefix, iri };
  }
  for (const { quad } of changes.deletions) yield { type: 'delete', quad };
  for (const { quad } of changes.additions) yield { type: 'add', quad };
  yield { type: 'commit' };
}

/** A change set as a text of type `application/rdf-patch`. Its labels travel outside: see `toPatchEvents`. */
export function toPatch(changes: ChangeSet): string {
  return [...writePatch(toPatchRows(changes))].join('');
}

/** Writing a row, in the unit of {@link Pace}. */
const WORK_PER_ROW = 150;

/** The same in UTF-8, written in slices. */
export function* toPatchBytes(changes: ChangeSet): Generator<void, Uint8Array> {
  const encoder = new TextEncoder();
  const pace = new Pace();
  const pieces: Uint8Array[] = [];
  let lines = '';
  for (const line of writePatch(toPatchRows(changes))) {
    lines += line;
    if (!pace.did(WORK_PER_ROW + line.length)) continue;
    pieces.push(encoder.encode(lines));
    lines = '';
    yield;
  }
  pieces.push(encoder.encode(lines));
  return yield* joined(pieces);
}

/** Bytes copied in one slice. */
const BYTES_PER_SLICE = 1 << 24;

function* joined(pieces: readonly Uint8Array[]): Generator<void, Uint8Array> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  const pace = new Pace(BYTES_PER_SLICE);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
    if (pace.did(piece.length)) yield;
  }
  return whole;
}
