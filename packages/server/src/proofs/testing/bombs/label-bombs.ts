import { type Bomb, bomb, document, nested, rdf, times } from './bomb.ts';

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
const MAYBE_REFUSED: readonly string[] = ['200', ...RULE_REFUSED];
const ONE = '<urn:l:s> <urn:l:p> ANY';
const PREFIX = '@prefix a: <http://telicent.io/security#> .\n';

function inHeader(name: string, ends: readonly string[], label: string): Bomb {
  return bomb(name, ends, () => rdf('text/turtle', '<urn:a> <urn:p> 1 .', { 'Security-Label': label }));
}

function inGraph(name: string, ends: readonly string[], rules: string): Bomb {
  return withRules(name, ends, '<urn:l:s> <urn:l:p> 1 .', rules);
}

function withRules(name: string, ends: readonly string[], triples: string, rules: string): Bomb {
  return bomb(name, ends, () => rdf('application/trig', `${PREFIX}${triples} a:labels { ${rules} }`));
}

function rule(pattern: string, label: string): string {
  return `[ a:pattern ${JSON.stringify(pattern)} ; a:label ${JSON.stringify(label)} ] .`;
}

function hide(pattern: string): string {
  return rule(pattern, 'clearance=TS');
}

function forAll(number: number): string {
  const pattern = number % 2 === 0 ? 'ANY ANY ANY' : `ANY <urn:l:p${number}> ANY`;
  return rule(pattern, `clearance=TS & nationality=N${number}`);
}

/** Labels in the header of a request, and rules in the graph of labels. */
export const LABEL_BOMBS: readonly Bomb[] = [
  bomb('a label nested 10,000 deep', ['400 ERR_UPLOAD_LABEL'], () =>
    document('a.txt', 'a', nested(10_000, '(', ')', 'clearance=O')),
  ),
  inHeader('not signs, 20,000', REFUSED, `${'!'.repeat(20_000)}clearance=O`),
  inHeader('a disjunction of 2,000 values', REFUSED, times(2_000, 'nat=#', '|')),
  inHeader('a conjunction of pairs', ['200'], `clearance=O${times(1_000, ' & (a=#|clearance=O)')}`),
  inHeader('quotes that never close', REFUSED, '"'.repeat(25_001)),
  inHeader('a value of 30,000 letters', REFUSED, `clearance="${'x'.repeat(30_000)}"`),
  inGraph('a rule of 100,000 letters', RULE_REFUSED, rule(ONE, times(10_000, 'a=#', '|'))),
  inGraph('a rule nested 5,000 deep', RULE_REFUSED, rule(ONE, nested(5_000, '(', ')', '*'))),
  inGraph('a pattern of a megabyte', [...RULE_REFUSED, '200'], hide(`<urn:${'x'.repeat(900_000)}> ANY ANY`)),
  inGraph('rules, 20,000', MAYBE_REFUSED, times(20_000, hide('<urn:l:#> ANY ANY'), '\n')),
  inGraph('rules for everything, 2,000', MAYBE_REFUSED, times(2_000, forAll, '\n')),
  withRules(
    'rules for everything over 5,000 triples',
    MAYBE_REFUSED,
    times(5_000, '<urn:l:#> <urn:l:p> # .', ' '),
    times(1_000, hide('ANY ANY "#"'), '\n'),
  ),
  inGraph(
    'a rule with a literal that never ends',
    [...RULE_REFUSED, '400 ERR_RDF_SYNTAX'],
    rule(`<urn:l:s> <urn:l:p> "${'x '.repeat(50_000)}`, '*'),
  ),
];
