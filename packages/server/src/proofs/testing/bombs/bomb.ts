/** A request that is meant to take more of the server than its share. */
export interface Bomb {
  /** The end of a sentence that begins with the language. */
  readonly name: string;
  /** Built when it is sent: some are large. */
  readonly request: () => BombRequest;
  /**
   * How it may end: `STATUS` when the answer is whole, `STATUS CODE` with the code of its error, `STATUS cut` when the
   * body broke off. An upload that was accepted ends with `read` when its document is found, or with the code of its
   * dead letter. More than one where it depends on the speed of the machine which limit is met first.
   */
  readonly ends: readonly string[];
  /** True when it takes more than a few seconds, and so is thrown by the long proofs alone. Default false. */
  readonly isLong?: boolean;
}

export interface BombRequest {
  readonly target: string;
  readonly init: RequestInit;
  /** Request sent after it to set it off; then only the end of this one counts. */
  readonly then?: BombRequest;
  /** True when its end is that of the document that it uploads. Default false. */
  readonly isUpload?: boolean;
}

/** A row in the table of a language. */
export function bomb(name: string, ends: readonly string[], request: () => BombRequest): Bomb {
  return { name, ends, request };
}

/** Where the data of the second user are, for reading. */
const KNOWLEDGE = '/api/graph/knowledge';
const CATALOG = '/api/graph/catalog';

/** A SPARQL query over 600 subjects `<urn:s:N>` with one integer each under one of `<urn:p:0>` to `<urn:p:6>`. */
export function sparql(text: string): BombRequest {
  return post(`${KNOWLEDGE}/query`, 'application/sparql-query', text);
}

/** A SPARQL update of a dataset that holds what `text` and updates before it put there. */
export function sparqlUpdate(text: string): BombRequest {
  return post(`${CATALOG}/update`, 'application/sparql-update', text);
}

/** A GraphQL request; `schema` is `traversal`, `platform` or, for the dataset itself, empty. */
export function graphql(document: string, schema = ''): BombRequest {
  const path = schema === '' ? KNOWLEDGE : `${KNOWLEDGE}/${schema}`;
  return post(`${path}/graphql`, 'application/json', JSON.stringify({ query: document, variables: {} }));
}

/** A validation of the stored default graph. */
export function shacl(turtle: string): BombRequest {
  const prefixes = '@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix ex: <urn:ex:> .\n';
  return post(`${KNOWLEDGE}/shacl?graph=default`, 'text/turtle', `${prefixes}${turtle}`);
}

/** RDF of a media type, uploaded; also `application/rdf-patch`. */
export function rdf(mediaType: string, body: string, headers: Readonly<Record<string, string>> = {}): BombRequest {
  return post(`${CATALOG}/upload`, mediaType, body, headers);
}

export function search(query: string): BombRequest {
  return { target: `/api/search/documents?query=${encodeURIComponent(query)}`, init: {} };
}

/** A search of documents by a form, for queries that no address could hold. */
export function searchForm(path: string, fields: Readonly<Record<string, string>>): BombRequest {
  return post(`/api/search${path}`, 'application/x-www-form-urlencoded', new URLSearchParams(fields).toString());
}

export type Content = string | Uint8Array<ArrayBuffer>;

/** An upload of one document under a label that the second user lacks, by default. */
export function document(filename: string, content: Content, label = 'clearance=TS'): BombRequest {
  const body = new FormData();
  body.append('file', new Blob([content]), filename);
  return { target: UPLOAD, init: { method: 'POST', body, headers: { 'Security-Label': label } }, isUpload: true };
}

export function multipart(body: string, boundary = 'b'): BombRequest {
  return post(UPLOAD, `multipart/form-data; boundary=${boundary}`, body, { 'Security-Label': 'clearance=TS' });
}

/** Turtle uploaded to the ontology under a label that the second user lacks; then what is asked of it. */
export function ontology(turtle: string, then: BombRequest): BombRequest {
  const prefixes = '@prefix o: <http://telicent.io/ontology/> . @prefix c: <urn:c#> .\n';
  return { ...post(`${ONTOLOGY}/upload`, 'text/turtle', `${prefixes}${turtle}`, HIDDEN), then };
}

export function ontologyView(path: string): BombRequest {
  return { target: `${ONTOLOGY}${path}`, init: {} };
}

export function ontologyUpdate(text: string): BombRequest {
  return post(`${ONTOLOGY}/update`, 'application/sparql-update', text, HIDDEN);
}

const ONTOLOGY = '/api/graph/ontology';
const HIDDEN = { 'Security-Label': 'clearance=TS' };
const UPLOAD = '/api/ingest/documents/local/upload';

function post(target: string, type: string, body: string, headers: Readonly<Record<string, string>> = {}): BombRequest {
  return { target, init: { method: 'POST', body, headers: { 'Content-Type': type, ...headers } } };
}

/** A piece of text again and again; in a text `#` stands for its number, from 0. */
export function times(count: number, piece: string | ((index: number) => string), between = ''): string {
  const at = typeof piece === 'string' ? (index: number) => piece.replaceAll('#', String(index)) : piece;
  return Array.from({ length: count }, (_, index) => at(index)).join(between);
}

export function nested(depth: number, open: string, close: string, inner = ''): string {
  return `${open.repeat(depth)}${inner}${close.repeat(depth)}`;
}
