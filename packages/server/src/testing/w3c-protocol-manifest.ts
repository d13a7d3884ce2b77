import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseRdf } from '@cairn/rdf-graph';

/** One request of a protocol test, and what must come back. */
export interface ProtocolRequest {
  readonly method: string;
  /** As the manifest has it: it starts with `/sparql/`. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
  /** Such as `StatusCode2xx`. */
  readonly statuses: readonly string[];
  readonly boolean: boolean | undefined;
  /** `boolean`, `tabular` or `RDF`. */
  readonly format: string | undefined;
  /** Turtle that must come back. */
  readonly answer: string | undefined;
  /** The name that later requests have for the place that the answer names. */
  readonly location: string | undefined;
}

export interface ProtocolTest {
  readonly name: string;
  /** Files to load, by the graph they belong in. */
  readonly graphs: readonly { readonly name: string; readonly file: string }[];
  readonly requests: readonly ProtocolRequest[];
}

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const MF = 'http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#';
const HT = 'http://www.w3.org/2011/http#';
const CNT = 'http://www.w3.org/2011/content#';
const UT = 'http://www.w3.org/2009/sparql/tests/test-update#';
const LABEL = 'http://www.w3.org/2000/01/rdf-schema#label';

type Values = (subject: string, predicate: string) => string[];

/** Reads a manifest of the SPARQL 1.1 protocol tests, or of those of the Graph Store Protocol. */
export async function readProtocolTests(folder: string, manifest = 'manifest.ttl'): Promise<ProtocolTest[]> {
  const file = path.join(folder, manifest);
  const baseIri = pathToFileURL(file).href;
  const index = new Map<string, string[]>();
  for await (const { subject, predicate, object } of parseRdf(readFileSync(file), {
    contentType: 'text/turtle',
    baseIri,
  })) {
    const key = `${subject.value} ${predicate.value}`;
    index.set(key, [...(index.get(key) ?? []), object.value]);
  }
  const values: Values = (subject, predicate) => index.get(`${subject} ${predicate}`) ?? [];
  const entries = listOf(values, values(baseIri, `${MF}entries`)[0]);
  return entries.map((entry) => toTest(values, entry));
}

function toTest(values: Values, entry: string): ProtocolTest {
  const graphs = values(entry, `${UT}graphData`).map((data) => ({
    name: values(data, LABEL)[0] as string,
    file: values(data, `${UT}graph`)[0] as string,
  }));
  const connection = values(entry, `${MF}action`)[0] as string;
  const requests = listOf(values, values(connection, `${HT}requests`)[0]);
  return {
    name: values(entry, `${MF}name`)[0] as string,
    graphs,
    requests: requests.map((request) => toRequest(values, request)),
  };
}

function toRequest(values: Values, request: string): ProtocolRequest {
  const one = (subject: string | undefined, predicate: string): string | undefined =>
    subject === undefined ? undefined : values(subject, predicate)[0];
  const headers = listOf(values, one(request, `${HT}headers`)).map((header): [string, string] => [
    one(header, `${HT}fieldName`) as string,
    one(header, `${HT}fieldValue`) as string,
  ]);
  const body = one(request, `${HT}body`);
  const response = one(request, `${HT}resp`) as string;
  const boolean = one(response, `${MF}expectedBoolean`);
  return {
    method: one(request, `${HT}methodName`) as string,
    target: one(request, `${HT}absolutePath`) as string,
    headers: Object.fromEntries(headers),
    body:
      body === undefined ? undefined : encode(one(body, `${CNT}chars`) as string, one(body, `${CNT}characterEncoding`)),
    statuses: values(response, `${MF}expectedStatus`).map((status) => status.replace(/^.*#/, '')),
    boolean: boolean === undefined ? undefined : boolean === 'true',
    format: one(response, `${MF}expectedFormat`),
    answer: one(one(response, `${HT}body`), `${CNT}chars`),
    location: one(response, `${MF}expectedLocation`),
  };
}

function encode(text: string, encoding: string | undefined): Uint8Array {
  return encoding === 'UTF-16' ? Buffer.from(`\ufeff${text}`, 'utf16le') : Buffer.from(text);
}

function listOf(values: Values, head: string | undefined): string[] {
  const items: string[] = [];
  for (let node = head; node !== undefined && node !== `${RDF}nil`; node = values(node, `${RDF}rest`)[0]) {
    const first = values(node, `${RDF}first`)[0];
    if (first !== undefined) items.push(first);
  }
  return items;
}
