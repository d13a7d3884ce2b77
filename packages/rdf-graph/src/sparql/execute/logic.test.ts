import { describe, expect, it } from 'vitest';
import { stringLiteral } from '../../rdf/terms.ts';
import { booleanLiteral } from '../functions/effective-boolean-value.ts';
import { integerLiteral } from '../functions/numeric.ts';
import { batchOf } from '../testing/rows.ts';
import { executionOver, toTerm } from '../testing/small-store.ts';
import { ConstantEvaluator, type Evaluator, Truth, VariableEvaluator } from './evaluator.ts';
import {
  BoundEvaluator,
  coalesce,
  conditional,
  EqualityEvaluator,
  isOrderOperator,
  JunctionEvaluator,
  MembershipEvaluator,
  NotEvaluator,
  OrderEvaluator,
  unknownFunction,
} from './logic.ts';
import { TextTestEvaluator } from './text-test.ts';

const execution = await executionOver([{ s: 'a', p: 'p', o: 1 }]);
const NOTHING = batchOf([[]]);
const constant = (term: ConstructorParameters<typeof ConstantEvaluator>[0]) => new ConstantEvaluator(term);
const test = (evaluator: Evaluator) => evaluator.test(execution, NOTHING, 0);
const value = (evaluator: Evaluator) => evaluator.value(execution, NOTHING, 0)?.value;

const YES = constant(booleanLiteral(true));
const NO = constant(booleanLiteral(false));
const ERROR = unknownFunction();
const [ONE, TWO, TEXT, IRI] = [integerLiteral(1), integerLiteral(2), stringLiteral('a'), toTerm('a')].map(constant);

describe('&& and ||', () => {
  it.each([
    [YES, YES, Truth.true, Truth.true],
    [YES, NO, Truth.false, Truth.true],
    [NO, NO, Truth.false, Truth.false],
    [YES, ERROR, Truth.error, Truth.true],
    [NO, ERROR, Truth.false, Truth.error],
    [ERROR, ERROR, Truth.error, Truth.error],
  ])('decide where one operand decides, else hand on the error', (left, right, and, or) => {
    for (const [a, b] of [
      [left, right],
      [right, left],
    ]) {
      expect([test(new JunctionEvaluator('and', a, b)), test(new JunctionEvaluator('or', a, b))]).toEqual([and, or]);
    }
  });
});

describe('!, BOUND, IF and COALESCE', () => {
  it('negate truth, and no error', () => {
    expect([YES, NO, ERROR].map((operand) => test(new NotEvaluator(operand)))).toEqual([
      Truth.false,
      Truth.true,
      Truth.error,
    ]);
  });

  it('tell what is bound', () => {
    const batch = batchOf([[1, 0]]);
    expect([0, 1, 2].map((slot) => new BoundEvaluator(slot).test(execution, batch, 0))).toEqual([
      Truth.true,
      Truth.false,
      Truth.false,
    ]);
  });

  it('evaluate the branch that was chosen alone', () => {
    expect([value(conditional(YES, ONE, ERROR)), value(conditional(NO, ERROR, TWO))]).toEqual(['1', '2']);
    expect(value(conditional(ERROR, ONE, TWO))).toBeUndefined();
  });

  it('take the first value that is none of the errors', () => {
    expect(value(coalesce([ERROR, new VariableEvaluator(3), TWO, ONE]))).toBe('2');
    expect([value(coalesce([ERROR])), value(coalesce([]))]).toEqual([undefined, undefined]);
  });
});

describe('comparisons', () => {
  const decimal = new ConstantEvaluator(toTerm(1));

  it.each([
    ['equal ids', ONE, decimal, Truth.true],
    ['different numbers', ONE, TWO, Truth.false],
    ['an IRI and a text', IRI, TEXT, Truth.false],
    ['an unbound variable', new VariableEvaluator(4), ONE, Truth.error],
    ['an error', ERROR, ONE, Truth.error],
  ])('find %s equal or not, and the opposite with !=', (_, left, right, expected) => {
    expect(test(new EqualityEvaluator(left, right, false))).toBe(expected);
    expect(test(new EqualityEvaluator(left, right, true))).toBe(expected === Truth.error ? expected : 1 - expected);
  });

  it('order numbers and texts, and take what has no order for an error', () => {
    const truths = ['<', '<=', '>', '>='].map((name) => test(new OrderEvaluator(name, ONE, TWO)));
    expect(truths).toEqual([Truth.true, Truth.true, Truth.false, Truth.false]);
    expect(test(new OrderEvaluator('<=', TEXT, TEXT))).toBe(Truth.true);
    expect(test(new OrderEvaluator('<', IRI, ONE))).toBe(Truth.error);
    expect(['<', '=', 'toString'].map(isOrderOperator)).toEqual([true, false, false]);
  });

  it.each([
    ['a member', [TWO, ONE], Truth.true],
    ['no member', [TWO, constant(integerLiteral(3))], Truth.false],
    ['what it cannot be compared with', [TWO, TEXT], Truth.error],
    ['a member after an error', [ERROR, ONE], Truth.true],
    ['an error and no member', [TWO, ERROR], Truth.error],
    ['nothing', [], Truth.false],
  ])('find a value in a list with %s, and the opposite with NOT IN', (_, list, expected) => {
    expect(test(new MembershipEvaluator(ONE, list, false))).toBe(expected);
    expect(test(new MembershipEvaluator(ONE, list, true))).toBe(expected === Truth.error ? expected : 1 - expected);
  });

  it('hand an error on where a term is asked for', () => {
    expect(value(new NotEvaluator(ERROR))).toBeUndefined();
    expect(new NotEvaluator(ERROR).id(execution, NOTHING, 0)).toBe(0);
    expect(value(new NotEvaluator(YES))).toBe('false');
  });
});

describe('a test of texts', () => {
  const tester = (ofStr: boolean) => new TextTestEvaluator(0, ofStr, (text) => text.endsWith('a'), ERROR);

  it('reads stored texts, and IRIs through STR, and leaves the rest to the general expression', async () => {
    const inStore = await executionOver([{ s: 'a', p: 'p', o: 'a' }]);
    const batch = batchOf([[inStore.idOf(toTerm('a'))], [inStore.idOf(stringLiteral('own a'))], [0]]);
    const truths = (ofStr: boolean) => [0, 1, 2].map((row) => tester(ofStr).test(inStore, batch, row));
    expect(truths(true)).toEqual([Truth.true, Truth.error, Truth.error]);
    expect(truths(false)).toEqual([Truth.error, Truth.error, Truth.error]);
  });
});
