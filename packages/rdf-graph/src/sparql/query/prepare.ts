import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import { defaultGraph } from '../../rdf/terms.ts';
import type { Algebra } from '../algebra/algebra.ts';
import { translateGroup } from '../algebra/translate-pattern.ts';
import { beginTranslation, translateTopSelect } from '../algebra/translate-select.ts';
import type { Translation } from '../algebra/translation.ts';
import { scopeOf } from '../algebra/variables.ts';
import type { Plan } from '../execute/batch.ts';
import { Compiler } from '../plan/compiler.ts';
import { aloneInput } from '../plan/input.ts';
import type { Statistics } from '../plan/join-order.ts';
import { PlanningWork } from '../plan/planning-work.ts';
import { type TemplateQuad, toTemplateQuad } from './template.ts';

/** A query that was parsed and translated: all that does not depend on the data. */
export interface PreparedQuery {
  readonly form: 'SELECT' | 'ASK' | 'CONSTRUCT' | 'DESCRIBE';
  readonly algebra: Algebra;
  /** The variables of the solutions, in order. */
  readonly variables: readonly string[];
  readonly from: Ast.SelectQuery['from'];
  readonly baseIri: string | undefined;
  readonly template: readonly Ast.Triple[];
  /** The IRIs that DESCRIBE names. */
  readonly described: readonly RDF.Term[];
}

/** A query that is ready to run. */
export interface CompiledQuery {
  readonly plan: Plan;
  /** The steps that planning took. */
  readonly work: number;
  /** The slots of the variables, in their order. */
  readonly slots: readonly number[];
  readonly template: readonly TemplateQuad[];
}

export function prepareQuery(ast: Ast.Query): PreparedQuery {
  const at = beginTranslation();
  const algebra = ast.queryType === 'ASK' ? translateAsk(ast, at) : translateTopSelect(asSelect(ast), at);
  const described = ast.queryType === 'DESCRIBE' ? (ast.variables as readonly RDF.Term[]) : [];
  return {
    form: ast.queryType,
    algebra,
    variables: variablesOf(ast, algebra),
    from: ast.from,
    baseIri: ast.base,
    template: ast.queryType === 'CONSTRUCT' ? (ast.template ?? []) : [],
    described: described.filter(({ termType }) => termType === 'NamedNode'),
  };
}

const MODIFIERS = ['group', 'having', 'limit', 'offset', 'values'];

function translateAsk(ast: Ast.AskQuery, at: Translation): Algebra {
  if (MODIFIERS.some((modifier) => modifier in ast)) return translateTopSelect(asSelect(ast), at);
  return translateGroup(ast.where ?? [], at);
}

const STAR: Ast.Wildcard = { termType: 'Wildcard', value: '*', equals: (other) => Object.is(other, STAR) };

/** CONSTRUCT, DESCRIBE and ASK have the modifiers of a SELECT of everything. */
function asSelect(ast: Ast.Query): Ast.SelectQuery {
  if (ast.queryType === 'SELECT') return ast;
  return { ...ast, queryType: 'SELECT', variables: [STAR] } as Ast.SelectQuery;
}

function variablesOf(ast: Ast.Query, algebra: Algebra): readonly string[] {
  if (ast.queryType === 'ASK') return [];
  if (ast.queryType === 'CONSTRUCT') return [...scopeOf(algebra).possible];
  const names = new Set<string>();
  for (const item of ast.variables as readonly (RDF.Term | Ast.VariableExpression | Ast.Wildcard)[]) {
    if (!('termType' in item)) names.add(item.variable.value);
    else if (item.termType === 'Wildcard') return [...scopeOf(algebra).possible];
    else if (item.termType === 'Variable') names.add(item.value);
  }
  return [...names];
}

/** Plans a prepared query with what is known about the data, in slices. @throws `ERR_QUERY_WORK` (exhausted) */
export function* compileQuery(
  query: PreparedQuery,
  statistics: Statistics,
  work: PlanningWork = new PlanningWork(),
): Generator<void, CompiledQuery> {
  const compiler = new Compiler(statistics, work);
  const plan = yield* compiler.compile(query.algebra, aloneInput(new Set(query.variables)));
  const slotOf = (name: string) => compiler.slots.of(name);
  return {
    plan,
    work: work.spent,
    slots: query.variables.map(slotOf),
    template: query.template.map((triple) => toTemplateQuad(triple, defaultGraph(), slotOf)),
  };
}
