import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

const WIDTHS = new WeakMap<SelectionSetNode, number>();

/**
 * How many fields are asked of each item of a field's list, at least: those without directives, in fragments too. Those
 * below nullable ones may be missing. 0 for a list of scalars.
 */
export function widthOfItems({ fieldNodes, fragments }: GraphQLResolveInfo): number {
  const { selectionSet } = fieldNodes[0];
  if (selectionSet === undefined) return 0;
  let width = WIDTHS.get(selectionSet);
  if (width === undefined) {
    width = countFields(selectionSet, fragments);
    WIDTHS.set(selectionSet, width);
  }
  return width;
}

function countFields({ selections }: SelectionSetNode, fragments: GraphQLResolveInfo['fragments']): number {
  let count = 0;
  for (const selection of selections) {
    if (selection.directives !== undefined && selection.directives.length > 0) continue;
    if (selection.kind === Kind.FIELD) count++;
    else if (selection.kind === Kind.INLINE_FRAGMENT) count += countFields(selection.selectionSet, fragments);
    else count += countFields(fragments[selection.name.value].selectionSet, fragments);
  }
  return count;
}
