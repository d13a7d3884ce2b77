import { CodedError } from '@cairn/errors';
import { parseInstant } from '../mapping/instant.ts';
import { checkObject, checkText, describeValue, refuseArgument } from '../port/arguments.ts';
import type { DecayBoost, DecayCurve, ScoreBoost, ValueBoost, ValueCurve } from '../port/search-index.ts';

/** By how much the values of a field raise scores. */
export interface Raise {
  readonly path: string;
  /** True for instants, false for numbers; values of the other kind raise nothing. */
  readonly isDate: boolean;
  /** Completes "1 + ..." for explanations. */
  readonly description: string;
  /** 0 to 1,000,000: what a score is multiplied by is 1 more. */
  of(value: number): number;
}

/** Raises at a moment, in milliseconds since the epoch. @throws `ERR_BOOST` (invalid) when they need one and none is given */
export type RaisesAt = (nowMs: number | undefined) => readonly Raise[];

const MAX_BOOSTS = 8;
const MAX_FACTOR = 1_000_000;
/** Scores stay finite, however many boosts there are. */
const MAX_RAISE = 1_000_000;

const VALUE_CURVES: Readonly<Record<ValueCurve, (x: number) => number>> = {
  log1p: Math.log1p,
  linear: (x) => x,
  reciprocal: (x) => 1 / (1 + x),
};

/** By the distance from the origin in scales: 1 at 0, and a half at 1. */
const DECAY_CURVES: Readonly<Record<DecayCurve, (distance: number) => number>> = {
  exp: (distance) => 0.5 ** distance,
  gauss: (distance) => 0.5 ** (distance * distance),
  linear: (distance) => Math.max(0, 1 - distance / 2),
};

/** @throws `ERR_REQUEST` or `ERR_BOOST` (invalid) */
export function compileBoosts(boosts: readonly ScoreBoost[]): RaisesAt {
  if (!Array.isArray(boosts)) refuseArgument('boosts', 'a list', boosts);
  if (boosts.length > MAX_BOOSTS) refuseBoost('boosts', `at most ${MAX_BOOSTS}`, boosts.length);
  const compiled = boosts.map(compileBoost);
  return (nowMs) => compiled.map((raiseAt) => raiseAt(nowMs));
}

function compileBoost(boost: ScoreBoost): (nowMs: number | undefined) => Raise {
  checkObject('each of boosts', boost);
  checkText('the field of a boost', boost.field);
  if (boost.field === '') refuseBoost('the field of a boost', 'the path of a field', '');
  const { weight = 1 } = boost;
  checkFactor('the weight of a boost', weight);
  switch (boost.type) {
    case 'value':
      return compileValue(boost, weight);
    case 'decay':
      return compileDecay(boost, weight);
    default:
      return refuseBoost('the type of a boost', 'value or decay', (boost as { type?: unknown }).type);
  }
}

function compileValue({ field: path, curve, factor = 1 }: ValueBoost, weight: number): () => Raise {
  const toHeight = curveOf(VALUE_CURVES, curve);
  checkFactor('the factor of a boost', factor);
  const description = `${weight} * ${curve} of ${factor} * value`;
  const of = (value: number): number => bounded(weight * toHeight(factor * Math.max(0, value)));
  return () => ({ path, isDate: false, description, of });
}

function compileDecay(boost: DecayBoost, weight: number): (nowMs: number | undefined) => Raise {
  const { field: path, curve, origin, scale, offset } = boost;
  const toHeight = curveOf(DECAY_CURVES, curve);
  const isDate = typeof origin !== 'number';
  const originAt = toOrigin(origin);
  const scaleUnits = toDistance('the scale of a boost', scale, isDate);
  if (scaleUnits === 0) refuseBoost('the scale of a boost', 'above 0', scale);
  const offsetUnits = offset === undefined ? 0 : toDistance('the offset of a boost', offset, isDate);
  const description = `${weight} * ${curve} decay by the distance of value from ${origin}`;
  return (nowMs) => {
    const at = originAt(nowMs);
    const of = (value: number): number => {
      return bounded(weight * toHeight(Math.max(0, Math.abs(value - at) - offsetUnits) / scaleUnits));
    };
    return { path, isDate, description, of };
  };
}

function bounded(raise: number): number {
  return Math.min(raise, MAX_RAISE);
}

function curveOf<Curve extends string>(
  curves: Readonly<Record<Curve, (x: number) => number>>,
  curve: Curve,
): (x: number) => number {
  if (typeof curve === 'string' && Object.hasOwn(curves, curve)) return curves[curve];
  return refuseBoost('the curve of a boost', Object.keys(curves).join(', '), curve);
}

function toOrigin(origin: unknown): (nowMs: number | undefined) => number {
  if (origin === 'now') return (nowMs) => nowMs ?? refuseBoost('nowMs', 'given where a boost begins at now', undefined);
  const place = typeof origin === 'string' ? parseInstant(origin)?.first : origin;
  if (typeof place === 'number' && Number.isFinite(place)) return () => place;
  return refuseBoost('the origin of a boost', 'a number, a date or now', origin);
}

const DURATION = /^(\d{1,9}(?:\.\d{1,9})?)(s|m|h|d|w)$/;
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A distance between numbers, or in milliseconds between instants. */
function toDistance(name: string, distance: unknown, isDate: boolean): number {
  if (isDate) {
    const [, count, unit] = (typeof distance === 'string' && DURATION.exec(distance)) || [];
    if (count !== undefined && unit !== undefined) return Number(count) * UNIT_MS[unit];
    return refuseBoost(name, 'a duration such as 30d (s, m, h, d or w) where the origin is a date', distance);
  }
  if (typeof distance === 'number' && distance >= 0 && Number.isFinite(distance)) return distance;
  return refuseBoost(name, 'a number of 0 or more where the origin is one', distance);
}

function checkFactor(name: string, factor: unknown): void {
  if (typeof factor === 'number' && factor > 0 && factor <= MAX_FACTOR) return;
  refuseBoost(name, `a number above 0, at most ${MAX_FACTOR}`, factor);
}

/** @throws `ERR_BOOST` (invalid): what must be what, and what it is instead. */
function refuseBoost(name: string, expected: string, got: unknown): never {
  const value = typeof got === 'string' ? JSON.stringify(got.slice(0, 100)) : describeValue(got);
  const message = `${name} must be ${expected}; got ${value}`;
  throw new CodedError({ code: 'ERR_BOOST', kind: 'invalid', message });
}
