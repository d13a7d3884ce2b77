import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { integerLiteral } from '../functions/numeric.ts';
import {
  aloneRows,
  anyCuts,
  anyRows,
  BORDER_SIZES,
  numberedRows,
  type Row,
  rowsOf,
  stepsOf,
  tableOfRows,
} from '../testing/rows.ts';
import { executionOver, idsOf, namesOf, toTerm } from '../testing/small-store.ts';
import { BATCH_ROWS, batchInput, type Plan } from './batch.ts';
import { ConstantEvaluator, VariableEvaluator } from './evaluator.ts';
import { NotEvaluator, unknownFunction } from './logic.ts';
import { patternJoin } from './pattern-join.ts';
import { distinct, extend, graphLoop, pass, pipeline, project, slice, union, values } from './pipes.ts';

const execution = await executionOver([]);
const TERM = { evaluator: new ConstantEvaluator(integerLiteral(7)), exists: [] };
const SEVEN = execution.idOf(integerLiteral(7));

describe('pipeline', () => {
  it('runs one plan after the other', () => {
    const plan = pipeline([project([0, 1]), slice(1), project([1])]);
    const input: Row[] = [
      [1, 2, 3],
      [4, 5, 6],
    ];
    expect(rowsOf(plan(execution, stepsOf(input)), 3)).toEqual([[0, 5, 0]]);
  });

  it('gives its input where it has no plan', () => {
    expect(rowsOf(pipeline([])(execution, stepsOf([[1]])), 1)).toEqual([[1]]);
  });

  it('gives back the memory of a batch when the next one comes, and when it is closed half-way', async () => {
    const small = await executionOver([], { maxMemoryBytes: 3000 });
    const plan = pipeline([pass, pass, pass]);
    for (let run = 0; run < 5; run++) {
      const sizes = Array.from({ length: 20 }, () => 100);
      expect(rowsOf(plan(small, stepsOf(numberedRows(2000), sizes)), 1)).toHaveLength(2000);
      const steps = plan(small, stepsOf(numberedRows(200), [100]));
      expect(steps.next().value?.size).toBe(100);
      steps.return();
    }
  });

  it('refuses batches that are larger than its memory', async () => {
    const small = await executionOver([], { maxMemoryBytes: 3000 });
    expect(() => rowsOf(pipeline([pass, pass])(small, stepsOf(numberedRows(2000))), 1)).toThrow(
      expect.objectContaining({ code: 'ERR_QUERY_MEMORY' }),
    );
  });
});

describe('union', () => {
  it('gives the solutions of every operand for each row, whatever the batches', () => {
    fc.assert(
      fc.property(anyRows(2), anyCuts, (rows, cuts) => {
        const plan = union([pass, project([1])]);
        const expected: Row[] = [...stepsOf(rows, cuts)].flatMap((batch) => {
          if (batch === undefined) return [];
          const whole = rowsOf(batchInput(batch), 2);
          return [...whole, ...whole.map(([, second]) => [0, second])];
        });
        expect(rowsOf(plan(execution, stepsOf(rows, cuts)), 2)).toEqual(expected);
      }),
    );
  });
});

describe('extend', () => {
  it('sets variables one after the other, and leaves one unbound whose expression is an error', () => {
    const plan = extend([
      [1, TERM],
      [2, { evaluator: new VariableEvaluator(1), exists: [] }],
      [3, { evaluator: unknownFunction(), exists: [] }],
      [4, { evaluator: new NotEvaluator(new VariableEvaluator(9)), exists: [] }],
    ]);
    expect(rowsOf(plan(execution, stepsOf([[3], [0]], [1])), 5)).toEqual([
      [3, SEVEN, SEVEN, 0, 0],
      [0, SEVEN, SEVEN, 0, 0],
    ]);
  });

  it.each(BORDER_SIZES)('takes batches of %i rows', (size) => {
    const rows = rowsOf(extend([[1, TERM]])(execution, stepsOf(numberedRows(size), [size])), 2);
    expect(rows).toEqual(numberedRows(size).map(([number]) => [number, SEVEN]));
  });

  it('does not change the batch that came in', () => {
    const [batch] = [...stepsOf([[1]])];
    if (batch !== undefined) rowsOf(extend([[0, TERM]])(execution, batchInput(batch)), 1);
    expect(batch?.columns[0]?.[0]).toBe(1);
  });
});

describe('project', () => {
  it('drops the columns that nobody wants', () => {
    expect(rowsOf(project([2, 0])(execution, stepsOf([[1, 2, 3, 4]])), 4)).toEqual([[1, 0, 3, 0]]);
  });
});

