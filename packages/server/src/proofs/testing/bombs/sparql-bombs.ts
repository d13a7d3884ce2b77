import { type Bomb, bomb, nested, sparql, sparqlUpdate, times } from './bomb.ts';

const DEEP = ['413 ERR_SPARQL_DEPTH'];
const LONG = ['413 ERR_SPARQL_LENGTH'];
const LIMITS = ['503 ERR_TIME_LIMIT', '400 ERR_QUERY_MEMORY'];
/** Ends of a limit inside one expression: an expression error leaves a variable unbound. */
const UNBOUND = ['200', '400 ERR_QUERY_WORK', '400 ERR_QUERY_MEMORY', '503 ERR_TIME_LIMIT'];

/** BINDs that make `?tN` from `?t0`, each from the one before by `step`. */
function repeated(first: string, steps: number, step: (before: string) => string): string {
  return `BIND(${first} AS ?t0) ${times(steps, (i) => `BIND(${step(`?t${i}`)} AS ?t${i + 1})`, ' ')}`;
}

const DOUBLED = (before: string): string => `CONCAT(${before}, ${before})`;
const SQUARED = (before: string): string => `${before} * ${before}`;
const GROWN = (before: string): string => `REPLACE(${before}, ".", "${'$0'.repeat(50)}")`;
const QUOTED = (before: string): string => `TRIPLE(${before}, <urn:p>, ${before})`;
const MEBIBYTE = repeated('"a"', 20, DOUBLED);
const COUNTED = times(300, (i) => `(a{1,${20 + (i % 10)}}b${i})`, '|');
const THOUSAND_DIGITS = '7'.repeat(1_000);
const VALUES = `VALUES ?v { ${times(1_000, '#', ' ')} }`;
const LONG_PREFIX = `PREFIX p: <http://e.example/${'y'.repeat(60_000)}>`;
const PRODUCT = '?a ?b ?c . ?d ?e ?f . ?g ?h ?i';

type Growing = string | readonly [pattern: string, variable: string];

/** Expressions that grow, with the variable that they end in where it is not `?r`. */
const GROWING: Readonly<Record<string, Growing>> = {
  'a product of 1,000 digits squared 16 times': [repeated(THOUSAND_DIGITS, 16, SQUARED), '?t16'],
  'REPLACE by fifty times itself, five times': [repeated(`"${'a'.repeat(100)}"`, 5, GROWN), '?t5'],
  'REPLACE by fifty times itself, in one expression': [
    `BIND(${GROWN(GROWN(GROWN(GROWN(GROWN('"aaaa"')))))} AS ?t)`,
    '?t',
  ],
  'CONCAT of a text with itself, 24 times': [repeated('"abcdefgh"', 24, DOUBLED), '?t24'],
  'CONCAT of a text with itself, 60 times': [repeated('"abcdefgh"', 60, DOUBLED), '?t60'],
  'a quotient by 200,000 digits': [`BIND(1.0 / ${'7'.repeat(200_000)} AS ?t)`, '?t'],
  'a decimal with 200,000 digits times itself': [`BIND(1.${nested(200_000, '7', '7', ' * 1.')} AS ?t)`, '?t'],
  'REGEX of 100,000 letters and 300 counts': `${repeated('"a"', 17, DOUBLED)} BIND(REGEX(?t17, "${COUNTED}") AS ?r)`,
  'REGEX of a pattern that takes long to compile': `BIND(REGEX("a", "${'a{1,1000}'.repeat(500)}") AS ?r)`,
  'REPLACE whose every match looks at the whole text': `${repeated('"a"', 17, DOUBLED)} BIND(REPLACE(?t17, "a.*b|a", "x") AS ?r)`,
  'CONTAINS of half a million letters in a million': `${MEBIBYTE} BIND(CONTAINS(CONCAT(?t20, ?t20), CONCAT(?t18, "b", ?t18)) AS ?r)`,
  'a triple that holds itself twice, 40 times': [repeated('<urn:a>', 40, QUOTED), '?t40'],
  'SHA512 of 1 MiB, 2,000 times': `${VALUES} VALUES ?w { 1 2 } ${MEBIBYTE} BIND(SHA512(CONCAT(?t20, STR(?v), STR(?w))) AS ?r)`,
  'MD5 of 1 MiB, 500 times in one expression': `${MEBIBYTE} BIND(CONCAT(${times(500, 'MD5(CONCAT(?t20, "#"))', ',')}) AS ?r)`,
  'UCASE of 1 MiB for each of 1,000 rows': `${VALUES} ${MEBIBYTE} BIND(STRLEN(UCASE(CONCAT(?t20, STR(?v)))) AS ?r)`,
  'GROUP_CONCAT of 1 MiB, 1,000 times': `{ SELECT (GROUP_CONCAT(?t20) AS ?r) { ${VALUES} ${MEBIBYTE} } }`,
  'a sum of 1,000 long numbers, grouped by an expression': `{ SELECT (SUM(${THOUSAND_DIGITS} * ?v) AS ?r) { ${VALUES} } GROUP BY (SHA512(STR(?v))) }`,
};

