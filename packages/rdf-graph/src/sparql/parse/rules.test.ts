import { describe, expect, it } from 'vitest';
import { parseSparql } from './parser.ts';

const REFUSED = [
  'SELECT * { VALUES ?x {1} BIND(2 AS ?x) }',
  'SELECT * { OPTIONAL { ?s <urn:p> ?x } BIND(2 AS ?x) }',
  'SELECT * { { SELECT ?x { ?s <urn:p> ?x } } BIND(2 AS ?x) }',
  'SELECT * { { SELECT * { ?s <urn:p> ?x } } BIND(2 AS ?x) }',
  'SELECT * { { SELECT (1 AS ?x) {} } BIND(2 AS ?x) }',
  'SELECT * { GRAPH ?x { ?s ?p ?o } BIND(2 AS ?x) }',
  'SELECT * { { BIND(1 AS ?x) } UNION {} BIND(2 AS ?x) }',
  'SELECT * { BIND(1 AS ?x) BIND(2 AS ?x) }',
  'SELECT * { { { ?s <urn:p> ?x } } BIND(2 AS ?x) }',
  'ASK { FILTER EXISTS { VALUES ?x {1} BIND(2 AS ?x) } }',
  'INSERT { <urn:a> <urn:b> ?x } WHERE { VALUES ?x {1} BIND(2 AS ?x) }',
  'SELECT (?a AS ?a) { VALUES ?a {1} }',
  'SELECT (1 AS ?a) { ?s ?p ?a }',
  'SELECT * { { SELECT (?a AS ?a) { VALUES ?a {1} } } }',
  'SELECT (COUNT(*) AS ?a) { ?s ?p ?a } GROUP BY ?a',
  'SELECT * { VALUES (?x ?x) { (1 2) } }',
  'SELECT * {} VALUES (?x $x) { (1 2) }',
  'SELECT ?x { { _:a <urn:p> ?x } { _:a <urn:q> ?y } }',
  'SELECT ?x { _:a <urn:p> ?x OPTIONAL { _:a <urn:q> ?y } }',
  'SELECT ?x { _:a <urn:p> ?x OPTIONAL { ?x <urn:q> ?y } _:a <urn:r> ?z }',
  'SELECT ?x { _:a <urn:p> ?x BIND(1 AS ?one) _:a <urn:r> ?z }',
  'SELECT ?x { _:a <urn:p> ?x FILTER EXISTS { _:a <urn:q> ?y } }',
  'SELECT ?x { { _:a <urn:p> ?x } UNION { _:a <urn:q> ?x } }',
  'INSERT DATA { "x" <urn:p> 1 }',
  'INSERT DATA { <urn:s> <urn:p> 1 . GRAPH <urn:g> { 1 <urn:p> <urn:o> } }',
  'INSERT DATA { << "x" <urn:p> 1 >> <urn:q> 2 }',
  'DELETE DATA { "x" <urn:p> 1 }',
  'INSERT DATA { <urn:s> <urn:p> "x"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> }',
  'SELECT * { ?s ?p "x"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> }',
  'INSERT DATA { << ?s <urn:p> 1 >> <urn:q> 2 }',
  'DELETE DATA { GRAPH <urn:g> { [] <urn:p> 1 } }',
  'DELETE WHERE { GRAPH <urn:g> { _:a <urn:p> 1 } }',
  'DELETE { GRAPH <urn:g> { _:a <urn:p> 1 } } WHERE {}',
  'DELETE { << _:a <urn:p> 1 >> <urn:q> 2 } WHERE {}',
  'SELECT (COUNT(*) AS ?n) ?s { ?s ?p ?o }',
  'SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o }',
  'SELECT ?s { ?s ?p ?o } HAVING (COUNT(*) > 1)',
  'SELECT ?s { ?s ?p ?o } ORDER BY COUNT(*)',
  'SELECT ?o { ?s ?p ?o } GROUP BY ?s',
  'SELECT ?s { ?s ?p ?o } GROUP BY (STR(?s) AS ?k)',
  'SELECT (SUM(?o) + ?o AS ?c) { ?s ?p ?o }',
  'SELECT ?s (STR(?o) AS ?c) { ?s ?p ?o } GROUP BY ?s',
  'SELECT * { { SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o } } }',
  'SELECT * { ?s ?p ?o } HAVING (COUNT(*) > 1)',
  'SELECT ?k { ?s ?p ?o } GROUP BY (STR(?s) AS ?k) (STR(?o) AS ?k)',
  'SELECT ?s { ?s ?p ?o } GROUP BY (STR(?o) AS ?s)',
  'SELECT ?s { ?s ?p ?o } GROUP BY ?s (COUNT(*) AS ?n)',
  'SELECT (SUM(COUNT(*)) AS ?n) {}',
  'SELECT * { FILTER(COUNT(*) > 1) }',
  'SELECT * { BIND(1 + COUNT(*) AS ?n) }',
  'INSERT { <urn:a> <urn:b> 1 } WHERE { FILTER(COUNT(*) > 1) }',
  'SELECT (1 AS ?x) {} VALUES ?x { 1 }',
  'SELECT * { BIND(SUBSTR("a") AS ?x) }',
  'SELECT * { BIND(SUBSTR("a", 1, 1, 1) AS ?x) }',
  'SELECT * { BIND(REPLACE("a", "b") AS ?x) }',
  'SELECT * { FILTER(REGEX("a")) }',
  String.raw`SELECT * { ?s ?p <http://e/\u0020> }`,
  String.raw`SELECT * { ?s ?p <http://e/\uD83C\uDCA1> }`,
  String.raw`SELECT * { ?s ?p <http://e/\U00110000> }`,
  String.raw`SELECT * { ?s ?p <http://e/\u003E> }`,
];

