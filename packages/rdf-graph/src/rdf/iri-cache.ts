/** Remembers what was made from the last texts: see {@link createIriCache}. */
export type IriCache<T> = (text: string) => T;

const PLACES = 2048;

/**
 * A cache of 2,048 places, each for the last text that fell on it. Predicates, types and neighbouring subjects repeat,
 * and looking here costs a comparison instead of hashing the whole text; a map would also keep the pieces of the
 * document alive that its keys were cut from.
 */
export function createIriCache<T>(make: (text: string) => T): IriCache<T> {
  const texts = new Array<string | undefined>(PLACES).fill(undefined);
  const values = new Array<T | undefined>(PLACES).fill(undefined);
  return (text) => {
    const place = placeOf(text);
    if (texts[place] === text) return values[place] as T;
    const value = make(text);
    texts[place] = text;
    values[place] = value;
    return value;
  };
}

/** The length and the last characters: IRIs of one document differ at the end. */
function placeOf(text: string): number {
  const end = text.length;
  let hash = end;
  for (let at = end - 1; at >= 0 && at >= end - 6; at--) hash = (hash * 33 + text.charCodeAt(at)) | 0;
  return hash & (PLACES - 1);
}
