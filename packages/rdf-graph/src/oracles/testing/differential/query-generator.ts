import { NAMESPACE } from './data.ts';
import { Names, randomPattern } from './pattern-generator.ts';
import type { Choices } from './random.ts';

const AGGREGATES: readonly string[] = [
  'COUNT(*)',
  'COUNT(?b)',
  'COUNT(DISTINCT ?b)',
  'SUM(?b)',
  'AVG(?c)',
  'SUM(DISTINCT ?c)',
];

/**
 * A query whose answer the standard settles as a multiset: no SAMPLE or GROUP_CONCAT, no order between terms of different
 * kinds, LIMIT only after an order of all variables.
 */
export function randomQuery(choices: Choices): string {
  const names = new Names();
  const pattern = randomPattern(choices, names, 2);
  const body = choices.oneOf(
    () => `SELECT * { ${pattern} }`,
    () => `SELECT ?a ?b ?c ${names.made.join(' ')} { ${pattern} }`,
    () => `SELECT DISTINCT ?a ?c { ${pattern} }`,
    () => `SELECT ?a (${choices.pick(AGGREGATES)} AS ?agg) { ${pattern} } GROUP BY ?a`,
    () => `SELECT (${choices.pick(AGGREGATES)} AS ?agg) { ${pattern} }`,
    () => `SELECT ?a (COUNT(*) AS ?agg) { ${pattern} } GROUP BY ?a HAVING (COUNT(*) > ${choices.below(3)})`,
    () =>
      `SELECT DISTINCT ?a { ${pattern} FILTER(isIRI(?a)) } ORDER BY ${choices.pick(['?a', 'DESC(?a)'])} LIMIT 2 OFFSET 1`,
    () => `ASK { ${pattern} }`,
    () => `CONSTRUCT { ?a :made ?b . ?b :made ?c } WHERE { ${pattern} }`,
  );
  return `PREFIX : <${NAMESPACE}>\n${body}`;
}
