import { rdfTooLarge } from './syntax-error.ts';

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

  /** Counts the entries of a context with what it inherits. @throws ERR_RDF_TOO_LARGE */
  spend(context: unknown, parent: object | undefined): number {
    const size = measure(context);
    if (size.entries > MAX_ENTRIES) throw rdfTooLarge('the entries of a JSON-LD context', MAX_ENTRIES);
    if (size.units > MAX_UNITS)
      throw rdfTooLarge('the names and texts of a JSON-LD context in UTF-16 units', MAX_UNITS);
    checkPrefixes(context);
    const entries = size.entries + (parent === undefined ? 0 : Object.keys(parent).length);
    this.#entries += entries;
    if (this.#entries <= MAX_ALL_ENTRIES) return entries;
    throw rdfTooLarge('the entries of the JSON-LD contexts of a document, with those they inherit,', MAX_ALL_ENTRIES);
  }
}

function measure(context: unknown): { readonly entries: number; readonly units: number } {
  let entries = 0;
  let units = 0;
  const open: unknown[] = [context];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') units += value.length;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      entries++;
      units += name.length;
      if (inner !== undefined) open.push(inner);
    }
    if (entries > MAX_ENTRIES) break;
  }
  return { entries, units };
}

/** @throws ERR_RDF_TOO_LARGE where prefixes are written with one another too deep; a circle is the library's to refuse. */
function checkPrefixes(context: unknown): void {
  for (const one of Array.isArray(context) ? (context as unknown[]) : [context]) {
    if (typeof one !== 'object' || one === null) continue;
    const terms = new Map(Object.entries(one));
    for (const name of terms.keys()) checkPrefixesOf(name, terms);
  }
}

function checkPrefixesOf(name: string, terms: ReadonlyMap<string, unknown>): void {
  const seen = new Set<string>();
  for (let at = prefixOf(terms.get(name)); at !== undefined && terms.has(at) && !seen.has(at); ) {
    seen.add(at);
    if (seen.size > MAX_PREFIX_DEPTH) throw rdfTooLarge('prefixes of JSON-LD inside one another', MAX_PREFIX_DEPTH);
    at = prefixOf(terms.get(at));
  }
}

function prefixOf(definition: unknown): string | undefined {
  const isObject = typeof definition === 'object' && definition !== null;
  const id = isObject ? (definition as { readonly '@id'?: unknown })['@id'] : definition;
  if (typeof id !== 'string') return undefined;
  const colon = id.indexOf(':');
  return colon <= 0 ? undefined : id.slice(0, colon);
}
