import { type Bomb, document, rdf } from './bomb.ts';

const REFUSED: readonly string[] = [
  '400 ERR_UPLOAD_LABEL',
  '400 ERR_SECURITY_LABEL',
  '400 ERR_LABEL_TOO_LARGE',
  '413 ERR_LABEL_TOO_LARGE',
];
const RULE_REFUSED: readonly string[] = [
  ...REFUSED,
  '400 ERR_LABEL_RULE',
  '400 ERR_LABEL_SYNTAX',
  '413 ERR_RDF_TOO_LARGE',
];
const PREFIX = '@prefix a: <http://telicent.io/security#> .\n';

function inHeader(label: string): Bomb['request'] {
  return () => rdf('text/turtle', '<urn:a> <urn:p> 1 .', { 'Security-Label': label });
}

function inGraph(rules: string): Bomb['request'] {
  return () => rdf('application/trig', `${PREFIX}<urn:l:s> <urn:l:p> 1 . a:labels { ${rules} }`);
}

function rule(pattern: string, label: string): string {
  return `[ a:pattern ${JSON.stringify(pattern)} ; a:label ${JSON.stringify(label)} ] .`;
}

function times(count: number, piece: (index: number) => string, between = ' '): string {
  return Array.from({ length: count }, (_, index) => piece(index)).join(between);
}

/** Labels in the header of a request, and rules in the graph of labels. */
export const LABEL_BOMBS: readonly Bomb[] = [
  {
    name: 'a label nested 10,000 deep',
    request: () => document('a.txt', 'a', `${'('.repeat(10_000)}clearance=O${')'.repeat(10_000)}`),
    ends: ['400 ERR_UPLOAD_LABEL'],
  },
  { name: 'not signs, 20,000', request: inHeader(`${'!'.repeat(20_000)}clearance=O`), ends: REFUSED },
  { name: 'a disjunction of 2,000 values', request: inHeader(times(2_000, (i) => `nat=${i}`, '|')), ends: REFUSED },
  {
    name: 'a conjunction of pairs',
    request: inHeader(`clearance=O${times(1_000, (i) => ` & (a=${i}|clearance=O)`, '')}`),
    ends: ['200'],
  },
  { name: 'quotes that never close', request: inHeader('"'.repeat(25_001)), ends: REFUSED },
  { name: 'a value of 30,000 letters', request: inHeader(`clearance="${'x'.repeat(30_000)}"`), ends: REFUSED },
  {
    name: 'a rule of 100,000 letters',
    request: inGraph(
      rule(
        `<urn:l:s> <urn:l:p> ANY`,
        times(10_000, (i) => `a=${i}`, '|'),
      ),
    ),
    ends: RULE_REFUSED,
  },
  {
    name: 'a rule nested 5,000 deep',
    request: inGraph(rule('<urn:l:s> <urn:l:p> ANY', `${'('.repeat(5_000)}*${')'.repeat(5_000)}`)),
    ends: RULE_REFUSED,
  },
  {
    name: 'a pattern of a megabyte',
    request: inGraph(rule(`<urn:${'x'.repeat(900_000)}> ANY ANY`, 'clearance=TS')),
    ends: [...RULE_REFUSED, '200'],
  },
  {
    name: 'rules, 20,000',
    request: inGraph(times(20_000, (i) => rule(`<urn:l:${i}> ANY ANY`, 'clearance=TS'), '\n')),
    ends: ['200', ...RULE_REFUSED],
  },
  {
    name: 'rules for everything, 2,000',
    request: inGraph(
      times(
        2_000,
        (i) => rule(i % 2 === 0 ? 'ANY ANY ANY' : `ANY <urn:l:p${i}> ANY`, `clearance=TS & nationality=N${i}`),
        '\n',
      ),
    ),
    ends: ['200', ...RULE_REFUSED],
  },
  {
    name: 'rules for everything over 5,000 triples',
    request: () =>
      rdf(
        'application/trig',
        `${PREFIX}${times(5_000, (i) => `<urn:l:${i}> <urn:l:p> ${i} .`)} a:labels { ${times(1_000, (i) => rule(`ANY ANY "${i}"`, 'clearance=TS'), '\n')} }`,
      ),
    ends: ['200', ...RULE_REFUSED],
  },
  {
    name: 'a rule with a literal that never ends',
    request: inGraph(rule(`<urn:l:s> <urn:l:p> "${'x '.repeat(50_000)}`, '*')),
    ends: [...RULE_REFUSED, '400 ERR_RDF_SYNTAX'],
  },
];
