import { CodedError } from '@cairn/errors';
import { mediaTypeOfFile, RDF_FORMATS } from '@cairn/rdf-graph';

/** The media type of an RDF file by its extension. @throws `ERR_USAGE` (invalid) for an extension that is no RDF. */
export function rdfTypeOfFile(file: string): string {
  const type = mediaTypeOfFile(file);
  if (type !== undefined) return type;
  const known = [...RDF_FORMATS.flatMap(({ extensions }) => extensions), '.rdfp'].join(', ');
  throw new CodedError({ code: 'ERR_USAGE', kind: 'invalid', message: `${file} must end in one of ${known}` });
}
