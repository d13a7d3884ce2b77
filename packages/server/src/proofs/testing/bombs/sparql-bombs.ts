import { type Bomb, sparql, sparqlUpdate } from './bomb.ts';

const LIMITS = ['503 ERR_TIME_LIMIT', '400 ERR_QUERY_MEMORY'];
/** Ends of a limit inside one expression: an expression error leaves a variable unbound. */
const UNBOUND = ['200', '400 ERR_QUERY_WORK', '400 ERR_QUERY_MEMORY', '503 ERR_TIME_LIMIT'];

/** BINDs that make `?tN` from `?t0`, each from the one before by `step`. */
function repeated(first: string, steps: number, step: (before: string) => string): string {
  const binds = Array.from({ length: steps }, (_, i) => `BIND(${step(`?t${i}`)} AS ?t${i + 1})`);
  return `BIND(${first} AS ?t0) ${binds.join(' ')}`;
}

function nested(first: string, steps: number, step: (before: string) => string): string {
  let expression = first;
  for (let i = 0; i < steps; i++) expression = step(expression);
  return expression;
}

const DOUBLED = (before: string): string => `CONCAT(${before}, ${before})`;
const SQUARED = (before: string): string => `${before} * ${before}`;
const GROWN = (before: string): string => `REPLACE(${before}, ".", "${'$0'.repeat(50)}")`;
const MEBIBYTE = repeated('"a"', 20, DOUBLED);
const COUNTED = Array.from({ length: 300 }, (_, i) => `(a{1,${20 + (i % 10)}}b${i})`).join('|');
const THOUSAND_DIGITS = '7'.repeat(1_000);
const VALUES = `VALUES ?v { ${Array.from({ length: 1_000 }, (_, i) => i).join(' ')} }`;
const PRODUCT = '?a ?b ?c . ?d ?e ?f . ?g ?h ?i';

/** Expressions that grow, with the variable that they end in. */
const GROWING: readonly (readonly [name: string, pattern: string, variable: string])[] = [
  ['a product of 1,000 digits squared 16 times', repeated(THOUSAND_DIGITS, 16, SQUARED), '?t16'],
  ['REPLACE by fifty times itself, five times', repeated(`"${'a'.repeat(100)}"`, 5, GROWN), '?t5'],
  ['REPLACE by fifty times itself, in one expression', `BIND(${nested('"aaaa"', 5, GROWN)} AS ?t)`, '?t'],
  ['CONCAT of a text with itself, 24 times', repeated('"abcdefgh"', 24, DOUBLED), '?t24'],
  ['CONCAT of a text with itself, 60 times', repeated('"abcdefgh"', 60, DOUBLED), '?t60'],
  ['a quotient by 200,000 digits', `BIND(1.0 / ${'7'.repeat(200_000)} AS ?t)`, '?t'],
  [
    'a decimal with 200,000 digits times itself',
    `BIND(1.${'7'.repeat(200_000)} * 1.${'7'.repeat(200_000)} AS ?t)`,
    '?t',
  ],
  [
    'REGEX of 100,000 letters and 300 counts',
    `${repeated('"a"', 17, DOUBLED)} BIND(REGEX(?t17, "${COUNTED}") AS ?r)`,
    '?r',
  ],
  ['REGEX of a pattern that takes long to compile', `BIND(REGEX("a", "${'a{1,1000}'.repeat(500)}") AS ?r)`, '?r'],
  [
    'REPLACE whose every match looks at the whole text',
    `${repeated('"a"', 17, DOUBLED)} BIND(REPLACE(?t17, "a.*b|a", "x") AS ?r)`,
    '?r',
  ],
  [
    'CONTAINS of half a million letters in a million',
    `${MEBIBYTE} BIND(CONTAINS(CONCAT(?t20, ?t20), CONCAT(?t18, "b", ?t18)) AS ?r)`,
    '?r',
  ],
  [
    'a triple that holds itself twice, 40 times',
    `${repeated('<urn:a>', 40, (t) => `TRIPLE(${t}, <urn:p>, ${t})`)}`,
    '?t40',
  ],
  [
    'SHA512 of 1 MiB, 2,000 times',
    `${VALUES} VALUES ?w { 1 2 } ${MEBIBYTE} BIND(SHA512(CONCAT(?t20, STR(?v), STR(?w))) AS ?r)`,
    '?r',
  ],
  [
    'MD5 of 1 MiB, 500 times in one expression',
    `${MEBIBYTE} BIND(CONCAT(${Array.from({ length: 500 }, (_, i) => `MD5(CONCAT(?t20, "${i}"))`).join()}) AS ?r)`,
    '?r',
  ],
  [
    'UCASE of 1 MiB for each of 1,000 rows',
    `${VALUES} ${MEBIBYTE} BIND(STRLEN(UCASE(CONCAT(?t20, STR(?v)))) AS ?r)`,
    '?r',
  ],
  ['GROUP_CONCAT of 1 MiB, 1,000 times', `{ SELECT (GROUP_CONCAT(?t20) AS ?r) { ${VALUES} ${MEBIBYTE} } }`, '?r'],
  [
    'a sum of 1,000 long numbers, grouped by an expression',
    `{ SELECT (SUM(${THOUSAND_DIGITS} * ?v) AS ?r) { ${VALUES} } GROUP BY (SHA512(STR(?v))) }`,
    '?r',
  ],
];

