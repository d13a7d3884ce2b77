import { symbolOf } from './grammar.ts';

/** Changes the values of a production's symbols, the last one on top, before its semantic action takes them. */
type Repair = (values: unknown[]) => void;

/** Where sparqljs's semantic actions lose something of what the text says, by the symbol of the production. */
const REPAIRS: Readonly<Record<string, Repair>> = {
  BlankNode: (values) => changeTop(values, withOwnPrefix),
  NumericLiteralPositive: (values) => changeTop(values, (token) => `+${token}`),
  TriplesSameSubject: (values) => changeTop(values, (triples) => triples ?? []),
};

const BY_SYMBOL: readonly (Repair | undefined)[] = Object.entries(REPAIRS).reduce<(Repair | undefined)[]>(
  (repairs, [name, repair]) => {
    repairs[symbolOf(name)] = repair;
    return repairs;
  },
  [],
);

/** The repair before what makes a symbol; `undefined` where the action keeps all. */
export function repairOf(symbol: number): Repair | undefined {
  return BY_SYMBOL[symbol];
}

function changeTop(values: unknown[], change: (value: unknown) => unknown): void {
  values[values.length - 1] = change(values[values.length - 1]);
}

/** sparqljs begins each label by `e_` unless it begins so itself: `_:a` and `_:e_a` would be one node. */
function withOwnPrefix(token: unknown): unknown {
  return typeof token === 'string' && token.startsWith('_:') ? `_:e_${token.slice(2)}` : token;
}
