import { checkObject } from '@cairn/errors';
import { serializeRdf } from '../../rdf/serialize.ts';
import { SH } from '../vocabulary.ts';
import type { ShaclReport } from './shacl-report.ts';

/** A report as RDF text of a media type, such as `text/turtle` or `application/ld+json`. @throws `ERR_RDF_MEDIA_TYPE` (unsupported) */
export async function writeReport(report: ShaclReport, contentType: string = 'text/turtle'): Promise<string> {
  checkObject(report, 'the report');
  let text = '';
  for await (const piece of serializeRdf(report.quads, { contentType, prefixes: { sh: SH } })) text += piece;
  return text;
}
