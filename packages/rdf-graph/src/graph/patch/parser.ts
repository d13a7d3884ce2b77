import { checkBound, checkObject, checkSignal, readableOnce, throwIfAborted } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { checkOptional, checkTextSource } from '../../rdf/arguments.ts';
import { type BlankNodeScope, createBlankNodeScope } from '../../rdf/blank-node-scope.ts';
import { createLinePieces } from '../../rdf/line-pieces.ts';
import { TermReader } from '../../rdf/term-reader.ts';
import { defaultGraph, namedNode, quad } from '../../rdf/terms.ts';
import { decodeInTurns, ReadingTurns, type TextSource } from '../../rdf/text-source.ts';
import type { PatchRow } from './row.ts';

/** Options of {@link parsePatch}. */
export interface ParsePatchOptions {
  readonly signal?: AbortSignal | undefined;
  /** UTF-16 units of one row. Default 4 Mi. */
  readonly maxRowUnits?: number | undefined;
}

const MAX_ROW_UNITS = 2 ** 22;

/** How much may be read between two turns: a few milliseconds. */
const MAX_STRETCH_UNITS = 2 ** 18;

/**
 * The rows of a text of type `application/rdf-patch`, in order, as they are read. Blank nodes keep their labels.
 * @throws `ERR_RDF_SYNTAX` (invalid) with position and what was expected; `ERR_ARGUMENT` (invalid) for what is no source
 */
export function parsePatch(source: TextSource, options: ParsePatchOptions = {}): AsyncGenerator<PatchRow, void, void> {
  return readableOnce(parseRows(source, options));
}

async function* parseRows(source: TextSource, options: ParsePatchOptions): AsyncGenerator<PatchRow, void, void> {
  checkObject(options, 'the options of parsePatch');
  checkOptional(options.maxRowUnits, 'maxRowUnits', checkBound);
  checkSignal(options.signal, 'signal');
  checkTextSource(source);
  const parser = createPatchParser(createBlankNodeScope(), options.maxRowUnits ?? MAX_ROW_UNITS);
  const turns = new ReadingTurns(MAX_STRETCH_UNITS);
  for await (const { text } of decodeInTurns(source, turns)) {
    throwIfAborted(options.signal);
    const rows = parser.push(text);
    turns.made(rows.length);
    yield* rows;
  }
  yield* parser.finish();
}

interface PatchParser {
  push(text: string): PatchRow[];
  finish(): PatchRow[];
}

function createPatchParser(blankNodes: BlankNodeScope, maxRowUnits: number): PatchParser {
  const reader = new TermReader({ syntax: 'RDF patch', blankNodes, blankNodeIris: true });
  const lines = createLinePieces(maxRowUnits);
  const parse = (text: string): PatchRow[] => {
    reader.setText(text);
    const rows: PatchRow[] = [];
    while (reader.nextLine()) rows.push(readRow(reader));
    return rows;
  };
  return {
    push(text) {
      const complete = lines.push(text);
      return complete === '' ? [] : parse(complete);
    },
    finish: () => parse(lines.finish()),
  };
}

type RowReader = (reader: TermReader) => PatchRow;

/** The longer codes are first: `TX` before any that it starts with. */
const ROWS: readonly (readonly [code: string, read: RowReader])[] = [
  ['TX', () => ({ type: 'begin' })],
  ['TC', () => ({ type: 'commit' })],
  ['TA', () => ({ type: 'abort' })],
  ['PA', readAddPrefix],
  ['PD', (reader) => ({ type: 'delete-prefix', prefix: readPrefix(reader) })],
  ['H', readHeader],
  ['A', (reader) => ({ type: 'add', quad: readQuad(reader) })],
  ['D', (reader) => ({ type: 'delete', quad: readQuad(reader) })],
];

const ROW_CODES: readonly string[] = ROWS.map(([code]) => code);

function readRow(reader: TermReader): PatchRow {
  const found = ROWS.find(([code]) => reader.takeWord(code));
  if (found === undefined) throw reader.fail(`one of ${ROW_CODES.join(', ')}`, ROW_CODES);
  reader.skipSpace();
  const row = found[1](reader);
  reader.skipSpace();
  if (!reader.take('.')) throw reader.fail('a full stop', ['.']);
  reader.endLine();
  return row;
}

const HEADER_NAME = /[^\s<"]+/y;

function readHeader(reader: TermReader): PatchRow {
  const name = reader.takeMatch(HEADER_NAME);
  if (name === undefined) throw reader.fail('the name of a header', ['header name']);
  reader.skipSpace();
  const value = reader.text[reader.at] === '<' ? readHeaderIri(reader) : reader.readTerm();
  return { type: 'header', name, value };
}

const HEADER_IRI = /<([^<>"{}|^`\\\x00-\x20]*)>/y;

/** Ids of patches are written as IRIs that have no scheme; a header says nothing of the data, so any will do. */
function readHeaderIri(reader: TermReader): RDF.Term {
  const start = reader.at;
  const match = reader.takeMatch(HEADER_IRI);
  if (match === undefined) return reader.readTerm();
  if (match.startsWith('<_:')) {
    reader.at = start;
    return reader.readTerm();
  }
  return namedNode(match.slice(1, -1));
}

const PREFIX = /[^\s:<"]*(?=:)/y;

/** `"rdf"` or `rdf:`. */
function readPrefix(reader: TermReader): string {
  if (reader.text[reader.at] === '"') return reader.readString().replace(/:$/, '');
  const prefix = reader.takeMatch(PREFIX);
  if (prefix === undefined) throw reader.fail('a prefix', ['prefix']);
  reader.take(':');
  return prefix;
}

/** The IRI is in quotes or in angle brackets. */
function readAddPrefix(reader: TermReader): PatchRow {
  const prefix = readPrefix(reader);
  reader.skipSpace();
  const iri = reader.text[reader.at] === '"' ? reader.readString() : reader.readIri().value;
  return { type: 'add-prefix', prefix, iri };
}

function readQuad(reader: TermReader): RDF.Quad {
  const subject = reader.readTerm();
  if (subject.termType === 'Literal') throw reader.fail('a subject before the literal', ['IRI', 'blank node']);
  reader.skipSpace();
  const predicate = reader.readIri();
  if (predicate.termType !== 'NamedNode') throw reader.fail('a predicate before the blank node', ['IRI']);
  reader.skipSpace();
  const object = reader.readTerm();
  reader.skipSpace();
  return quad(subject, predicate, object, readGraph(reader));
}

function readGraph(reader: TermReader): RDF.Term {
  const next = reader.at < reader.end ? reader.text[reader.at] : undefined;
  if (next === '.') return defaultGraph();
  const isGraph = next === '_' || (next === '<' && reader.text[reader.at + 1] !== '<');
  if (!isGraph) throw reader.fail('a graph or a full stop', ['IRI', 'blank node', '.']);
  return reader.readTerm();
}
