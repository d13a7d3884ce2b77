import { GRAPHS, NODES, PREDICATES } from './data.ts';
import { randomExpression } from './expression-generator.ts';
import type { Choices } from './random.ts';

const VARIABLES: readonly string[] = ['?a', '?b', '?c', '?d'];

/** Makes names, `?n0`, `?n1`, ..., for what BIND and sub-queries bring into scope: each only once. */
export class Names {
  readonly made: string[] = [];

  fresh(): string {
    const name = `?n${this.made.length}`;
    this.made.push(name);
    return name;
  }
}

function variable(choices: Choices): string {
  return choices.pick(VARIABLES);
}

function node(choices: Choices): string {
  return choices.chance(0.92) ? variable(choices) : `:${choices.pick(NODES)}`;
}

function object(choices: Choices): string {
  return choices.chance(0.95) ? node(choices) : choices.pick(['1', '2.5', '"x"', '"x"@en', 'true']);
}

function path(choices: Choices, depth: number): string {
  const step = `:${choices.pick(PREDICATES)}`;
  if (depth === 0) return step;
  const inner = (): string => path(choices, depth - 1);
  return choices.oneOf(
    () => step,
    () => `^${step}`,
    () => `(${inner()}/${inner()})`,
    // Sides that overlap are left out: Oxigraph counts what both give once, Comunica and the standard twice.
    () => alternative(step, `:${choices.pick(PREDICATES)}`),
    () => `(${inner()})${choices.pick(['*', '+', '?'])}`,
    // Inverses are left out: joined, they find nothing in Comunica, and each pair only once in Oxigraph.
    () => `!(${step}|:${choices.pick(PREDICATES)})`,
  );
}

function alternative(left: string, right: string): string {
  return left === right ? left : `(${left}|${right})`;
}

function triple(choices: Choices): string {
  const predicate = choices.chance(0.1) ? variable(choices) : choices.chance(0.2) ? path(choices, 2) : path(choices, 0);
  return `${node(choices)} ${predicate} ${object(choices)} .`;
}

function triples(choices: Choices): string {
  return Array.from({ length: choices.pick([1, 1, 1, 2, 2, 3]) }, () => triple(choices)).join(' ');
}

/** A group graph pattern without its braces. */
export function randomPattern(choices: Choices, names: Names, depth: number): string {
  const parts = [choices.chance(0.85) ? triples(choices) : ''];
  const extra = depth === 0 ? choices.pick([0, 0, 1]) : choices.pick([0, 1, 1, 2, 3]);
  for (let i = 0; i < extra; i++) parts.push(randomPart(choices, names, depth));
  return parts.join(' ');
}

function randomPart(choices: Choices, names: Names, depth: number): string {
  const inner = (): string => `{ ${randomPattern(choices, names, depth - 1)} }`;
  const flat = [
    (): string => triples(choices),
    (): string => `FILTER(${filter(choices, names)})`,
    (): string => `BIND(${randomExpression(choices, VARIABLES, 1)} AS ${names.fresh()})`,
    (): string => values(choices),
  ];
  if (depth === 0) return choices.oneOf(...flat);
  return choices.oneOf(
    ...flat,
    () => `OPTIONAL ${inner()}`,
    () => `OPTIONAL { ${triples(choices)} FILTER(${randomExpression(choices, VARIABLES, 1)}) }`,
    () => `${inner()} UNION ${inner()}`,
    () => `MINUS ${inner()}`,
    () => `FILTER ${choices.pick(['', 'NOT '])}EXISTS { ${triples(choices)} }`,
    () => `GRAPH ${choices.chance(0.5) ? variable(choices) : `:${choices.pick(GRAPHS)}`} { ${triples(choices)} }`,
    () => inner(),
    () => subSelect(choices, names, depth),
  );
}

/** Most filters should let something through. */
function filter(choices: Choices, names: Names): string {
  const [a, b] = [variable(choices), variable(choices)];
  return choices.oneOf(
    () => `${a} != ${b}`,
    () => `isIRI(${a}) || BOUND(${b})`,
    () => `!isLiteral(${a})`,
    () => `COALESCE(${a} < 3, true)`,
    () => randomExpression(choices, [...VARIABLES, ...names.made], 2),
  );
}

function values(choices: Choices): string {
  const row = (): string =>
    `(${choices.chance(0.2) ? 'UNDEF' : `:${choices.pick(NODES)}`} ${choices.chance(0.2) ? 'UNDEF' : object(choices).replace(/^\?.*/, '2')})`;
  const variables = choices.pick(['?a ?b', '?b ?c', '?c ?d']);
  return `VALUES (${variables}) { ${row()} ${row()} }`;
}

function subSelect(choices: Choices, names: Names, depth: number): string {
  const inner = randomPattern(choices, new Names(), depth - 1);
  const key = variable(choices);
  const other = choices.pick(VARIABLES.filter((name) => name !== key));
  if (choices.chance(0.5)) return `{ SELECT DISTINCT ${key} ${other} { ${inner} } }`;
  return `{ SELECT ${key} (COUNT(*) AS ${names.fresh()}) { ${inner} } GROUP BY ${key} }`;
}
