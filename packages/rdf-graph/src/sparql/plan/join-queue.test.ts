import { describe, expect, it } from 'vitest';
import type { Algebra, PatternTerm } from '../algebra/algebra.ts';
import { scopeOf } from '../algebra/variables.ts';
import { aloneInput } from './input.ts';
import { JoinQueue } from './join-queue.ts';
import { PlanningWork } from './planning-work.ts';

const COUNT = 1_000;

function variable(name: string): PatternTerm {
  return { type: 'variable', name };
}

function pattern(subject: string, at: number): Algebra {
  const [predicate, object] = [variable(`p${at}`), variable(`o${at}`)];
  return { type: 'bgp', patterns: [{ subject: variable(subject), predicate, object, graph: { type: 'default' } }] };
}

/** Takes everything in the advised order; how often an operand was estimated. */
function estimatesOf(operands: readonly Algebra[]): number {
  let estimates = 0;
  const rowsOf = (): number => ++estimates;
  const queue = new JoinQueue(operands, [], new Set());
  const work = new PlanningWork();
  const [possible, certain] = [new Set<string>(), new Set<string>()];
  while (queue.size > 0) {
    const node = queue.cheapest({ ...aloneInput(new Set()), possible, certain }, { statistics: { rowsOf }, work });
    queue.take([node]);
    for (const name of scopeOf(node).possible) {
      possible.add(name);
      certain.add(name);
    }
  }
  return estimates;
}

describe('the operands of a join that wait', () => {
  it('are estimated again only when one of their variables is bound for the first time', () => {
    const shared = Array.from({ length: COUNT }, (_, at) => pattern('s', at));
    const distinct = Array.from({ length: COUNT }, (_, at) => pattern(`s${at}`, at));
    expect(estimatesOf(shared)).toBeLessThan(3 * COUNT);
    expect(estimatesOf(distinct)).toBeLessThan(3 * COUNT);
  });

  it('settle conditions in their order, each as soon as nothing that waits can bind its variables', () => {
    const operands = Array.from({ length: 3 }, (_, at) => pattern('s', at));
    const conditions = ['o1', 's', 'o0', 'strange'].map((name) => ({ type: 'variable', name }) as const);
    const queue = new JoinQueue(operands, conditions, new Set());
    expect(queue.takeSettled()).toEqual([conditions[3]]);
    queue.take([operands[0], operands[1]]);
    expect(queue.takeSettled()).toEqual([conditions[0], conditions[2]]);
    expect([...queue.needed].sort()).toEqual(['o2', 'p2', 's']);
    queue.take([operands[2]]);
    expect(queue.takeSettled()).toEqual([conditions[1]]);
    expect([queue.size, queue.needed.size]).toEqual([0, 0]);
  });
});
