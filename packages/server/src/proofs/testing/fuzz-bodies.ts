import fc from 'fast-check';
import type { Loose } from '../../testing/server.ts';
import { anyText, GRAPHQL, type Manner, SPARQL } from './fuzz-values.ts';

/** A body and its media type; without a type it is sent as fetch sees fit. */
export interface FuzzedBody {
  readonly type: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

const UPDATES = ['INSERT DATA { <urn:a> <urn:b> "c" }', 'DELETE WHERE { <urn:a> <urn:b> ?o }', 'CLEAR DEFAULT'];
const RIGHT: Readonly<Record<string, readonly string[]>> = {
  'application/sparql-query': SPARQL,
  'application/sparql-update': UPDATES,
  'application/x-www-form-urlencoded': [...SPARQL.map((one) => `query=${encodeURIComponent(one)}`)],
  'text/turtle': ['<urn:a> <urn:b> "c" .', '@prefix : <urn:> . :a :b :c , [] .'],
  'application/n-triples': ['<urn:a> <urn:b> "c" .\n'],
  'application/n-quads': ['<urn:a> <urn:b> "c" <urn:g> .\n'],
  'application/trig': ['<urn:g> { <urn:a> <urn:b> "c" }'],
  'application/ld+json': ['{"@id": "urn:a", "urn:b": "c"}'],
  'application/rdf-patch': ['A <urn:a> <urn:b> "c" .\n'],
};
const WRONG = [
  ...['@prefix : <urn:', '<rdf:RDF/>', 'A <a> <b>', 'SELECT {', 'LOAD <http://127.0.0.1:1/x>', 'update=CLEAR', '{'],
];

/** Bodies for the media types that an operation takes, and when wild for others. */
export function bodiesOf(
  content: readonly (readonly [string, Loose])[],
  operationId: string,
  manner: Manner,
): fc.Arbitrary<FuzzedBody> {
  const types = content.map(([type]) => type);
  if (types.includes('multipart/form-data'))
    return fc.oneof({ arbitrary: multipart(manner), weight: 4 }, ...wild(types, manner));
  if (types.length === 0) return fc.constant({ type: '', body: '' });
  const tidy = fc.oneof(...types.map((type) => rightBody(type, operationId)));
  return fc.oneof(tidy, ...wild(types, manner));
}

function rightBody(type: string, operationId: string): fc.Arbitrary<FuzzedBody> {
  if (type === 'application/json') return json.map((body) => ({ type, body }));
  const form = operationId === 'graphUpdate' ? UPDATES.map((one) => `update=${encodeURIComponent(one)}`) : undefined;
  const bodies = (type.endsWith('urlencoded') && form) || RIGHT[type] || ['<urn:a> <urn:b> "c" .'];
  return fc.constantFrom(...bodies).map((body) => ({ type, body }));
}

function wild(types: readonly string[], manner: Manner): fc.Arbitrary<FuzzedBody>[] {
  if (manner === 'tidy') return [];
  const others = ['text/html', 'application/json; charset=utf-16', 'text/turtle; x="', ''];
  const type = fc.constantFrom(...types, ...types, ...others);
  const bytes = fc.uint8Array({ maxLength: 200 }).map((value) => new Uint8Array(value));
  const body = fc.oneof(fc.constantFrom(...WRONG, ...Object.values(RIGHT).flat()), json, anyText, bytes);
  return [fc.record({ type, body })];
}

const json: fc.Arbitrary<string> = fc.oneof(
  fc.json(),
  fc.constantFrom(...GRAPHQL).map((query) => JSON.stringify({ query, variables: {} })),
  fc
    .record(
      {
        documentUri: fc.constantFrom('urn:a', 'https://example.org/documents/1', 'x y'),
        entityText: fc.oneof(fc.constant('Eagle'), anyText),
        entityCategory: fc.constantFrom('urn:T', 'https://schema.org/email', 'no uri'),
        resolvedEntityUri: fc.constant('urn:b'),
        resolvedCategory: fc.constant('urn:T'),
        indices: fc.constantFrom('doc-content', 'other'),
      },
      { requiredKeys: ['documentUri', 'entityText', 'entityCategory'] },
    )
    .map((value) => JSON.stringify(value)),
);

function multipart(manner: Manner): fc.Arbitrary<FuzzedBody> {
  const isTidy = manner === 'tidy';
  const known = fc.constantFrom('An eagle has landed.', '{"a": [1]}', '<p>a page of fog</p>', 'a;b\n1;2');
  const part = fc.record({
    name: isTidy ? fc.constant('file') : anyText,
    file: isTidy ? fc.constantFrom('a.txt', 'b.json', 'c.html', 'd.csv', 'e.pdf') : fc.option(anyText),
    value: isTidy ? known : fc.oneof(known, anyText),
  });
  return fc
    .record({
      parts: fc.array(part, { minLength: isTidy ? 1 : 0, maxLength: 4 }),
      cut: isTidy ? fc.constant(undefined) : fc.oneof(fc.constant(undefined), fc.nat(400)),
      boundary: isTidy ? fc.constant('b') : fc.constantFrom('b', 'b', 'b', 'x'.repeat(71), ''),
    })
    .map(({ parts, cut, boundary }) => {
      const whole = `${parts.map((one) => `--b\r\n${dispositionOf(one)}\r\n\r\n${one.value}\r\n`).join('')}--b--\r\n`;
      return { type: `multipart/form-data; boundary=${boundary}`, body: whole.slice(0, cut) };
    });
}

function dispositionOf({ name, file }: { readonly name: string; readonly file: string | null }): string {
  return `Content-Disposition: form-data; name="${name}"${file === null ? '' : `; filename="${file}"`}`;
}
