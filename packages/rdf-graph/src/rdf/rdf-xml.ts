import { isCodedError, type SourcePosition } from '@cairn/errors';
import { RdfXmlParser } from 'rdfxml-streaming-parser';
import type { BlankNodeScope } from './blank-node-scope.ts';
import { createStreamParser, type StreamParser } from './stream-parser.ts';
import { rdfSyntaxError } from './syntax-error.ts';
import { createTermFactory } from './term-factory.ts';

/** Ontology editors declare namespaces as entities, so short ones are taken. */
const MAX_ENTITY_CHARACTERS = 1000;
const MAX_ENTITIES = 200;

/** Options of {@link createRdfXmlParser}. */
export interface RdfXmlOptions {
  readonly baseIri?: string | undefined;
  readonly blankNodes: BlankNodeScope;
}

/**
 * A parser of RDF/XML, over rdfxml-streaming-parser. Entities of the document are taken when they are short and refer to
 * nothing; nothing outside the document is ever read.
 */
export function createRdfXmlParser(options: RdfXmlOptions): StreamParser {
  const parser = new GuardedParser({
    dataFactory: createTermFactory(options.blankNodes),
    trackPosition: true,
    ...(options.baseIri !== undefined && { baseIRI: options.baseIri }),
  });
  return createStreamParser(parser, toRdfXmlError);
}

class GuardedParser extends RdfXmlParser {
  protected override onDoctype(doctype: string): void {
    checkEntities(doctype);
    super.onDoctype(doctype);
  }
}

const ENTITY = /<!ENTITY\s+(%\s+)?[^\s]+\s+(?:(SYSTEM|PUBLIC)\b|"([^"]*)"|'([^']*)'|)/g;

/** Refuses what could make a short document long: entities that are long, many, nested, or elsewhere. */
function checkEntities(doctype: string): void {
  let count = 0;
  for (const [, parameter, external, double, single] of doctype.matchAll(ENTITY)) {
    const value = double ?? single ?? '';
    if (parameter !== undefined || external !== undefined) throw refused('an entity that is not plain text');
    if (/[&%]/.test(value)) throw refused('an entity that refers to another one');
    if (value.length > MAX_ENTITY_CHARACTERS)
      throw refused(`an entity of more than ${MAX_ENTITY_CHARACTERS} characters`);
    if (++count > MAX_ENTITIES) throw refused(`more than ${MAX_ENTITIES} entities`);
  }
}

function refused(what: string): Error {
  return rdfSyntaxError('RDF/XML', `the document type declares ${what}`);
}

/** The library starts its messages with `LINE:COLUMN: `. */
const PLACE = /^(?:[^:\n]*:)?(\d+):(\d+): /;

function toRdfXmlError(error: Error): Error {
  if (isCodedError(error)) return error;
  const place = PLACE.exec(error.message);
  const problem = error.message.replace(PLACE, '').replace(/".*"|'.*'/s, 'value');
  return rdfSyntaxError('RDF/XML', problem, place === null ? undefined : toPosition(place), { cause: error });
}

function toPosition(place: RegExpExecArray): SourcePosition {
  return { offset: 0, line: Number(place[1]), column: Number(place[2]) };
}
