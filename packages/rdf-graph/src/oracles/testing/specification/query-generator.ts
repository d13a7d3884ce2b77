import { GRAPHS, NAMESPACE } from '../differential/data.ts';
import { randomExpression } from '../differential/expression-generator.ts';
import type { Choices } from '../differential/random.ts';
import { NODES, PREDICATES } from './data.ts';

const VARIABLES: readonly string[] = ['?a', '?b', '?c', '?g'];

/** Makes a query and counts the names that BIND, AS and GROUP BY bring in. */
class Generator {
  readonly #choices: Choices;
  #names = 0;

  constructor(choices: Choices) {
    this.#choices = choices;
  }

  query(): string {
    const { oneOf, chance, pick, below } = this.#choices;
    const pattern = chance(0.5) ? this.few() : this.group(pick([1, 2]));
    const key = pick(VARIABLES);
    if (chance(0.6)) return `SELECT * { ${pattern} }`;
    return oneOf(
      () => `SELECT ?a ?b ?c ?g ?n0 ?n1 ?n2 { ${pattern} }`,
      () => `SELECT DISTINCT ?a ?g { ${pattern} }`,
      () => `SELECT ${key} (${this.aggregate()} AS ?agg) { ${pattern} } GROUP BY ${key}`,
      () => `SELECT (${this.aggregate()} AS ?agg) (${this.aggregate()} AS ?agg2) { ${pattern} }`,
      () => `SELECT ?key (COUNT(*) AS ?agg) { ${pattern} } GROUP BY (${this.expression()} AS ?key)`,
      () => `SELECT ${key} { ${pattern} } GROUP BY ${key} HAVING (${this.aggregate()} > ${below(3)})`,
      () => `SELECT ?a ?b (${this.exists(2)} AS ?agg) (${this.exists(1)} && ?agg AS ?agg2) { ${pattern} }`,
      () => `SELECT ${key} (${this.expression([key])} AS ?agg) { ${pattern} } GROUP BY ${key}`,
      () => `ASK { ${pattern} }`,
    );
  }

  /** One part of the language, alone or beside one triple: what is wrong with it is not hidden by others. */
  few(): string {
    const { chance } = this.#choices;
    return `${chance(0.6) ? this.triple() : ''} ${this.part(1)} ${chance(0.2) ? this.part(1) : ''}`;
  }

  /** A group graph pattern without its braces. */
  group(depth: number): string {
    const { chance, pick } = this.#choices;
    const parts = [chance(0.85) ? this.triples() : ''];
    const more = depth === 0 ? pick([0, 1, 1]) : pick([1, 1, 1, 2, 2]);
    for (let i = 0; i < more; i++) parts.push(this.part(depth));
    return parts.join(' ');
  }

  part(depth: number): string {
    const { oneOf, pick, chance } = this.#choices;
    const inner = (): string => `{ ${this.group(depth - 1)} }`;
    const flat = [
      (): string => this.triples(),
      (): string => `FILTER(${this.expression()})`,
      (): string => `FILTER(${this.expression()})`,
      (): string => `BIND(${this.expression()} AS ${chance(0.6) ? this.fresh() : pick(VARIABLES)})`,
      (): string => `BIND(${pick([...VARIABLES, this.constant()])} AS ${chance(0.4) ? this.fresh() : pick(VARIABLES)})`,
      (): string => this.values(),
    ];
    if (depth === 0) return oneOf(...flat);
    return oneOf(
      () => oneOf(...flat),
      () => `OPTIONAL ${inner()}`,
      () => `OPTIONAL { ${this.triples()} FILTER(${this.expression()}) }`,
      () => `${inner()} UNION ${inner()}`,
      () => `MINUS ${inner()}`,
      () => `FILTER ${this.exists(depth)}`,
      () => `FILTER(${this.exists(depth)} || ${this.expression()})`,
      () => `BIND(${this.exists(depth)} AS ${this.fresh()})`,
      () => `GRAPH ${chance(0.7) ? pick(['?g', '?g', ...VARIABLES]) : `:${pick(GRAPHS)}`} ${inner()}`,
      () => `GRAPH ?g ${inner()}`,
      () => inner(),
      () => `{ ${this.subSelect(depth)} }`,
      () => `{ ${this.subSelect(depth)} }`,
    );
  }

  exists(depth: number): string {
    return `${this.#choices.pick(['', 'NOT '])}EXISTS { ${this.group(depth - 1)} }`;
  }

