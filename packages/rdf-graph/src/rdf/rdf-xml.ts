import { isCodedError, type SourcePosition } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { RdfXmlParser } from 'rdfxml-streaming-parser';
import { createStreamParser, type DocumentOptions, type DocumentParser } from './document-parser.ts';
import { resolveIri } from './iri.ts';
import { rdfSyntaxError, rdfTooLarge } from './syntax-error.ts';
import { createTermFactory } from './term-factory.ts';
import { TextBudget } from './text-budget.ts';

/** Ontology editors declare namespaces as entities, so short ones are taken. */
const MAX_ENTITY_CHARACTERS = 1000;
const MAX_ENTITIES = 200;
/** Elements inside one another. */
const MAX_DEPTH = 1_000;
/** A tag with its attributes. */
const MAX_TAG_UNITS = 2 ** 17;

/**
 * A parser of RDF/XML, over rdfxml-streaming-parser. Entities of the document are taken when they are short and refer to
 * nothing; nothing outside the document is ever read. The document is one element, whole.
 */
export function createRdfXmlParser(options: DocumentOptions): DocumentParser {
  const budget = new TextBudget();
  const parser = new GuardedParser(options, budget);
  const fed = createStreamParser(parser, (error) => error);
  const tokens = new TokenLengths(options.maxTokenUnits);
  return {
    push(text) {
      budget.read(text.length);
      tokens.inspect(text);
      return fed.push(text);
    },
    finish: fed.finish,
  };
}

/** Bounds what is between two angle brackets; a tag is held to less, for its attributes are read at once. */
class TokenLengths {
  readonly #max: number;
  #open = 0;
  #isTag = false;

  constructor(max: number) {
    this.#max = max;
  }

  inspect(text: string): void {
    const last = Math.max(text.lastIndexOf('<'), text.lastIndexOf('>'));
    if (last >= 0) this.#isTag = text[last] === '<' && text[last + 1] !== '!';
    this.#open = last < 0 ? this.#open + text.length : text.length - last - 1;
    const max = this.#isTag ? Math.min(MAX_TAG_UNITS, this.#max) : this.#max;
    if (this.#open > max) throw rdfTooLarge('a text or tag of RDF/XML in UTF-16 units', max);
  }
}

/** The part of the library's tokenizer that is needed here. */
interface Tokenizer {
  readonly ENTITIES: Record<string, string>;
  /** UTF-16 units that were read. */
  readonly position: number;
  /** 1-based. */
  readonly line: number;
  /** UTF-16 units of the line that were read. */
  readonly columnIndex: number;
  on(event: 'error', listener: (error: Error) => void): void;
  close(): void;
}

type Done = (error?: Error | null) => void;

class GuardedParser extends RdfXmlParser {
  readonly #budget: TextBudget;
  readonly #tokenizer: Tokenizer;
  /** The language of each open element, as it is written; the library lowers its letters. */
  readonly #languages: string[] = [];
  /** The base of each open element, as it is written; the library takes dot segments out, and knows none of properties. */
  readonly #bases: (string | undefined)[];

  constructor({ blankNodes, baseIri }: DocumentOptions, budget: TextBudget) {
    super({
      dataFactory: createTermFactory(blankNodes, budget),
      trackPosition: true,
      ...(baseIri !== undefined && { baseIRI: baseIri }),
    });
    this.#budget = budget;
    this.#bases = [baseIri];
    this.#tokenizer = Reflect.get(this, 'saxParser') as Tokenizer;
    // It reads on after an error, so the place has to be noted at once.
    this.#tokenizer.on('error', (error) => void this.emit('error', this.#toSyntaxError(error)));
  }

  protected override onDoctype(doctype: string): void {
    checkEntities(doctype);
    super.onDoctype(doctype);
    for (const [name, text] of Object.entries(this.#tokenizer.ENTITIES)) this.#countUses(name, text);
  }

  protected override onTag(tag: Parameters<RdfXmlParser['onTag']>[0]): void {
    if (this.#languages.length >= MAX_DEPTH) throw rdfTooLarge('the nesting of RDF/XML', MAX_DEPTH);
    this.#languages.push(tag.attributes['xml:lang']?.value ?? this.#languages.at(-1) ?? '');
    const base = this.#bases.at(-1);
    const stated = tag.attributes['xml:base']?.value;
    this.#bases.push(stated === undefined ? base : (resolveIri(stated, base) ?? stated));
    super.onTag(tag);
  }

  protected override onCloseTag(): void {
    super.onCloseTag();
    this.#languages.pop();
    this.#bases.pop();
  }

  override createLiteral(...[value, tag]: Parameters<RdfXmlParser['createLiteral']>): RDF.Literal {
    const written = this.#languages.at(-1);
    if (tag.language && written) tag.language = written;
    return super.createLiteral(value, tag);
  }

  /** Absolute IRIs stay as they are written (RDF 1.1 Concepts, 3.2), others are resolved by RFC 3986, 5.2. */
  override valueToUri(value: string): RDF.NamedNode {
    const iri = resolveIri(value, this.#bases.at(-1));
    if (iri === undefined)
      throw new Error('an IRI is relative without a base, or holds a character that none may hold');
    return this.uriToNamedNode(iri);
  }

  override newParseError(message: string): Error {
    return new Error(message);
  }

  override _transform(...[chunk, encoding, callback]: Parameters<RdfXmlParser['_transform']>): void {
    super._transform(chunk, encoding, (error) => callback(error && this.#toSyntaxError(error)));
  }

  /** Without it the end of a text that was cut would be taken for the end of the document. */
  override _flush(callback: Done): void {
    try {
      this.#tokenizer.close();
      callback();
    } catch (error) {
      callback(this.#toSyntaxError(error as Error));
    }
  }

  /** The error of what was read last. What is quoted from the text stays out of the message. */
  #toSyntaxError(error: Error): Error {
    if (isCodedError(error)) return error;
    const { position: offset, line, columnIndex } = this.#tokenizer;
    const place: SourcePosition = { offset, line, column: columnIndex + 1 };
    const problem = error.message.replace(PLACE, '').replace(/".*"|'.*'/s, 'value');
    return rdfSyntaxError('RDF/XML', problem, place, { cause: error });
  }

  /** The tokenizer looks an entity up each time that it is used. */
  #countUses(name: string, text: string): void {
    const get = (): string => {
      this.#budget.make(text.length);
      return text;
    };
    Object.defineProperty(this.#tokenizer.ENTITIES, name, { get, enumerable: true, configurable: true });
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
  return new Error(`the document type declares ${what}`);
}

/** The tokenizer starts its messages with `LINE:COLUMN: `. */
const PLACE = /^(?:[^:\n]*:)?\d+:\d+: /;
