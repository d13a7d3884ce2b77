import fc from 'fast-check';
import type { Attributes, Hierarchies } from '../viewer/viewer.ts';

/** Meaning of a label, apart from how it is written. */
export type Meaning =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'test'; readonly attribute: string; readonly negated: boolean; readonly value: string }
  | { readonly kind: 'all'; readonly items: readonly Meaning[] }
  | { readonly kind: 'any'; readonly items: readonly Meaning[] };

export interface WrittenLabel {
  readonly meaning: Meaning;
  readonly text: string;
}

const NAMES = ['a', 'b', 'clearance', 'urn:g:1', '5', 'two words', '__proto__', 'été', 'constructor'];
const VALUES = ['true', 'O', 'OS', 'S', 'TS', 'x', '1.5', 'say "hi"', '__proto__', ''];

/** Users with few attributes of few values, so that labels pass and fail about as often. */
export const attributes: fc.Arbitrary<Attributes> = fc
  .array(fc.tuple(fc.constantFrom(...NAMES), fc.uniqueArray(fc.constantFrom(...VALUES), { maxLength: 3 })))
  .map((entries) => fromEntries(entries));

export const hierarchies: fc.Arbitrary<Hierarchies> = fc
  .array(fc.tuple(fc.constantFrom(...NAMES), fc.shuffledSubarray(VALUES, { minLength: 1 })))
  .map((entries) => fromEntries(entries));

function fromEntries(entries: readonly (readonly [string, readonly string[]])[]): Attributes {
  const record: Record<string, readonly string[]> = Object.create(null);
  for (const [name, values] of entries) record[name] = values;
  return record;
}

const test: fc.Arbitrary<Meaning> = fc.record({
  kind: fc.constant('test' as const),
  attribute: fc.constantFrom(...NAMES),
  negated: fc.boolean(),
  value: fc.constantFrom(...VALUES),
});

const expression: fc.Arbitrary<Meaning> = fc.letrec<{ node: Meaning; group: Meaning }>((tie) => ({
  node: fc.oneof({ depthSize: 'small', withCrossShrink: true }, test, tie('group')),
  group: fc.record({
    kind: fc.constantFrom('all' as const, 'any' as const),
    items: fc.array(tie('node'), { minLength: 1, maxLength: 4 }),
  }),
})).node;

/** Well-formed labels, written with random spaces, quotes, operators and redundant parentheses. */
export const writtenLabel: fc.Arbitrary<WrittenLabel> = fc.oneof(
  { weight: 1, arbitrary: fc.constant({ meaning: { kind: 'everyone' as const }, text: ' *' }) },
  { weight: 1, arbitrary: fc.constant({ meaning: { kind: 'nobody' as const }, text: '! ' }) },
  {
    weight: 8,
    arbitrary: fc
      .tuple(expression, fc.infiniteStream(fc.nat(5)))
      .map(([meaning, choices]) => ({ meaning, text: write(meaning, choices) })),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.array(expression, { minLength: 2, maxLength: 3 }), fc.infiniteStream(fc.nat(5)))
      .map(([items, choices]) => ({
        meaning: { kind: 'all' as const, items },
        text: items.map((item) => write(item, choices)).join(','),
      })),
  },
);

function write(meaning: Meaning, choices: Iterator<number>): string {
  const choose = (): number => choices.next().value as number;
  const space = (): string => ['', '', '', ' ', '\t', '\n '][choose()];
  const render = (node: Meaning, inAll: boolean): string => {
    if (node.kind === 'all' || node.kind === 'any') {
      const operator = node.kind === 'all' ? ['&', '&&'] : ['|', '||'];
      const text = node.items
        .map((item) => render(item, node.kind === 'all'))
        .join(`${space()}${operator[choose() % 2]}${space()}`);
      return (inAll && node.kind === 'any') || choose() === 0 ? `(${space()}${text}${space()})` : text;
    }
    if (node.kind !== 'test') throw new Error('* and ! stand only as the whole label');
    const name = writeText(node.attribute, choose());
    if (!node.negated && node.value === 'true' && choose() < 3) return name;
    return `${name}${space()}${node.negated ? '!=' : '='}${space()}${writeText(node.value, choose())}`;
  };
  return render(meaning, false);
}

function writeText(text: string, choice: number): string {
  if (choice < 3 && /^([\p{L}_][\p{L}\d_:]*|[0-9.]+)$/u.test(text)) return text;
  if (choice % 2 === 0) return JSON.stringify(text);
  return `'${[...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}'`;
}

/** Evaluates a label's meaning for a user: the reference that the evaluator is checked against. */
export function holds(meaning: Meaning, user: Attributes, tiers: Hierarchies): boolean {
  if (meaning.kind === 'everyone' || meaning.kind === 'nobody') return meaning.kind === 'everyone';
  if (meaning.kind === 'all') return !meaning.items.some((item) => !holds(item, user, tiers));
  if (meaning.kind === 'any') return meaning.items.some((item) => holds(item, user, tiers));
  const values = new Map(Object.entries(user)).get(meaning.attribute) ?? [];
  if (meaning.negated) return values.filter((value) => value !== meaning.value).length > 0;
  const order = new Map(Object.entries(tiers)).get(meaning.attribute) ?? [];
  const reached = values.flatMap((value) => [value, ...order.slice(0, order.indexOf(value) + 1)]);
  return reached.includes(meaning.value);
}