  subSelect(depth: number): string {
    const { oneOf, pick, below } = this.#choices;
    const pattern = this.group(depth - 1);
    const key = pick(VARIABLES);
    const other = pick(VARIABLES.filter((name) => name !== key));
    return oneOf(
      () => `SELECT * { ${pattern} }`,
      () => `SELECT ${key} { ${pattern} }`,
      () => `SELECT DISTINCT ${key} ${other} { ${pattern} }`,
      () => `SELECT ${key} (${this.expression()} AS ${this.fresh()}) { ${pattern} }`,
      () => `SELECT ${key} (COUNT(*) AS ${this.fresh()}) { ${pattern} } GROUP BY ${key}`,
      () => `SELECT (${this.aggregate()} AS ${this.fresh()}) { ${pattern} }`,
      () => `SELECT (COUNT(*) AS ${other}) { ${key} :p ${this.node()} }`,
      () => `SELECT ${key} { ${pattern} } GROUP BY ${key} HAVING (COUNT(*) > ${below(3)})`,
      () => `SELECT DISTINCT ${key} { ${pattern} } ORDER BY ${key} LIMIT ${1 + below(2)}`,
      () => `SELECT DISTINCT ${key} { ${pattern} } ORDER BY DESC(${key}) OFFSET ${below(2)}`,
    );
  }

  aggregate(): string {
    const { pick, chance } = this.#choices;
    const name = pick(['COUNT', 'COUNT', 'SUM', 'AVG', 'MIN', 'MAX']);
    const inner = chance(0.8) ? pick(VARIABLES) : this.expression();
    return chance(0.3) ? 'COUNT(*)' : `${name}(${pick(['', 'DISTINCT '])}${inner})`;
  }

  /** Mostly one that is true of some solutions and false of others. */
  expression(variables: readonly string[] = [...VARIABLES, '?n0', '?n1']): string {
    const { oneOf, pick, chance } = this.#choices;
    const [a, b] = [pick(variables), pick(variables)];
    if (chance(0.2)) return randomExpression(this.#choices, variables, 1);
    return oneOf(
      () => `${a} = ${b}`,
      () => `${a} != ${b}`,
      () => `${a} != ${this.constant()}`,
      () => `BOUND(${a})`,
      () => `!BOUND(${a})`,
      () => `COALESCE(${a} = ${b}, true)`,
      () => `COALESCE(${a} != ${b}, true)`,
      () => `!BOUND(${a}) || ${a} != ${b}`,
    );
  }

  values(): string {
    const { pick, chance } = this.#choices;
    const cell = (): string => (chance(0.3) ? 'UNDEF' : chance(0.85) ? this.constant() : pick(['1', '2']));
    const [first, second] = pick([
      ['?a', '?b'],
      ['?b', '?c'],
      ['?g', '?a'],
    ]);
    const rows = Array.from({ length: 3 }, () => `(${cell()} ${cell()})`);
    return `VALUES (${first} ${second}) { ${rows.join(' ')} }`;
  }

  triples(): string {
    return Array.from({ length: this.#choices.pick([1, 1, 1, 1, 2]) }, () => this.triple()).join(' ');
  }

  triple(): string {
    const { chance, pick } = this.#choices;
    const subject = this.node();
    const other = pick(VARIABLES.filter((name) => name !== subject));
    const object = chance(0.85) ? other : this.node();
    const simple = (): string => (chance(0.1) ? pick(VARIABLES) : `:${pick(PREDICATES)}`);
    return `${subject} ${chance(0.15) ? this.path(2) : simple()} ${object} .`;
  }

  node(): string {
    const { chance, pick } = this.#choices;
    if (chance(0.03)) return '[]';
    return chance(0.96) ? pick(VARIABLES) : this.constant();
  }

  constant(): string {
    return `:${this.#choices.pick(NODES)}`;
  }

  path(depth: number): string {
    const { oneOf, pick } = this.#choices;
    const step = `:${pick(PREDICATES)}`;
    if (depth === 0) return step;
    const inner = (): string => this.path(depth - 1);
    return oneOf(
      () => `^${step}`,
      () => `(${inner()}/${inner()})`,
      () => `(${inner()}|${inner()})`,
      () => `(${inner()})${pick(['*', '+', '?'])}`,
      () => `^(${inner()})`,
      () => `!(${step}|^:${pick(PREDICATES)})`,
      () => `!${step}`,
    );
  }

  fresh(): string {
    return `?n${this.#names++}`;
  }
}

/** A query whose answer the standard, and our rule for EXISTS, settle as a multiset. It may be refused as not SPARQL. */
export function randomQuery(choices: Choices): string {
  return `PREFIX : <${NAMESPACE}>\n${new Generator(choices).query()}`;
}
