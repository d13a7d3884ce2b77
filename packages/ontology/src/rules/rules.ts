import { freezeDeeply } from '@cairn/errors';
import { KIND_RULES } from './kinds.ts';
import { nameRule, namespaceRule } from './names.ts';
import { PARENT_RULES } from './parents.ts';
import type { Rule } from './rule.ts';
import { STYLE_RULES } from './styles.ts';

/**
 * Every rule, in the order in which findings are given: what a thing is called, what it is, where it is, how people
 * know it, and how it looks. A mistake in an earlier group often causes findings in a later one, so an author who works
 * from the top mends causes first.
 */
export const RULES: readonly Rule[] = freezeDeeply([
  namespaceRule,
  ...KIND_RULES,
  ...PARENT_RULES,
  nameRule,
  ...STYLE_RULES,
]);
