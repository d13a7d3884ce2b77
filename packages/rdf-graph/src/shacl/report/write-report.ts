import { checkObject } from '@cairn/errors';
import { serializeRdf } from '../../rdf/serialize.ts';
import { negotiate } from '../../results/negotiate.ts';
import { SH } from '../vocabulary.ts';
import type { ShaclReport } from './shacl-report.ts';

/** The media types of a report; the first one where a client takes any. */
export const REPORT_MEDIA_TYPES: readonly string[] = ['text/turtle', 'application/ld+json'];

/** The media type of a report by an Accept header; `undefined` when it takes none of {@link REPORT_MEDIA_TYPES}. */
export function negotiateReport(accept: string | undefined): string | undefined {
  return negotiate(accept, REPORT_MEDIA_TYPES);
}

/** A report as RDF text of one of {@link REPORT_MEDIA_TYPES}. */
export async function writeReport(report: ShaclReport, contentType: string = 'text/turtle'): Promise<string> {
  checkObject(report, 'the report');
  let text = '';
  for await (const piece of serializeRdf(report.quads, { contentType, prefixes: { sh: SH } })) text += piece;
  return text;
}
