import { badArgument, checkObject } from '@cairn/errors';
import type { Attributes, Hierarchies } from '../viewer/viewer.ts';
import { checkTree } from './check-tree.ts';
import type { Label, LabelRelation, LabelTest } from './label.ts';

/**
 * Returns true if a label permits a user with these attributes.
 *
 * - One of several values of an attribute suffices. An absent attribute, or one without values, fails every comparison,
 *   also `!=`.
 * - `=` on an attribute with a hierarchy passes when the label's value is at or below a value of the user. A value that
 *   the hierarchy does not hold is comparable only with itself.
 * - `!=` passes when the user has a value other than the label's; a hierarchy does not change that.
 * - The empty list permits nobody: it has no decision of its own ({@link isEmptyLabel}).
 *
 * A tree that no parser gives is refused: a group without items, which would permit or deny by nothing, with
 * `ERR_ARGUMENT`; one that nests deeper than {@link MAX_LABEL_DEPTH}, or holds itself, with `ERR_LABEL_TOO_LARGE`.
 *
 * Cost: O(comparisons in the label).
 */
export function evaluateLabel(label: Label, attributes: Attributes, hierarchies: Hierarchies = {}): boolean {
  checkObject(attributes, 'the attributes');
  checkObject(hierarchies, 'the hierarchies');
  checkTree(label);
  return evaluateParsed(label, attributes, hierarchies);
}

/** The same of a tree that {@link parseLabel} gave, without looking at what it is. */
export function evaluateParsed(label: Label, attributes: Attributes, hierarchies: Hierarchies): boolean {
  switch (label.kind) {
    case 'everyone':
      return true;
    case 'nobody':
      return false;
    case 'test':
      return passes(label, attributes, hierarchies);
    case 'any':
      return label.items.some((item) => evaluateParsed(item, attributes, hierarchies));
    case 'all':
      return label.items.every((item) => evaluateParsed(item, attributes, hierarchies));
    case 'list':
      return label.items.length > 0 && label.items.every((item) => evaluateParsed(item, attributes, hierarchies));
    default:
      throw badArgument('a label', 'a tree as parseLabel gives it', label);
  }
}

function passes(test: LabelTest, attributes: Attributes, hierarchies: Hierarchies): boolean {
  if (!Object.hasOwn(attributes, test.attribute)) return false;
  const tiers = Object.hasOwn(hierarchies, test.attribute) ? hierarchies[test.attribute] : undefined;
  const satisfies = RELATIONS[test.relation];
  return attributes[test.attribute].some((value) => satisfies(value, test.value, tiers));
}

type Comparison = (usersValue: string, labelsValue: string, tiers: readonly string[] | undefined) => boolean;

const RELATIONS: Readonly<Record<LabelRelation, Comparison>> = {
  '=': (usersValue, labelsValue, tiers) => usersValue === labelsValue || standsBelow(labelsValue, usersValue, tiers),
  '!=': (usersValue, labelsValue) => usersValue !== labelsValue,
};

function standsBelow(labelsValue: string, usersValue: string, tiers: readonly string[] | undefined): boolean {
  if (tiers === undefined) return false;
  const labelsTier = tiers.indexOf(labelsValue);
  return labelsTier >= 0 && labelsTier < tiers.indexOf(usersValue);
}
