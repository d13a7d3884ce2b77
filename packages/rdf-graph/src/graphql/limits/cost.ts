import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { GraphSchema } from '../execution/graph-schema.ts';

/** Basis for the cost of an operation; the document must be valid. */
interface CostContext {
  readonly schema: GraphSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * How many objects an answer could hold at most by the page sizes that it asks for: a page multiplies what is asked of
 * each of its items. A list without a page counts as one item here and is counted when it is made.
 * Cost: O(fields of the document).
 */
export function reckonCost(context: CostContext): number {
  const root = context.schema.schema.getRootType(context.operation.operation);
  return root ? new Reckoner(context).selections(root, context.operation.selectionSet) : 0;
}

class Reckoner {
  readonly #context: CostContext;
  readonly #known = new Map<string, number>();

  constructor(context: CostContext) {
    this.#context = context;
  }

  selections(type: GraphQLCompositeType, { selections }: SelectionSetNode): number {
    let cost = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) cost += this.#field(type, selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) {
        cost += this.selections(this.#narrowed(type, selection.typeCondition?.name.value), selection.selectionSet);
      } else cost += this.#fragment(type, selection.name.value);
    }
    return cost;
  }

  #fragment(type: GraphQLCompositeType, name: string): number {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const fragment = this.#context.fragments[name];
    const narrowed = this.#narrowed(type, fragment?.typeCondition.name.value);
    const cost = fragment === undefined ? 0 : this.selections(narrowed, fragment.selectionSet);
    this.#known.set(name, cost);
    return cost;
  }

  #narrowed(type: GraphQLCompositeType, name: string | undefined): GraphQLCompositeType {
    const narrowed = name === undefined ? undefined : this.#context.schema.schema.getType(name);
    return isCompositeType(narrowed) ? narrowed : type;
  }

  #field(type: GraphQLCompositeType, node: FieldNode): number {
    const field = fieldOf(this.#context.schema.schema, type, node.name.value);
    if (field === undefined || node.selectionSet === undefined) return 0;
    const inner = getNamedType(field.type);
    const pageSize = this.#context.schema.pageSizes[`${type.name}.${field.name}`];
    const items = pageSize?.((name) => this.#number(node, name)) ?? 1;
    return items * (1 + (isCompositeType(inner) ? this.selections(inner, node.selectionSet) : 0));
  }

  /** A numeric argument, or `undefined` where it is none: execution then says what is wrong with it. */
  #number(node: FieldNode, name: string): number | undefined {
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
    if (value?.kind === Kind.INT) return Number(value.value);
    if (value?.kind !== Kind.VARIABLE) return undefined;
    const { operation, variables } = this.#context;
    const given = variables[value.name.value];
    if (given !== undefined) return typeof given === 'number' ? given : undefined;
    const definition = operation.variableDefinitions?.find(({ variable }) => variable.name.value === value.name.value);
    return definition?.defaultValue?.kind === Kind.INT ? Number(definition.defaultValue.value) : undefined;
  }
}

function fieldOf(
  schema: GraphQLSchema,
  type: GraphQLCompositeType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  if (type === schema.getQueryType() && (name === '__schema' || name === '__type')) return undefined;
  return type.getFields()[name];
}
