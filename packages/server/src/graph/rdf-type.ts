import path from 'node:path';
import { CodedError } from '@cairn/errors';

const TYPE_BY_EXTENSION: Readonly<Record<string, string>> = {
  '.ttl': 'text/turtle',
  '.trig': 'application/trig',
  '.nt': 'application/n-triples',
  '.nq': 'application/n-quads',
  '.jsonld': 'application/ld+json',
  '.rdf': 'application/rdf+xml',
  '.owl': 'application/rdf+xml',
  '.rdfp': 'application/rdf-patch',
};

/** The media type of an RDF file by its extension. @throws `ERR_USAGE` (invalid) for an extension that is no RDF. */
export function rdfTypeOfFile(file: string): string {
  const extension = path.extname(file).toLowerCase();
  const type = Object.hasOwn(TYPE_BY_EXTENSION, extension) ? TYPE_BY_EXTENSION[extension] : undefined;
  if (type !== undefined) return type;
  const known = Object.keys(TYPE_BY_EXTENSION).join(', ');
  throw new CodedError({ code: 'ERR_USAGE', kind: 'invalid', message: `${file} must end in one of ${known}` });
}
