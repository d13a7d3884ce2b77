const SURROGATE = /[\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** True when no half of a surrogate pair is alone: UTF-8 cannot say one, and two texts would become one. */
export function isWellFormed(text: string): boolean {
  return !SURROGATE.test(text) || !LONE_SURROGATE.test(text);
}
