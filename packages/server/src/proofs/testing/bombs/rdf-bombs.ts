import { type Bomb, bomb, nested, rdf, times } from './bomb.ts';

const TOO_LARGE: readonly string[] = ['413 ERR_RDF_TOO_LARGE'];

export const RDF_BOMBS: readonly Bomb[] = [
  bomb('Turtle with 5,000 blank nodes in one another', ['200', '400 ERR_RDF_SYNTAX', '413 ERR_RDF_DEPTH'], () =>
    rdf('text/turtle', `<urn:a> <urn:p> ${nested(5_000, '[ <urn:p> ', ']', ' 1 ')} .`),
  ),
  bomb('Turtle of 2.7 megabytes', ['200'], () => rdf('text/turtle', '<urn:a> <urn:p> "x" .\n'.repeat(120_000))),
  bomb('Turtle with a string that never ends', TOO_LARGE, () =>
    rdf('text/turtle', `<urn:a> <urn:p> """${'x '.repeat(2_500_000)}`),
  ),
  bomb('Turtle with a long prefix that is used often', TOO_LARGE, () =>
    rdf('text/turtle', `@prefix : <urn:${'x'.repeat(60_000)}> .\n${times(5_000, ':a :b :c# .')}`),
  ),
  bomb('TriG with 20,000 graphs of the same triple', ['200'], () =>
    rdf('application/trig', times(20_000, '<urn:g> { <urn:a> <urn:p> 1 }\n')),
  ),
  bomb('N-Triples in one line of escapes', TOO_LARGE, () =>
    rdf('application/n-triples', `<urn:a> <urn:p> "${'\\n'.repeat(2_500_000)}" .`),
  ),
  bomb('N-Quads of six megabytes', ['200'], () =>
    rdf('application/n-quads', '<urn:a> <urn:p> "x" <urn:g> .\n'.repeat(200_000)),
  ),
  bomb('JSON-LD of a megabyte with its context at the end', ['200'], () =>
    rdf(
      'application/ld+json',
      `{"@graph":[${'{"@id":"urn:a","@type":"urn:T","n":1},'.repeat(25_000)}{}],"@context":{"n":"urn:n"}}`,
    ),
  ),
  bomb('JSON-LD with a context of many terms in each node', TOO_LARGE, () =>
    rdf(
      'application/ld+json',
      `{"@context":{${times(1_900, '"t#":"urn:#",')}"x":"urn:x"},"@graph":[${times(2_000, '{"@context":{"n#":"urn:n"},"n#":1},')}{}]}`,
    ),
  ),
  bomb('JSON-LD nested 5,000 deep', TOO_LARGE, () => rdf('application/ld+json', nested(5_000, '{"urn:p":', '}', '1'))),
  bomb('RDF/XML with an entity that is used often', TOO_LARGE, () =>
    rdf(
      'application/rdf+xml',
      `<!DOCTYPE r [<!ENTITY a "${'x'.repeat(900)}">]><r xmlns="urn:"><p>${'&a;'.repeat(500_000)}</p></r>`,
    ),
  ),
  bomb('RDF/XML with 50,000 elements in one another', TOO_LARGE, () =>
    rdf('application/rdf+xml', `<r xmlns="urn:">${'<p><T>'.repeat(50_000)}`),
  ),
  bomb('a patch in one row', ['413 ERR_RDF_TOO_LARGE', '415 ERR_MEDIA_TYPE'], () =>
    rdf('application/rdf-patch', `A <urn:a> <urn:p> "${'x'.repeat(5_000_000)}" .`),
  ),
  bomb('RDF/XML that ends too early', ['400 ERR_RDF_SYNTAX'], () =>
    rdf('application/rdf+xml', `<r xmlns="urn:"><p>x</p>`),
  ),
];
