import { mediaTypeOfFile, RDF_FORMATS, RDF_PATCH_MEDIA_TYPE, toMediaType } from '@cairn/rdf-graph';

/** The registered types; others that occur, such as `text/plain`, say too little. */
const RDF_TYPES: ReadonlySet<string> = new Set([
  ...RDF_FORMATS.map(({ mediaTypes }) => mediaTypes[0]),
  RDF_PATCH_MEDIA_TYPE,
]);

/** The RDF type of a file by its extension, else as declared, as browsers know few; `undefined` when it has none. */
export function rdfTypeOf(filename: string, declaredType: string | undefined): string | undefined {
  const byName = mediaTypeOfFile(filename);
  if (byName !== undefined || declaredType === undefined) return byName;
  const declared = toMediaType(declaredType);
  return RDF_TYPES.has(declared) ? declared : undefined;
}

/** Returns true if a document of a content type is RDF, so that what it says is in the graph. */
export function isRdfType(contentType: unknown): boolean {
  return typeof contentType === 'string' && RDF_TYPES.has(contentType);
}
