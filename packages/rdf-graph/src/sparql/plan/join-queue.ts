import type { Algebra, Expression } from '../algebra/algebra.ts';
import { mentionedIn, scopeOf, variablesOf } from '../algebra/variables.ts';
import { type PlanInput, together } from './input.ts';
import { costOf, type Statistics } from './join-order.ts';

interface Entry {
  readonly node: Algebra;
  readonly mentioned: ReadonlySet<string>;
  /** What joining it next costs, `undefined` while that has to be estimated anew. */
  cost: number | undefined;
  isTaken: boolean;
}

/**
 * The operands of a join and the conditions over it that still wait. An operand's cost is estimated again only when a
 * variable it mentions was bound since: joins of a thousand patterns stay cheap to plan.
 */
export class JoinQueue {
  readonly #entries: Entry[];
  readonly #byName = new Map<string, Entry[]>();
  /** How many operands and conditions that wait mention a variable. */
  readonly #mentions = new Map<string, number>();
  /** What is wanted of the rows: by whoever asked, and by what still waits. Changes as operands are taken. */
  readonly needed: Set<string>;
  readonly #outside: ReadonlySet<string>;
  /** How many operands that wait may bind a variable. */
  readonly #open = new Map<string, number>();
  #conditions: readonly Expression[];
  #size: number;
  #isFirst = true;

  constructor(operands: readonly Algebra[], conditions: readonly Expression[], needed: ReadonlySet<string>) {
    this.#entries = operands.map((node) => ({ node, mentioned: mentionedIn(node), cost: undefined, isTaken: false }));
    this.#conditions = conditions;
    this.#size = operands.length;
    for (const entry of this.#entries) {
      for (const name of entry.mentioned) {
        count(this.#mentions, name, 1);
        const entries = this.#byName.get(name);
        if (entries === undefined) this.#byName.set(name, [entry]);
        else entries.push(entry);
      }
      for (const name of scopeOf(entry.node).possible) count(this.#open, name, 1);
    }
    for (const condition of conditions) for (const name of variablesOf(condition)) count(this.#mentions, name, 1);
    this.#outside = needed;
    this.needed = together(needed, this.#mentions.keys());
  }

  get size(): number {
    return this.#size;
  }

  /** The operand that is cheapest to join next. */
  cheapest(input: PlanInput, statistics: Statistics): Algebra {
    let best: Entry | undefined;
    for (const entry of this.#entries) {
      if (entry.isTaken) continue;
      entry.cost ??= costOf(entry.node, input, statistics);
      if (best === undefined || entry.cost < best.cost!) best = entry;
    }
    return best!.node;
  }

  /** The operands that wait and mention a variable. */
  mentioning(name: string): Algebra[] {
    return (this.#byName.get(name) ?? []).filter(({ isTaken }) => !isTaken).map(({ node }) => node);
  }

  /** Takes operands out: their variables are bound from now on. */
  take(nodes: readonly Algebra[]): void {
    const taken = new Set(nodes);
    for (const entry of this.#entries) if (!entry.isTaken && taken.has(entry.node)) this.#take(entry);
    // With nothing bound nothing is disconnected: after the first operand every cost changes.
    if (this.#isFirst) for (const entry of this.#entries) entry.cost = undefined;
    this.#isFirst = false;
  }

  #take(entry: Entry): void {
    entry.isTaken = true;
    this.#size--;
    for (const name of entry.mentioned) this.#forget(name);
    for (const name of scopeOf(entry.node).possible) {
      count(this.#open, name, -1);
      for (const other of this.#byName.get(name)!) other.cost = undefined;
    }
  }

  #forget(name: string): void {
    count(this.#mentions, name, -1);
    if (!this.#mentions.has(name) && !this.#outside.has(name)) this.needed.delete(name);
  }

  /** Takes out the conditions whose variables no operand that waits can bind. */
  takeSettled(): Expression[] {
    const settled: Expression[] = [];
    const waiting: Expression[] = [];
    for (const condition of this.#conditions) {
      const names = variablesOf(condition);
      const isOpen = [...names].some((name) => this.#open.has(name));
      (isOpen ? waiting : settled).push(condition);
      if (!isOpen) for (const name of names) this.#forget(name);
    }
    this.#conditions = waiting;
    return settled;
  }
}

function count(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const next = (counts.get(name) ?? 0) + change;
  if (next === 0) counts.delete(name);
  else counts.set(name, next);
}