describe('distinct', () => {
  it('gives each solution once, the first time it comes, an unbound variable being a value like any other', () => {
    fc.assert(
      fc.property(anyRows(3, { maxLength: 40 }), anyCuts, (rows, cuts) => {
        const seen = new Set<string>();
        const expected = rows.filter(([first, , last]) => {
          const key = `${first} ${last}`;
          return !seen.has(key) && seen.add(key);
        });
        expect(rowsOf(distinct([0, 2])(execution, stepsOf(rows, cuts)), 3)).toEqual(expected);
      }),
    );
  });

  it.each(BORDER_SIZES)('takes %i rows that come twice', (size) => {
    const rows = numberedRows(size);
    expect(rowsOf(distinct([0])(execution, stepsOf([...rows, ...rows], [size])), 1)).toEqual(rows);
  });

  it('tells no rows apart where there is no variable', () => {
    expect(rowsOf(distinct([])(execution, stepsOf([[], [], []])), 0)).toEqual([[]]);
  });

  it('refuses more rows than its memory holds', async () => {
    const small = await executionOver([], { maxMemoryBytes: 100_000 });
    expect(() => rowsOf(distinct([0])(small, stepsOf(numberedRows(50_000))), 1)).toThrow(
      expect.objectContaining({ code: 'ERR_QUERY_MEMORY' }),
    );
  });
});

describe('slice', () => {
  it('skips and limits whatever the batches', () => {
    const bound = fc.option(fc.nat({ max: 15 }), { nil: undefined });
    fc.assert(
      fc.property(anyRows(1), anyCuts, fc.nat({ max: 15 }), bound, (rows, cuts, offset, limit) => {
        const end = limit === undefined ? rows.length : offset + limit;
        expect(rowsOf(slice(offset, limit)(execution, stepsOf(rows, cuts)), 1)).toEqual(rows.slice(offset, end));
      }),
    );
  });

  it('asks for nothing once it has enough, and closes what came before it', () => {
    let asked = 0;
    let isClosed = false;
    const input = function* () {
      try {
        for (const row of numberedRows(10)) {
          asked++;
          yield* stepsOf([row]);
        }
      } finally {
        isClosed = true;
      }
    };
    expect(rowsOf(slice(1, 2)(execution, input()), 1)).toEqual([[2], [3]]);
    expect([asked, isClosed]).toEqual([3, true]);
    expect(rowsOf(slice(0, 0)(execution, input()), 1)).toEqual([]);
    expect(asked).toBe(3);
  });
});

describe('values', () => {
  it('gives its rows, with terms that the store does not hold and places without any', () => {
    const plan = values(
      [2, 0],
      [
        [toTerm('a'), toTerm(1)],
        [undefined, toTerm('b')],
      ],
    );
    const rows = aloneRows(execution, plan, 3).map((row) => namesOf(execution, row));
    expect(rows).toEqual([
      ['1', '-', 'a'],
      ['b', '-', '-'],
    ]);
  });

  it('gives nothing where it has no row', () => {
    expect(aloneRows(execution, values([0], []), 1)).toEqual([]);
  });
});

describe('graphLoop', () => {
  const loop = (execute: Plan) => graphLoop('g', 1, execute);
  const graphs = ['g1', 'g2', 'g3'].map((graph) => ({ s: 'a', p: 'p', o: graph, graph }));
  const subjects = patternJoin({
    subject: { type: 'term', term: toTerm('a') },
    predicate: { type: 'term', term: toTerm('p') },
    object: { type: 'new', slot: 0 },
    graph: { type: 'loop', name: 'g' },
    kept: [1, 2],
  });

  it('runs its child in one graph after the other and binds the graph', async () => {
    const inGraphs = await executionOver([...graphs, { s: 'a', p: 'p', o: 'none' }]);
    const rows = aloneRows(inGraphs, loop(subjects), 2).map((row) => namesOf(inGraphs, row));
    expect(rows.sort()).toEqual([
      ['g1', 'g1'],
      ['g2', 'g2'],
      ['g3', 'g3'],
    ]);
  });

  it('drops rows whose variable is another graph', async () => {
    const inGraphs = await executionOver(graphs);
    const [g2, none] = idsOf(inGraphs, ['g2', 'none']);
    const input: Row[] = [
      [0, g2, 5],
      [0, none, 6],
    ];
    const rows = rowsOf(loop(subjects)(inGraphs, stepsOf(input, [1])), 3);
    expect(rows.map(([, , last]) => last)).toEqual([5]);
    expect(namesOf(inGraphs, rows[0].slice(0, 2))).toEqual(['g2', 'g2']);
  });

  it('gives nothing where no named graph is visible', () => {
    expect(aloneRows(execution, loop(tableOfRows([[1]])), 2)).toEqual([]);
  });

  it('hands on more rows than a batch holds', async () => {
    const inGraphs = await executionOver(graphs);
    const rows = aloneRows(inGraphs, loop(tableOfRows(numberedRows(BATCH_ROWS + 1))), 2);
    expect(rows).toHaveLength(3 * (BATCH_ROWS + 1));
  });
});
