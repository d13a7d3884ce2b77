import { xsd } from '../../rdf/vocabulary.ts';
import { compileRegex } from '../../xpath/regex.ts';
import { indexOfText } from '../../xpath/search.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { Scope } from '../algebra/variables.ts';
import { ConstantEvaluator, type Evaluator, VariableEvaluator } from '../execute/evaluator.ts';
import { ExistsEvaluator, type PreparedEvaluator } from '../execute/exists.ts';
import {
  BoundEvaluator,
  call,
  coalesce,
  conditional,
  EqualityEvaluator,
  isOrderOperator,
  JunctionEvaluator,
  MembershipEvaluator,
  NotEvaluator,
  OrderEvaluator,
  unknownFunction,
} from '../execute/logic.ts';
import { type TextTest, TextTestEvaluator } from '../execute/text-test.ts';
import { findFunction } from '../functions/builtins.ts';
import type { Planner } from './planner.ts';

export function compileExpression(compiler: Planner, expression: Expression, scope: Scope): PreparedEvaluator {
  const exists: ExistsEvaluator[] = [];
  const go = (part: Expression): Evaluator => {
    switch (part.type) {
      case 'variable':
        return new VariableEvaluator(compiler.slots.of(part.name));
      case 'term':
        return new ConstantEvaluator(part.term);
      case 'call':
        return withTextTest(part, compileCall(part.name, part.args.map(go)), compiler);
      case 'and':
      case 'or':
        return new JunctionEvaluator(part.type, go(part.left), go(part.right));
      case 'if':
        return conditional(go(part.condition), go(part.consequent), go(part.otherwise));
      case 'coalesce':
        return coalesce(part.args.map(go));
      case 'in':
        return new MembershipEvaluator(go(part.value), part.list.map(go), part.negated);
      case 'bound':
        return new BoundEvaluator(compiler.slots.of(part.name));
      case 'exists': {
        const { plan, rowSlot } = compiler.compileExists(part.pattern, scope);
        const evaluator = new ExistsEvaluator(plan, rowSlot, part.negated);
        exists.push(evaluator);
        return evaluator;
      }
    }
  };
  return { evaluator: go(expression), exists };
}

function compileCall(name: string, args: readonly Evaluator[]): Evaluator {
  const [left, right] = args;
  if ((name === '=' || name === '!=') && args.length === 2) return new EqualityEvaluator(left, right, name === '!=');
  if (isOrderOperator(name) && args.length === 2) return new OrderEvaluator(name, left, right);
  if (name === '!' && args.length === 1) return new NotEvaluator(left);
  const definition = findFunction(name);
  if (definition === undefined) return unknownFunction();
  if (args.length < definition.minArgs || args.length > definition.maxArgs) return unknownFunction();
  return call(definition, args);
}

/** Tests with a fixed second argument run on the stored text of a variable. */
const TEXT_TESTS: Readonly<Record<string, (text: string, flags: string) => TextTest>> = {
  contains: (part) => (text) => indexOfText(text, part) >= 0,
  strstarts: (part) => (text) => text.startsWith(part),
  strends: (part) => (text) => text.endsWith(part),
  regex: (pattern, flags) => {
    let regex: ReturnType<typeof compileRegex> | undefined;
    return (text, spend) => {
      if (regex === undefined) {
        regex = compileRegex(pattern, flags);
        spend?.(regex.compilation);
      }
      return regex.test(text, spend);
    };
  },
};

function withTextTest(call: Extract<Expression, { type: 'call' }>, general: Evaluator, compiler: Planner): Evaluator {
  const create = Object.hasOwn(TEXT_TESTS, call.name) ? TEXT_TESTS[call.name] : undefined;
  const [subject, ...fixed] = call.args;
  const [text, flags] = fixed.map(fixedText);
  if (create === undefined || text === undefined || (fixed.length > 1 && flags === undefined)) return general;
  const inner = subject?.type === 'call' && subject.name === 'str' ? subject.args[0] : subject;
  if (inner?.type !== 'variable') return general;
  const test = create(text, flags ?? '');
  return new TextTestEvaluator(compiler.slots.of(inner.name), inner !== subject, test, general);
}

/** The text of a fixed string without language; `undefined` for anything else. */
function fixedText(expression: Expression): string | undefined {
  if (expression.type !== 'term' || expression.term.termType !== 'Literal') return undefined;
  return expression.term.datatype.value === xsd.string ? expression.term.value : undefined;
}
