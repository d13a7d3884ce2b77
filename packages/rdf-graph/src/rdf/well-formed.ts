const SURROGATE = /[\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Returns true if a text has no half of a surrogate pair alone: UTF-8 cannot say one, and two texts would become one.
 */
export function isWellFormed(text: string): boolean {
  return !SURROGATE.test(text) || !LONE_SURROGATE.test(text);
}
