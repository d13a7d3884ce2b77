/** Shortens IRIs by prefixes; the longest namespace wins. */
export class ShortForms {
  readonly #namespaces: readonly (readonly [namespace: string, prefix: string])[];

  constructor(prefixes: Readonly<Record<string, string>>) {
    this.#namespaces = Object.entries(prefixes)
      .filter(([, namespace]) => namespace !== '')
      .map(([prefix, namespace]) => [namespace, prefix] as const)
      .sort((a, b) => b[0].length - a[0].length || (a[1] < b[1] ? -1 : 1));
  }

  /** `prefix:rest`, or the IRI when no namespace begins it. */
  shorten(iri: string): string {
    for (const [namespace, prefix] of this.#namespaces) {
      if (iri.startsWith(namespace)) return `${prefix}:${iri.slice(namespace.length)}`;
    }
    return iri;
  }
}
