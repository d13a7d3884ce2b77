import { conventionRule } from './convention.ts';
import { kindRule } from './kind.ts';
import { kindTermRule } from './kind-term.ts';
import { nameRule } from './name.ts';
import { namespaceRule } from './namespace.ts';
import { parentRule } from './parent.ts';
import { parentCycleRule } from './parent-cycle.ts';
import { parentKindRule } from './parent-kind.ts';
import { parentKnownRule } from './parent-known.ts';
import type { Rule } from './rule.ts';
import { styleRule } from './style.ts';
import { styleOnClassRule } from './style-on-class.ts';
import { styleSingleRule } from './style-single.ts';

/**
 * Every rule, in the order in which findings are given: what a thing is called, what it is, where it is, how people
 * know it, and how it looks. A mistake in an earlier group often causes findings in a later one, so an author who works
 * from the top mends causes first.
 */
export const RULES: readonly Rule[] = [
  namespaceRule,
  kindRule,
  kindTermRule,
  conventionRule,
  parentRule,
  parentKnownRule,
  parentKindRule,
  parentCycleRule,
  nameRule,
  styleOnClassRule,
  styleSingleRule,
  styleRule,
];
