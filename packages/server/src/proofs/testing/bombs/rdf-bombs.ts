import { type Bomb, rdf } from './bomb.ts';

const TOO_LARGE: readonly string[] = ['413 ERR_RDF_TOO_LARGE'];

/** RDF in each syntax, and patches. */
export const RDF_BOMBS: readonly Bomb[] = [
  {
    name: 'Turtle with 5,000 blank nodes in one another',
    request: () => rdf('text/turtle', `<urn:a> <urn:p> ${'[ <urn:p> '.repeat(5_000)} 1 ${']'.repeat(5_000)} .`),
    ends: ['200', '400 ERR_RDF_SYNTAX', '413 ERR_RDF_DEPTH'],
  },
  {
    name: 'Turtle of 2.7 megabytes',
    request: () => rdf('text/turtle', '<urn:a> <urn:p> "x" .\n'.repeat(120_000)),
    ends: ['200'],
  },
  {
    name: 'Turtle with a string that never ends',
    request: () => rdf('text/turtle', `<urn:a> <urn:p> """${'x '.repeat(2_500_000)}`),
    ends: TOO_LARGE,
  },
  {
    name: 'Turtle with a long prefix that is used often',
    request: () =>
      rdf('text/turtle', `@prefix : <urn:${'x'.repeat(60_000)}> .\n${repeat(5_000, (i) => `:a :b :c${i} .`)}`),
    ends: TOO_LARGE,
  },
  {
    name: 'TriG with 20,000 graphs of the same triple',
    request: () =>
      rdf(
        'application/trig',
        repeat(20_000, () => '<urn:g> { <urn:a> <urn:p> 1 }\n'),
      ),
    ends: ['200'],
  },
  {
    name: 'N-Triples in one line of escapes',
    request: () => rdf('application/n-triples', `<urn:a> <urn:p> "${'\\n'.repeat(2_500_000)}" .`),
    ends: TOO_LARGE,
  },
  {
    name: 'N-Quads of six megabytes',
    request: () => rdf('application/n-quads', '<urn:a> <urn:p> "x" <urn:g> .\n'.repeat(200_000)),
    ends: ['200'],
  },
  {
    name: 'JSON-LD of a megabyte with its context at the end',
    request: () =>
      rdf(
        'application/ld+json',
        `{"@graph":[${'{"@id":"urn:a","@type":"urn:T","n":1},'.repeat(25_000)}{}],"@context":{"n":"urn:n"}}`,
      ),
    ends: ['200'],
  },
  {
    name: 'JSON-LD with a context of many terms in each node',
    request: () =>
      rdf(
        'application/ld+json',
        `{"@context":{${repeat(1_900, (i) => `"t${i}":"urn:${i}",`)}"x":"urn:x"},"@graph":[${repeat(2_000, (i) => `{"@context":{"n${i}":"urn:n"},"n${i}":1},`)}{}]}`,
      ),
    ends: TOO_LARGE,
  },
  {
    name: 'JSON-LD nested 5,000 deep',
    request: () => rdf('application/ld+json', `${'{"urn:p":'.repeat(5_000)}1${'}'.repeat(5_000)}`),
    ends: TOO_LARGE,
  },
  {
    name: 'RDF/XML with an entity that is used often',
    request: () =>
      rdf(
        'application/rdf+xml',
        `<!DOCTYPE r [<!ENTITY a "${'x'.repeat(900)}">]><r xmlns="urn:"><p>${'&a;'.repeat(500_000)}</p></r>`,
      ),
    ends: TOO_LARGE,
  },
  {
    name: 'RDF/XML with 50,000 elements in one another',
    request: () => rdf('application/rdf+xml', `<r xmlns="urn:">${'<p><T>'.repeat(50_000)}`),
    ends: TOO_LARGE,
  },
  {
    name: 'a patch in one row',
    request: () => rdf('application/rdf-patch', `A <urn:a> <urn:p> "${'x'.repeat(5_000_000)}" .`),
    ends: ['413 ERR_RDF_TOO_LARGE', '415 ERR_MEDIA_TYPE'],
  },
  {
    name: 'RDF/XML that ends too early',
    request: () => rdf('application/rdf+xml', `<r xmlns="urn:"><p>x</p>`),
    ends: ['400 ERR_RDF_SYNTAX'],
  },
];

function repeat(count: number, piece: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join('');
}
