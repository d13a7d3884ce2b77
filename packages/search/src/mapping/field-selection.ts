import { CodedError } from '@cairn/errors';
import { recall } from '../memory/recall.ts';

/** Fields that a clause looks at, with their weights. */
export interface FieldSelection {
  /** Equal for selections that weigh every path alike: a cache key. */
  readonly key: string;
  /** The weight of a field, a multiple of 1/16 so that sums are exact; 0 when it is not selected. */
  weigh(path: string): number;
}

/** Every field with weight 1. */
export const EVERY_FIELD: FieldSelection = { key: '*', weigh: () => 1 };

/**
 * Compiles patterns with optional `^boost`. A path weighs what the largest boost of the patterns that fit it says.
 * @throws `ERR_FIELD_BOOST` (invalid) for a boost that is not a number from 0.0625 to 64.
 */
export function compileFieldSelection(patterns: readonly string[]): FieldSelection {
  return toSelection('weighted', patterns, patterns.map(parseWeightedPattern));
}

/** Compiles patterns of names without boosts, in which `^` is a character as any other; each weighs 1. */
export function compileFieldNames(patterns: readonly string[]): FieldSelection {
  const named = patterns.map((pattern) => ({ fits: compileFieldPattern(pattern), boost: 1 }));
  return toSelection('named', patterns, named);
}

function toSelection(kind: string, patterns: readonly string[], weighted: readonly WeightedPattern[]): FieldSelection {
  const weights = new Map<string, number>();
  const compute = (path: string): number => {
    return weighted.reduce((most, { fits, boost }) => (boost > most && fits(path) ? boost : most), 0);
  };
  const key = JSON.stringify([kind, ...[...patterns].sort()]);
  return { key, weigh: (path) => recall(weights, path, compute, 10_000) };
}

/** The same selection with weights multiplied by what configuration says about single fields. */
export function withFieldBoosts(
  selection: FieldSelection,
  key: string,
  boostOf: (path: string) => number,
): FieldSelection {
  const weigh = (path: string): number => quantizeWeight(selection.weigh(path) * boostOf(path));
  return { key: `${selection.key}|${key}`, weigh };
}

interface WeightedPattern {
  readonly fits: (path: string) => boolean;
  readonly boost: number;
}

function parseWeightedPattern(text: string): WeightedPattern {
  const caret = text.lastIndexOf('^');
  const pattern = caret < 0 ? text : text.slice(0, caret);
  const boost = caret < 0 ? 1 : Number(text.slice(caret + 1));
  if (!(boost >= 0.0625 && boost <= 64)) {
    const message = `a field boost must be a number from 0.0625 to 64; got ${text}`;
    throw new CodedError({ code: 'ERR_FIELD_BOOST', kind: 'invalid', message });
  }
  return { fits: compileFieldPattern(pattern.trim()), boost: quantizeWeight(boost) };
}

function quantizeWeight(weight: number): number {
  return Math.round(weight * 16) / 16;
}

/**
 * The test of a path against a pattern in which `*` stands for any characters, dots included. Matching is linear in the
 * path: there is no backtracking past the last `*`.
 */
export function compileFieldPattern(pattern: string): (path: string) => boolean {
  if (pattern === '*') return () => true;
  if (!pattern.includes('*')) return (path) => path === pattern;
  const [head, ...rest] = pattern.split('*');
  const tail = rest.pop() ?? '';
  return (path) => fits(path, head, rest, tail);
}

function fits(path: string, head: string, middle: readonly string[], tail: string): boolean {
  if (path.length < head.length + tail.length || !path.startsWith(head) || !path.endsWith(tail)) return false;
  const end = path.length - tail.length;
  let offset = head.length;
  for (const part of middle) {
    const found = path.indexOf(part, offset);
    if (found < 0 || found + part.length > end) return false;
    offset = found + part.length;
  }
  return true;
}
