import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type * as RDF from '@rdfjs/types';
import { SparqlXmlParser } from 'sparqlxml-parse';
import type { Solution } from '../../../graph/port/graph-dataset.ts';
import { mediaTypeOfFile } from '../../../rdf/media-types.ts';
import { type ParsedResult, parseJsonResult } from '../../../sparql/results/read.ts';
import { parseTsvResult } from '../../../sparql/results/testing/read.ts';
import { Lookup, readGraph } from './graph.ts';

/** The solutions or the boolean of a result file by its ending: `.srx`, `.srj`, `.tsv`, or RDF in the result set vocabulary. */
export async function readResult(file: string, baseIri: string): Promise<ParsedResult> {
  if (mediaTypeOfFile(file) !== undefined) return fromResultSet(await readGraph(file, baseIri));
  const text = readFileSync(file, 'utf8');
  if (file.endsWith('.srx')) return parseXmlResult(text);
  return file.endsWith('.tsv') ? parseTsvResult(text) : parseJsonResult(text);
}

async function parseXmlResult(text: string): Promise<ParsedResult> {
  const parser = new SparqlXmlParser();
  if (/<(?:\w+:)?boolean>/.test(text)) {
    return { type: 'boolean', value: await parser.parseXmlBooleanStream(Readable.from([text])) };
  }
  const stream = parser.parseXmlResultsStream(Readable.from([text]));
  let variables: string[] = [];
  stream.on('variables', (names: RDF.Variable[]) => {
    variables = names.map(({ value }) => value);
  });
  const bindings: Record<string, RDF.Term>[] = [];
  stream.on('data', (binding: Record<string, RDF.Term>) => bindings.push(binding));
  await finished(stream);
  return { type: 'bindings', variables, solutions: bindings.map((binding) => new Map(Object.entries(binding))) };
}

const RESULT_SET = 'http://www.w3.org/2001/sw/DataAccess/tests/result-set#';

function fromResultSet(quads: readonly RDF.Quad[]): ParsedResult {
  const graph = new Lookup(quads);
  const root = quads.find(({ object }) => object.value === `${RESULT_SET}ResultSet`)?.subject;
  const boolean = graph.object(root, `${RESULT_SET}boolean`);
  if (boolean !== undefined) return { type: 'boolean', value: boolean.value === 'true' };
  const variables = graph.objects(root, `${RESULT_SET}resultVariable`).map(({ value }) => value);
  const solutions = graph.objects(root, `${RESULT_SET}solution`).map((solution): Solution => {
    const bindings = graph.objects(solution, `${RESULT_SET}binding`);
    return new Map(
      bindings.map((binding) => [
        graph.object(binding, `${RESULT_SET}variable`)!.value,
        graph.object(binding, `${RESULT_SET}value`)!,
      ]),
    );
  });
  return { type: 'bindings', variables, solutions };
}
