import { checkObject, checkText, isCodedError } from '@cairn/errors';
import { parseRdf } from '@cairn/rdf-graph';
import type * as RDF from '@rdfjs/types';
import type { Finding } from '../finding/finding.ts';
import { readSourceLines, type SourceLines } from '../model/source-lines.ts';
import { type ValidateOntologyOptions, validateOntology } from './validate-ontology.ts';

/** An ontology as text. */
export interface OntologySource {
  readonly text: string;
  /** Media type of the text: `text/turtle`. */
  readonly contentType: string;
  readonly baseIri?: string | undefined;
}

/** Result of reading an ontology. */
export interface OntologyReading {
  /** The quads up to the first syntax error. */
  readonly quads: readonly RDF.Quad[];
  readonly lines: SourceLines | undefined;
  /** The syntax error, as a finding of the rule `rdf-syntax`. */
  readonly fault: Finding | undefined;
}

/** Media types whose tokens tell the lines of statements. */
const WITH_LINES = /^(?:text\/turtle|application\/trig|application\/n-triples|application\/n-quads)\b/;

/** Reads RDF in any syntax; a syntax error or a limit is a finding with its line, not an exception. */
export async function readOntology(source: OntologySource): Promise<OntologyReading> {
  checkObject(source, 'the source');
  const { text, contentType, baseIri } = source;
  checkText(text, 'the text of the source');
  checkText(contentType, 'the media type of the source');
  const lines = WITH_LINES.test(contentType) ? readSourceLines(text) : undefined;
  const quads: RDF.Quad[] = [];
  try {
    for await (const quad of parseRdf(text, { contentType, baseIri })) quads.push(quad);
  } catch (error) {
    if (!isCodedError(error)) throw error;
    const line = error.position?.line;
    const fault: Finding = { rule: 'rdf-syntax', severity: 'error', subject: '', line, message: error.message };
    return { quads, lines, fault };
  }
  return { quads, lines, fault: undefined };
}

/**
 * Reads an ontology and checks it against every rule. After a syntax error only that is reported: what follows from half
 * a text would mislead.
 */
export async function checkOntology(
  source: OntologySource,
  options: Omit<ValidateOntologyOptions, 'lines'> = {},
): Promise<Finding[]> {
  checkObject(options, 'the options');
  const { quads, lines, fault } = await readOntology(source);
  return fault === undefined ? validateOntology(quads, { ...options, lines }) : [fault];
}