function asQuery([name, pattern, variable]: (typeof GROWING)[0]): Bomb {
  return { name, request: () => sparql(`SELECT (STRLEN(STR(${variable})) AS ?n) { ${pattern} }`), ends: UNBOUND };
}

function asUpdate([name, pattern, variable]: (typeof GROWING)[0]): Bomb {
  const text = `INSERT { <urn:s> <urn:p> ?n } WHERE { ${pattern} BIND(STRLEN(STR(${variable})) AS ?n) }`;
  return { name: `${name}, in an update`, request: () => sparqlUpdate(text), ends: UNBOUND };
}

export const SPARQL_BOMBS: readonly Bomb[] = [
  ...GROWING.map(asQuery),
  ...GROWING.map(asUpdate),
  {
    name: 'three products counted',
    request: () => sparql(`SELECT (COUNT(*) AS ?n) { ${PRODUCT} FILTER(?a != ?d && ?c != ?i) }`),
    ends: LIMITS,
  },
  { name: 'a sort of a product', request: () => sparql(`SELECT * { ${PRODUCT} } ORDER BY ?c ?f ?i`), ends: LIMITS },
  {
    name: 'the distinct rows of a product',
    request: () => sparql(`SELECT (COUNT(DISTINCT *) AS ?n) { ${PRODUCT} }`),
    ends: LIMITS,
  },
  {
    name: 'the groups of a product',
    request: () => sparql(`SELECT ?a ?d ?g (MAX(?c) AS ?m) (SAMPLE(?f) AS ?x) { ${PRODUCT} } GROUP BY ?a ?d ?g`),
    ends: LIMITS,
  },
  {
    name: 'the first million of a product',
    request: () => sparql(`SELECT * { ${PRODUCT} } ORDER BY DESC(?i) LIMIT 1000000`),
    ends: LIMITS,
  },
  {
    name: 'a product as triples',
    request: () => sparql(`CONSTRUCT { ?a <urn:q> ?d . ?d <urn:q> ?g } { ${PRODUCT} }`),
    ends: [...LIMITS, '400 ERR_RESULT_ROWS', '200 cut'],
  },
  { name: 'all rows of a product', request: () => sparql(`SELECT * { ${PRODUCT} }`), ends: [...LIMITS, '200 cut'] },
  {
    name: '1,000 patterns that share a variable',
    request: () => sparql(`SELECT * { ${Array.from({ length: 1_000 }, (_, i) => `?s ?p${i} ?o${i}`).join(' . ')} }`),
    ends: ['200', ...LIMITS],
  },
  {
    name: '1,000 patterns that share nothing',
    request: () =>
      sparql(`SELECT * { ${Array.from({ length: 1_000 }, (_, i) => `?s${i} ?p${i} ?o${i}`).join(' . ')} }`),
    ends: LIMITS,
  },
  {
    name: '1,000 patterns that share nothing, in an update',
    request: () =>
      sparqlUpdate(
        `INSERT { ?s0 ?p0 ?o999 } WHERE { VALUES ?s0 { ${'<urn:a> '.repeat(3_000)} } ${Array.from({ length: 1_000 }, (_, i) => `VALUES ?o${i} { ${'1 '.repeat(30)} }`).join(' ')} }`,
      ),
    ends: [...LIMITS, '400 ERR_RESULT_ROWS'],
  },
  {
    name: '1,000 patterns that share nothing and are all in the template of an update',
    request: () => {
      const patterns = Array.from({ length: 1_000 }, (_, i) => `?s${i} ?p${i} ?o${i}`).join(' . ');
      return sparqlUpdate(`INSERT { ${patterns} } WHERE { ${patterns} }`);
    },
    ends: ['200', ...LIMITS, '400 ERR_RESULT_ROWS'],
  },
  {
    name: '600 OPTIONALs in one another',
    request: () => sparql(`SELECT * { ?s ?p ?o ${'OPTIONAL { ?s ?p ?o '.repeat(600)} ${'}'.repeat(600)} }`),
    ends: ['200', '413 ERR_SPARQL_DEPTH', '413 ERR_SPARQL_LENGTH', ...LIMITS],
  },
  {
    name: 'a path with a million ways',
    request: () =>
      sparql(`SELECT (COUNT(*) AS ?n) { ?s ${'(<urn:p:1>|!<urn:q>)/^(<urn:p:1>|!<urn:q>)/'.repeat(30)}<urn:p:1> ?o }`),
    ends: ['200', ...LIMITS],
  },
  {
    name: 'a FILTER of 2,000 REGEX',
    request: () =>
      sparql(
        `SELECT * { ?s ?p ?o FILTER(${Array.from({ length: 2_000 }, (_, i) => `REGEX(STR(?s), "(x|y|z){1,50}${i}$")`).join(' || ')}) }`,
      ),
    ends: ['200', '400 ERR_QUERY_WORK', ...LIMITS],
  },
  {
    name: 'groups nested 5,000 deep',
    request: () => sparql(`SELECT * ${'{'.repeat(5_000)} ?s ?p ?o ${'}'.repeat(5_000)}`),
    ends: ['413 ERR_SPARQL_DEPTH'],
  },
  {
    name: 'operators nested 50,000 deep',
    request: () => sparql(`SELECT (${'('.repeat(50_000)}1${')'.repeat(50_000)} AS ?n) {}`),
    ends: ['413 ERR_SPARQL_DEPTH'],
  },
  {
    name: 'half a million VALUES',
    request: () => sparql(`SELECT (COUNT(*) AS ?n) { VALUES ?v { ${'1 '.repeat(500_000)} } }`),
    ends: ['200', '400 ERR_QUERY_MEMORY', '503 ERR_TIME_LIMIT'],
  },
  {
    name: 'a base of 900,000 letters',
    request: () => sparql(`BASE <http://e.example/${'y'.repeat(900_000)}/> ASK { <a> ?p ?o }`),
    ends: ['413 ERR_SPARQL_LENGTH'],
  },
  {
    name: 'a base of 900,000 letters, in an update',
    request: () => sparqlUpdate(`BASE <http://e.example/${'y'.repeat(900_000)}/> INSERT DATA { <a> <urn:p> 1 }`),
    ends: ['413 ERR_SPARQL_LENGTH'],
  },
  {
    name: 'a prefix of 60,000 letters that is named 20,000 times',
    request: () => sparql(`${LONG_PREFIX} ASK { VALUES ?x { ${LONG_NAMES.join(' ')} } }`),
    ends: ['413 ERR_SPARQL_LENGTH'],
  },
  {
    name: 'a prefix of 60,000 letters that is named 20,000 times, in an update',
    request: () =>
      sparqlUpdate(`${LONG_PREFIX} INSERT DATA { ${LONG_NAMES.map((name) => `${name} p:p 1`).join(' . ')} }`),
    ends: ['413 ERR_SPARQL_LENGTH'],
  },
];

const LONG_PREFIX = `PREFIX p: <http://e.example/${'y'.repeat(60_000)}>`;
const LONG_NAMES = Array.from({ length: 20_000 }, (_, i) => `p:${i}`);