function asQuery([name, growing]: readonly [name: string, growing: Growing]): Bomb {
  const [pattern, variable] = typeof growing === 'string' ? [growing, '?r'] : growing;
  return bomb(name, UNBOUND, () => sparql(`SELECT (STRLEN(STR(${variable})) AS ?n) { ${pattern} }`));
}

function asUpdate([name, growing]: readonly [name: string, growing: Growing]): Bomb {
  const [pattern, variable] = typeof growing === 'string' ? [growing, '?r'] : growing;
  const text = `INSERT { <urn:s> <urn:p> ?n } WHERE { ${pattern} BIND(STRLEN(STR(${variable})) AS ?n) }`;
  return bomb(`${name}, in an update`, UNBOUND, () => sparqlUpdate(text));
}

export const SPARQL_BOMBS: readonly Bomb[] = [
  ...Object.entries(GROWING).map(asQuery),
  ...Object.entries(GROWING).map(asUpdate),
  bomb('three products counted', LIMITS, () =>
    sparql(`SELECT (COUNT(*) AS ?n) { ${PRODUCT} FILTER(?a != ?d && ?c != ?i) }`),
  ),
  bomb('a sort of a product', LIMITS, () => sparql(`SELECT * { ${PRODUCT} } ORDER BY ?c ?f ?i`)),
  bomb('the distinct rows of a product', LIMITS, () => sparql(`SELECT (COUNT(DISTINCT *) AS ?n) { ${PRODUCT} }`)),
  bomb('the groups of a product', LIMITS, () =>
    sparql(`SELECT ?a ?d ?g (MAX(?c) AS ?m) (SAMPLE(?f) AS ?x) { ${PRODUCT} } GROUP BY ?a ?d ?g`),
  ),
  bomb('the first million of a product', LIMITS, () =>
    sparql(`SELECT * { ${PRODUCT} } ORDER BY DESC(?i) LIMIT 1000000`),
  ),
  bomb('a product as triples', [...LIMITS, '400 ERR_RESULT_ROWS', '200 cut'], () =>
    sparql(`CONSTRUCT { ?a <urn:q> ?d . ?d <urn:q> ?g } { ${PRODUCT} }`),
  ),
  bomb('all rows of a product', [...LIMITS, '200 cut'], () => sparql(`SELECT * { ${PRODUCT} }`)),
  bomb('1,000 patterns that share a variable', ['200', ...LIMITS], () =>
    sparql(`SELECT * { ${times(1_000, '?s ?p# ?o#', ' . ')} }`),
  ),
  bomb('1,000 patterns that share nothing', LIMITS, () => sparql(`SELECT * { ${times(1_000, '?s# ?p# ?o#', ' . ')} }`)),
  bomb('1,000 patterns that share nothing, in an update', [...LIMITS, '400 ERR_RESULT_ROWS'], () =>
    sparqlUpdate(
      `INSERT { ?s0 ?p0 ?o999 } WHERE { VALUES ?s0 { ${'<urn:a> '.repeat(3_000)} } ${times(1_000, `VALUES ?o# { ${'1 '.repeat(30)} }`, ' ')} }`,
    ),
  ),
  bomb(
    '1,000 patterns that share nothing and are all in the template of an update',
    ['200', ...LIMITS, '400 ERR_RESULT_ROWS'],
    () => {
      const patterns = times(1_000, '?s# ?p# ?o#', ' . ');
      return sparqlUpdate(`INSERT { ${patterns} } WHERE { ${patterns} }`);
    },
  ),
  bomb('600 OPTIONALs in one another', ['200', '413 ERR_SPARQL_DEPTH', '413 ERR_SPARQL_LENGTH', ...LIMITS], () =>
    sparql(`SELECT * { ?s ?p ?o ${nested(600, 'OPTIONAL { ?s ?p ?o ', '}', ' ')} }`),
  ),
  bomb('a path with a million ways', ['200', ...LIMITS], () =>
    sparql(`SELECT (COUNT(*) AS ?n) { ?s ${'(<urn:p:1>|!<urn:q>)/^(<urn:p:1>|!<urn:q>)/'.repeat(30)}<urn:p:1> ?o }`),
  ),
  bomb('a FILTER of 2,000 REGEX', ['200', '400 ERR_QUERY_WORK', ...LIMITS], () =>
    sparql(`SELECT * { ?s ?p ?o FILTER(${times(2_000, 'REGEX(STR(?s), "(x|y|z){1,50}#$")', ' || ')}) }`),
  ),
  bomb('groups nested 5,000 deep', DEEP, () => sparql(`SELECT * ${nested(5_000, '{', '}', ' ?s ?p ?o ')}`)),
  bomb('operators nested 50,000 deep', DEEP, () => sparql(`SELECT (${nested(50_000, '(', ')', '1')} AS ?n) {}`)),
  bomb('half a million VALUES', ['200', '400 ERR_QUERY_MEMORY', '503 ERR_TIME_LIMIT'], () =>
    sparql(`SELECT (COUNT(*) AS ?n) { VALUES ?v { ${'1 '.repeat(500_000)} } }`),
  ),
  bomb('a base of 900,000 letters', LONG, () =>
    sparql(`BASE <http://e.example/${'y'.repeat(900_000)}/> ASK { <a> ?p ?o }`),
  ),
  bomb('a base of 900,000 letters, in an update', LONG, () =>
    sparqlUpdate(`BASE <http://e.example/${'y'.repeat(900_000)}/> INSERT DATA { <a> <urn:p> 1 }`),
  ),
  bomb('a prefix of 60,000 letters that is named 20,000 times', LONG, () =>
    sparql(`${LONG_PREFIX} ASK { VALUES ?x { ${times(20_000, 'p:#', ' ')} } }`),
  ),
  bomb('a prefix of 60,000 letters that is named 20,000 times, in an update', LONG, () =>
    sparqlUpdate(`${LONG_PREFIX} INSERT DATA { ${times(20_000, 'p:# p:p 1', ' . ')} }`),
  ),
  bomb('an update that writes 500,000 letters for each of 10,000 rows', ['400 ERR_QUERY_MEMORY'], () => {
    const rows = ['?a', '?b'].map((name) => `VALUES ${name} { ${times(100, '#', ' ')} }`).join(' ');
    const text = `INSERT { ?s <urn:q> "${'y'.repeat(500_000)}" } WHERE`;
    return sparqlUpdate(`${text} { ${rows} BIND(IRI(CONCAT("urn:row:", STR(?a), ":", STR(?b))) AS ?s) }`);
  }),
];
