import type { Algebra, Expression } from '../algebra/algebra.ts';
import { mentionedIn, scopeOf, variablesOf } from '../algebra/variables.ts';
import { type PlanInput, together } from './input.ts';
import { costOf, type Statistics } from './join-order.ts';
import type { PlanningWork } from './planning-work.ts';

interface Entry {
  readonly node: Algebra;
  readonly mentioned: ReadonlySet<string>;
  /** Cost of joining it next, `undefined` while that has to be estimated anew. */
  cost: number | undefined;
  isTaken: boolean;
}

/** A condition, and how many of its variables an operand that waits may still bind. */
interface Condition {
  readonly expression: Expression;
  readonly index: number;
  readonly names: ReadonlySet<string>;
  open: number;
}

/**
 * The operands of a join and the conditions over it that still wait. An operand's cost is estimated again only when a
 * variable it mentions was bound since: joins of a thousand patterns stay cheap to plan.
 */
export class JoinQueue {
  /** Those that wait, in their order. */
  #entries: Entry[];
  readonly #byNode = new Map<Algebra, Entry>();
  readonly #byName = new Map<string, Entry[]>();
  readonly #mentions = new Map<string, number>();
  /** Variables needed of the rows, by the caller and by operands that still wait. Changes as operands are taken. */
  readonly needed: Set<string>;
  readonly #outside: ReadonlySet<string>;
  readonly #open = new Map<string, number>();
  readonly #conditions = new Map<string, Condition[]>();
  #settled: Condition[] = [];
  /** Variables bound by the operands taken, perhaps or in every row. */
  readonly #possible = new Set<string>();
  readonly #certain = new Set<string>();
  #size: number;
  #isFirst = true;

  constructor(operands: readonly Algebra[], conditions: readonly Expression[], needed: ReadonlySet<string>) {
    this.#entries = operands.map((node) => ({ node, mentioned: mentionedIn(node), cost: undefined, isTaken: false }));
    this.#size = operands.length;
    for (const entry of this.#entries) {
      this.#byNode.set(entry.node, entry);
      for (const name of entry.mentioned) {
        count(this.#mentions, name, 1);
        const entries = this.#byName.get(name);
        if (entries === undefined) this.#byName.set(name, [entry]);
        else entries.push(entry);
      }
      for (const name of scopeOf(entry.node).possible) count(this.#open, name, 1);
    }
    for (const [index, condition] of conditions.entries()) this.#addCondition(condition, index);
    this.#outside = needed;
    this.needed = together(needed, this.#mentions.keys());
  }

  #addCondition(expression: Expression, index: number): void {
    const condition: Condition = { expression, index, names: variablesOf(expression), open: 0 };
    for (const name of condition.names) {
      count(this.#mentions, name, 1);
      if (!this.#open.has(name)) continue;
      condition.open++;
      const waiting = this.#conditions.get(name);
      if (waiting === undefined) this.#conditions.set(name, [condition]);
      else waiting.push(condition);
    }
    if (condition.open === 0) this.#settled.push(condition);
  }

  get size(): number {
    return this.#size;
  }

  cheapest(input: PlanInput, { statistics, work }: { statistics: Statistics; work: PlanningWork }): Algebra {
    let best = this.#entries[0];
    let least = Number.POSITIVE_INFINITY;
    work.spend(this.#entries.length);
    for (const entry of this.#entries) {
      if (entry.isTaken) continue;
      if (entry.cost === undefined) {
        work.estimate();
        entry.cost = costOf(entry.node, input, statistics);
      }
      if (entry.cost >= least) continue;
      least = entry.cost;
      best = entry;
    }
    return best.node;
  }

  /** The operands that wait and mention a variable. */
  mentioning(name: string): Algebra[] {
    return (this.#byName.get(name) ?? []).filter(({ isTaken }) => !isTaken).map(({ node }) => node);
  }

  /** Takes operands out: their variables are bound from now on. */
  take(nodes: readonly Algebra[]): void {
    for (const node of nodes) {
      const entry = this.#byNode.get(node);
      if (entry !== undefined) this.#take(entry);
    }
    this.#entries = this.#entries.filter(({ isTaken }) => !isTaken);
    // With nothing bound nothing is disconnected: after the first operand every cost changes.
    if (this.#isFirst) for (const entry of this.#entries) entry.cost = undefined;
    this.#isFirst = false;
  }

  #take(entry: Entry): void {
    entry.isTaken = true;
    this.#size--;
    for (const name of entry.mentioned) this.#forget(name);
    const { possible, certain } = scopeOf(entry.node);
    for (const name of possible) {
      count(this.#open, name, -1);
      if (!this.#open.has(name)) this.#close(name);
      const isNews = !this.#possible.has(name) || (certain.has(name) && !this.#certain.has(name));
      this.#possible.add(name);
      if (certain.has(name)) this.#certain.add(name);
      if (isNews) for (const other of this.#byName.get(name) ?? []) other.cost = undefined;
    }
  }

  /** No operand that waits binds it any more. */
  #close(name: string): void {
    for (const condition of this.#conditions.get(name) ?? []) {
      if (--condition.open === 0) this.#settled.push(condition);
    }
    this.#conditions.delete(name);
  }

  #forget(name: string): void {
    count(this.#mentions, name, -1);
    if (!this.#mentions.has(name) && !this.#outside.has(name)) this.needed.delete(name);
  }

  /** Takes out the conditions whose variables no operand that waits can bind. */
  takeSettled(): Expression[] {
    const settled = this.#settled.sort((a, b) => a.index - b.index);
    this.#settled = [];
    for (const { names } of settled) for (const name of names) this.#forget(name);
    return settled.map(({ expression }) => expression);
  }
}

function count(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const next = (counts.get(name) ?? 0) + change;
  if (next === 0) counts.delete(name);
  else counts.set(name, next);
}
