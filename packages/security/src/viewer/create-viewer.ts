import { badArgument, checkObject, checkText, isCodedError } from '@cairn/errors';
import { evaluateLabel } from '../label/evaluate.ts';
import { parseLabel } from '../label/parse.ts';
import { DecidingViewer } from './deciding-viewer.ts';
import { viewerKey } from './key.ts';
import type { Attributes, Hierarchies, Viewer } from './viewer.ts';

/** Options of {@link createViewer}. */
export interface ViewerOptions {
  readonly attributes: Attributes;
  /** Default: no attribute has a hierarchy. */
  readonly hierarchies?: Hierarchies;
}

/**
 * Returns a viewer that decides by a user's attributes, with the semantics of {@link evaluateLabel}.
 *
 * Copies its arguments. A malformed label and the empty list are denied.
 */
export function createViewer(options: ViewerOptions): Viewer {
  checkObject(options, 'the options of a viewer');
  const attributes = copied(options.attributes, 'the attributes');
  const hierarchies = copied(options.hierarchies ?? {}, 'the hierarchies');
  return new DecidingViewer(viewerKey(attributes, hierarchies), (label) => {
    const parsed = parsedOrUndefined(label);
    return parsed !== undefined && evaluateLabel(parsed, attributes, hierarchies);
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

function parsedOrUndefined(label: string): ReturnType<typeof parseLabel> | undefined {
  try {
    return parseLabel(label);
  } catch (error) {
    if (isCodedError(error)) return undefined;
    throw error;
  }
}

function copied(
  record: Readonly<Record<string, readonly string[]>>,
  what: string,
): Readonly<Record<string, readonly string[]>> {
  checkObject(record, what);
  const copy: Record<string, readonly string[]> = Object.create(null);
  for (const [name, values] of Object.entries(record)) {
    if (!Array.isArray(values)) throw badArgument(`${what}: ${JSON.stringify(name)}`, 'a list of texts', values);
    for (const value of values) checkText(value, `${what}: a value of ${JSON.stringify(name)}`);
    copy[name] = [...values];
  }
  return copy;
}
