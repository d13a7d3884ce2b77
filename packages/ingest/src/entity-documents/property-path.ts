import { CodedError } from '@cairn/errors';

/** One step over a graph: along a predicate, or against it. */
export interface PathStep {
  readonly predicate: string;
  readonly inverse: boolean;
}

/** Steps from an entity to a value. One and more. */
export type PropertyPath = readonly PathStep[];

/**
 * A path from its text: predicates as `prefix:name` or `<IRI>`, joined by `/`, each with `^` before it when it is
 * walked against its direction: `^ies:isStartOf/ies:inPeriod`. A part of SPARQL's property paths.
 * @throws `ERR_ENTITY_MAPPING` (invalid), naming the text and what was expected.
 */
export function parsePropertyPath(text: string, prefixes: Readonly<Record<string, string>>): PropertyPath {
  const steps = text.match(/\^?(?:<[^<>\s]+>|[^/<>\s]+)/g) ?? [];
  if (steps.join('/') !== text || steps.length === 0) throw invalid(text, 'predicates joined by "/"');
  return steps.map((step) => ({
    predicate: expandIri(step.replace(/^\^/, ''), prefixes),
    inverse: step.startsWith('^'),
  }));
}

/** The IRI of `prefix:name` or `<IRI>`. @throws `ERR_ENTITY_MAPPING` (invalid) for an unknown prefix. */
export function expandIri(text: string, prefixes: Readonly<Record<string, string>>): string {
  if (text.startsWith('<') && text.endsWith('>')) return text.slice(1, -1);
  const colon = text.indexOf(':');
  const prefix = text.slice(0, Math.max(0, colon));
  const namespace = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : undefined;
  if (colon < 0 || namespace === undefined) throw invalid(text, 'prefix:name with a known prefix, or <IRI>');
  return namespace + text.slice(colon + 1);
}

function invalid(text: string, expected: string): CodedError {
  const message = `a property path must be ${expected}; got ${JSON.stringify(text)}`;
  return new CodedError({ code: 'ERR_ENTITY_MAPPING', kind: 'invalid', message });
}
