import { badArgument, checkObject, checkText } from '@cairn/errors';
import { orUndefined } from '../label/errors.ts';
import { evaluateParsed } from '../label/evaluate.ts';
import { parseLabel } from '../label/parse.ts';
import { DecidingViewer } from './deciding-viewer.ts';
import type { Attributes, Hierarchies, Viewer } from './viewer.ts';

/** Options of {@link createViewer}. */
export interface ViewerOptions {
  readonly attributes: Attributes;
  /** Default: no attribute has a hierarchy. */
  readonly hierarchies?: Hierarchies;
}

/**
 * Returns a viewer that decides by a user's attributes, with the semantics of `evaluateLabel`.
 *
 * Copies its arguments. A malformed label and the empty list are denied.
 */
export function createViewer(options: ViewerOptions): Viewer {
  checkObject(options, 'the options of a viewer');
  const attributes = copied(options.attributes, 'the attributes');
  const hierarchies = copied(options.hierarchies ?? {}, 'the hierarchies');
  return new DecidingViewer(viewerKey(attributes, hierarchies), (label) => {
    const parsed = orUndefined(() => parseLabel(label));
    return parsed !== undefined && evaluateParsed(parsed, attributes, hierarchies);
  });
}

/**
 * Returns a viewer that permits every label, even malformed and empty ones.
 *
 * For rebuilding caches and for an operator's tools. It MUST NOT answer a user's request.
 */
export function createViewerOfEverything(): Viewer {
  return new DecidingViewer('everything', () => true);
}

/** Returns a viewer that permits no label, not even `*`. */
export function createViewerOfNothing(): Viewer {
  return new DecidingViewer('nothing', () => false);
}

function copied(record: Attributes | Hierarchies, what: string): Attributes {
  checkObject(record, what);
  const copy: Record<string, readonly string[]> = Object.create(null);
  for (const [name, values] of Object.entries(record)) {
    if (!Array.isArray(values)) throw badArgument(`${what}: ${JSON.stringify(name)}`, 'a list of texts', values);
    for (const value of values) checkText(value, `${what}: a value of ${JSON.stringify(name)}`);
    copy[name] = [...values];
  }
  return copy;
}

/**
 * Returns a text that is equal for two users exactly when every label decides alike for both.
 *
 * All that a label can tell about an attribute is which values pass `=` (the user's own and those below them in the
 * hierarchy) and which value fails `!=` (the only one, when there is only one).
 */
function viewerKey(attributes: Attributes, hierarchies: Hierarchies): string {
  const parts = Object.keys(attributes)
    .filter((name) => attributes[name].length > 0)
    .sort()
    .map((name) => [name, passing(attributes[name], tiersOf(hierarchies, name)), onlyValue(attributes[name])]);
  return JSON.stringify(parts);
}

function tiersOf(hierarchies: Hierarchies, name: string): readonly string[] {
  return Object.hasOwn(hierarchies, name) ? hierarchies[name] : [];
}

function passing(values: readonly string[], tiers: readonly string[]): string[] {
  const highest = Math.max(-1, ...values.map((value) => tiers.indexOf(value)));
  return [...new Set([...values, ...tiers.slice(0, highest + 1)])].sort();
}

function onlyValue(values: readonly string[]): string | null {
  return values.every((value) => value === values[0]) ? values[0] : null;
}
