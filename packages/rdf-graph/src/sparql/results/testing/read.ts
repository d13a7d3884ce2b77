import type * as RDF from '@rdfjs/types';
import type { Solution } from '../../../graph/port/graph-dataset.ts';
import { createBlankNodeScope } from '../../../rdf/blank-node-scope.ts';
import { TermReader } from '../../../rdf/term-reader.ts';
import { typedLiteral } from '../../../rdf/terms.ts';
import { xsd } from '../../../rdf/vocabulary.ts';
import type { ParsedResult } from '../read.ts';

const CSV_FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

/**
 * The names and fields of CSV results. CSV has no types: fields are text, an empty one may be an unbound variable.
 */
export function parseCsvResult(text: string): { readonly variables: string[]; readonly rows: string[][] } {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    CSV_FIELD.lastIndex = at;
    const match = CSV_FIELD.exec(text);
    if (match === null) throw new SyntaxError('a quote stands where none may');
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    at += match[0].length;
    if (match[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  const [variables = [], ...solutions] = rows;
  return { variables, rows: solutions };
}

export function parseTsvResult(text: string): ParsedResult {
  const [head = '', ...lines] = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const variables = head === '' ? [] : head.split('\t').map((name) => name.replace(/^[?$]/, ''));
  const reader = new TermReader({ syntax: 'TSV results', blankNodes: createBlankNodeScope() });
  const solutions = lines.map((line): Solution => {
    const fields = line.split('\t');
    if (variables.length > 0 && fields.length !== variables.length) throw new SyntaxError('a line lacks fields');
    const entries = variables.flatMap((name, index): [string, RDF.Term][] => {
      const field = fields[index] ?? '';
      return field === '' ? [] : [[name, fromTsvField(field, reader)]];
    });
    return new Map(entries);
  });
  return { type: 'bindings', variables, solutions };
}

const BARE: readonly (readonly [RegExp, string])[] = [
  [/^[+-]?\d+$/, xsd.integer],
  [/^[+-]?\d*\.\d+$/, xsd.decimal],
  [/^[+-]?(?:\d+\.?\d*|\.\d+)[eE][+-]?\d+$/, xsd.double],
  [/^(?:true|false)$/, xsd.boolean],
];

function fromTsvField(field: string, reader: TermReader): RDF.Term {
  const bare = BARE.find(([pattern]) => pattern.test(field));
  if (bare !== undefined) return typedLiteral(field, bare[1]);
  reader.setText(field);
  return reader.readTerm();
}
