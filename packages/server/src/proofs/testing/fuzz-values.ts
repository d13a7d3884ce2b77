import fc from 'fast-check';
import type { Loose } from '../../testing/server.ts';

/** How a request is made up: `tidy` ones should be understood, `wild` ones hold anything. */
export type Manner = 'tidy' | 'wild';

export const SPARQL: readonly string[] = [
  ...['ASK {}', 'SELECT * { ?s ?p ?o } LIMIT 3', 'CONSTRUCT WHERE { ?s ?p ?o }', 'DESCRIBE <urn:a>'],
  'SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p ORDER BY ?n',
];
/** Documents for each of the three schemas, and one for none. */
export const GRAPHQL: readonly string[] = [
  ...['{ __typename }', '{ quads { subject { value } } }', 'query($x: Int) { __schema { types { name } } }'],
  '{ nodes(starts: [{ kind: URI, value: "urn:a" }]) { node { value } outgoing { target { node { value } } } } }',
  '{ node(uri: "urn:a") { id types { uri } outRels { predicate range_id } relCounts { inRels } } }',
  '{ searchWithMetadata(searchTerm: "eagle", limit: 2) { maybeMore nodes { uri } } }',
  '{ states(uri: "urn:a", limit: 1000) { uri } }',
];
const NAMES = ['eagle', 'urn:a', 'types', 'search', 'doc-content', 'start', 'primaryName', 'eag*', 'note.txt'];
const NASTY = [
  ...['', ' ', '%', '%zz', '\u0000', '../..', '..%2f..', '__proto__', 'constructor', '*', '"', '(((', 'a AND', '[1 TO'],
  ...['/a(/', '~', '-1', '1e9', '0x10', '99999999999999999999', 'NaN', 'null', '{}', '<a>', '\ud83d\ude80', '\u202e'],
  ...['(a+)+$', '*a*b*c*', 'a~9', `${'('.repeat(400)}a`, 'x'.repeat(3000), 'ab '.repeat(2000), 'SELECT', 'ASK { ?s'],
];

/** Text that nobody expects, always well-formed Unicode. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }).map((value) => Buffer.from(value).toString()),
  fc.constantFrom(...NASTY),
  fc.string({ unit: fc.constantFrom(...'abc:*?~^"\\/()[]{}+-!&|<>=. 01'), maxLength: 40 }),
);

/** The values of one parameter of an OpenAPI document. */
export function valuesOf(parameter: Loose, manner: Manner): fc.Arbitrary<string[]> {
  const { schema } = parameter;
  const isList = schema.type === 'array';
  const one = singleValue({ ...parameter, schema: isList ? schema.items : schema }, manner);
  if (isList) return fc.array(one, { minLength: manner === 'tidy' ? 1 : 0, maxLength: 4 });
  const single = one.map((value) => [value]);
  return manner === 'tidy'
    ? single
    : fc.oneof({ arbitrary: single, weight: 9 }, { arbitrary: fc.tuple(one, one), weight: 1 });
}

/** One value: of the right kind when tidy, else sometimes. */
export function singleValue({ name, schema, example }: Loose, manner: Manner): fc.Arbitrary<string> {
  const right = rightValue(name, schema, [example].flat()[0]);
  return manner === 'tidy' ? right : fc.oneof({ arbitrary: right, weight: 3 }, { arbitrary: anyText, weight: 2 });
}

function rightValue(name: string, schema: Loose, example: unknown): fc.Arbitrary<string> {
  if (schema.enum !== undefined) return fc.constantFrom(...(schema.enum as string[]));
  if (schema.type === 'integer') {
    return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1000 }).map(String);
  }
  // Flags that say how another parameter is written are turned on by wild requests.
  if (schema.type === 'boolean') return fc.constantFrom('false', name.includes('base64') ? 'false' : 'true');
  const fixed = name === 'query' ? queriesLike(String(example)) : KNOWN[name];
  if (fixed !== undefined) return fc.constantFrom(...fixed);
  const names = fc.constantFrom(...NAMES);
  return example === undefined ? names : fc.oneof(fc.constant(String(example)), names);
}

/** Texts in the language of an example: GraphQL, SPARQL, or `undefined` for that of searches. */
function queriesLike(example: string): readonly string[] | undefined {
  if (example.startsWith('{')) return GRAPHQL;
  return example.startsWith('SELECT') ? SPARQL : undefined;
}

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  dataset: ['knowledge', 'ontology', 'catalog'],
  route: ['local'],
  indices: ['search', 'doc-content', 'search,doc-content'],
  'range-start': ['1', '1969-07-16', '*'],
  'range-end': ['9', '2030-01-01'],
  'range-fields': ['start', 'metadata/generatedAt'],
  'default-graph-uri': ['urn:g'],
  'named-graph-uri': ['urn:g'],
  'using-graph-uri': ['urn:g'],
  'using-named-graph-uri': ['urn:g'],
  graph: ['urn:g', 'default', 'union'],
  variables: ['{}'],
};