const TAKEN = [
  'SELECT * { BIND(2 AS ?x) VALUES ?x {2} }',
  'SELECT * { { ?s ?p ?o } MINUS { ?s ?p ?x } BIND(2 AS ?x) }',
  'SELECT * { FILTER EXISTS { ?s ?p ?x } BIND(2 AS ?x) }',
  'SELECT * { ?s ?p ?o { BIND(?o AS ?x) } { BIND(2 AS ?x) } }',
  'SELECT * { { BIND(1 AS ?x) } UNION { BIND(2 AS ?x) } }',
  'SELECT * { { SELECT ?s { ?s <urn:p> ?x } } BIND(2 AS ?x) }',
  'SELECT (COUNT(?x) AS ?x) { ?s <urn:p> ?x }',
  'SELECT ?s (SUM(?x) AS ?x) { ?s <urn:p> ?x } GROUP BY ?s',
  'SELECT (1 AS ?a) (?a + 1 AS ?b) { ?s ?p ?o }',
  'SELECT (EXISTS { ?s ?p ?a } AS ?a) { ?s ?p ?o }',
  'SELECT (COUNT(*) AS ?n) (?n + 1 AS ?m) { ?s ?p ?o }',
  'SELECT ?s (STR(?s) AS ?k) { ?s ?p ?o } GROUP BY ?s',
  'SELECT ?k (SUM(?o) AS ?n) { ?s ?p ?o } GROUP BY (STR(?s) AS ?k) ?p',
  'SELECT (SUM(?n) AS ?all) { { SELECT (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?s } }',
  'SELECT (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?s HAVING (?o > 1) ORDER BY ?p',
  'ASK { ?s ?p ?o } HAVING (COUNT(*) > 1)',
  'CONSTRUCT { ?s ?s ?s } WHERE { ?s ?p ?o } GROUP BY ?s',
  'SELECT * { BIND(SUBSTR("a", 1) AS ?x) BIND(BNODE() AS ?y) BIND(COALESCE() AS ?z) }',
  'CONSTRUCT { [ ?p ?o ] } WHERE { ?s ?p ?o }',
  'CONSTRUCT { [ ?p ?o ] . (1 2) . ((3) [ ?p 4 ]) } WHERE { ?s ?p ?o }',
  'INSERT DATA { [ <urn:p> 1 ] . GRAPH <urn:g> { (1 2) } }',
  'INSERT { [ <urn:p> ?o ] } WHERE { ?s ?p ?o }',
  String.raw`BASE <http://e/\u0061/> PREFIX p: <\U00000062#> SELECT * { ?s ?p <\u0063> }`,
  'SELECT ?x { _:a <urn:p> ?x FILTER(?x > 1) _:a <urn:q> ?y }',
  'SELECT ?x { _:a <urn:p> ?x FILTER EXISTS { ?x <urn:q> _:b } _:a <urn:q> ?y }',
  'CONSTRUCT { _:a <urn:p> ?x } WHERE { _:a <urn:p> ?x }',
  'CONSTRUCT WHERE { _:a <urn:p> ?x . _:a <urn:q> ?x }',
  'INSERT { _:a <urn:p> ?x . GRAPH <urn:g> { _:a <urn:p> ?x } } WHERE { _:a <urn:p> ?x }',
  'INSERT DATA { _:a <urn:p> 1 GRAPH <urn:g> { _:a <urn:p> 1 } }',
  'INSERT {} WHERE { _:a <urn:p> 1 } ; INSERT {} WHERE { _:a <urn:p> 1 }',
  'INSERT { "x" <urn:p> ?o } WHERE { ?s ?p ?o }',
  'SELECT * { ?s ?p ?o } LIMIT 9007199254740991 OFFSET 9007199254740991',
];

describe('the rules beside the grammar', () => {
  it.each(REFUSED)('refuses %s', (text) => {
    expect(() => parseSparql(text)).toThrow(
      expect.objectContaining({
        code: 'ERR_SPARQL_SYNTAX',
        position: expect.objectContaining({ line: 1, column: expect.any(Number) }),
      }),
    );
  });

  it.each(TAKEN)('takes %s', (text) => {
    parseSparql(text);
  });

  it('names the bound of LIMIT and OFFSET', () => {
    for (const page of [
      'LIMIT 99999999999999999999',
      'OFFSET 9007199254740993',
      'OFFSET 1 LIMIT 1000000000000000000',
    ]) {
      expect(() => parseSparql(`SELECT * { ?s ?p ?o } ${page}`)).toThrow('9007199254740991');
    }
  });

  it('says where the second use of a label of a blank node stands', () => {
    expect(() => parseSparql('ASK {\n  { _:a ?p 1 }\n  { _:a ?p 2 } }')).toThrow(
      expect.objectContaining({ position: expect.objectContaining({ line: 3, column: 5 }) }),
    );
  });
});
