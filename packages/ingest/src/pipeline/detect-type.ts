/** Syntaxes of RDF that become events of a dataset: file extension to content type. */
const RDF_EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['nt', 'application/n-triples'],
  ['nq', 'application/n-quads'],
  ['ttl', 'text/turtle'],
  ['trig', 'application/trig'],
  ['rdf', 'application/rdf+xml'],
  ['owl', 'application/rdf+xml'],
  ['jsonld', 'application/ld+json'],
  ['rdfp', 'application/rdf-patch'],
]);

const RDF_TYPES: ReadonlySet<string> = new Set(RDF_EXTENSIONS.values());

/**
 * The content type of RDF that a file is by its extension or its declared type, else `undefined`. The extension is
 * believed first, as browsers declare most RDF as `application/octet-stream`.
 */
export function rdfTypeOf(filename: string, declaredType: string | undefined): string | undefined {
  const extension = /\.([A-Za-z0-9]+)$/.exec(filename)?.[1]?.toLowerCase();
  const byName = extension === undefined ? undefined : RDF_EXTENSIONS.get(extension);
  if (byName !== undefined) return byName;
  const declared = declaredType?.split(';')[0]?.trim().toLowerCase();
  return declared !== undefined && RDF_TYPES.has(declared) ? declared : undefined;
}
