import { rdfTooLarge } from '../syntax-error.ts';
import { isArray, isObject, itemsOf, type JsonValue } from './json.ts';

/** Terms and keywords of one context, those of contexts inside it included. */
const MAX_ENTRIES = 2_000;

/** The same over the contexts of a document, each as often as it is taken over by one below it. */
const MAX_ALL_ENTRIES = 2_000_000;

/** UTF-16 units of the names and texts of one context. */
const MAX_UNITS = 2 ** 18;

/** Prefixes that are written with one another. */
const MAX_PREFIX_DEPTH = 10;

/** Bounds the contexts of a document before they are read: each copies the one above, and prefixes grow by others. */
export class ContextBudget {
  #entries = 0;

  /** Counts the entries of a context with those that it inherits. @throws ERR_RDF_TOO_LARGE */
  spend(context: JsonValue, inherited: number): void {
    const size = measure(context);
    if (size.entries > MAX_ENTRIES) throw rdfTooLarge('the entries of a JSON-LD context', MAX_ENTRIES);
    if (size.units > MAX_UNITS)
      throw rdfTooLarge('the names and texts of a JSON-LD context in UTF-16 units', MAX_UNITS);
    for (const one of itemsOf(context)) if (isObject(one)) checkPrefixes(one);
    this.#entries += size.entries + inherited;
    if (this.#entries <= MAX_ALL_ENTRIES) return;
    throw rdfTooLarge('the entries of the JSON-LD contexts of a document, with those they inherit,', MAX_ALL_ENTRIES);
  }
}

function measure(context: JsonValue): { readonly entries: number; readonly units: number } {
  let entries = 0;
  let units = 0;
  const open: JsonValue[] = [context];
  for (let value = open.pop(); value !== undefined && entries <= MAX_ENTRIES; value = open.pop()) {
    if (typeof value === 'string') units += value.length;
    if (isArray(value)) {
      entries += value.length;
      for (const item of value) open.push(item);
    } else if (isObject(value)) {
      entries += value.size;
      for (const [name, inner] of value) {
        units += name.length;
        open.push(inner);
      }
    }
  }
  return { entries, units };
}

/** @throws ERR_RDF_TOO_LARGE where prefixes are written with one another too deep; a circle is refused where it is read. */
function checkPrefixes(terms: ReadonlyMap<string, JsonValue>): void {
  for (const name of terms.keys()) {
    const seen = new Set<string>();
    for (let at = prefixOf(terms.get(name)); at !== undefined && terms.has(at) && !seen.has(at); ) {
      seen.add(at);
      if (seen.size > MAX_PREFIX_DEPTH) throw rdfTooLarge('prefixes of JSON-LD inside one another', MAX_PREFIX_DEPTH);
      at = prefixOf(terms.get(at));
    }
  }
}

function prefixOf(definition: JsonValue | undefined): string | undefined {
  const id = isObject(definition) ? definition.get('@id') : definition;
  if (typeof id !== 'string') return undefined;
  const colon = id.indexOf(':');
  return colon <= 0 ? undefined : id.slice(0, colon);
}
