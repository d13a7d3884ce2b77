/** Shortens an IRI by a prefix: `prefix:rest`, or the IRI when no namespace begins it. */
export type Shorten = (iri: string) => string;

/** Shortens by these prefixes; the longest namespace wins. */
export function shortenBy(prefixes: Readonly<Record<string, string>>): Shorten {
  const namespaces = Object.entries(prefixes)
    .filter(([, namespace]) => namespace !== '')
    .sort(([a, namespaceA], [b, namespaceB]) => namespaceB.length - namespaceA.length || (a < b ? -1 : 1));
  return (iri) => {
    for (const [prefix, namespace] of namespaces) {
      if (iri.startsWith(namespace)) return `${prefix}:${iri.slice(namespace.length)}`;
    }
    return iri;
  };
}
