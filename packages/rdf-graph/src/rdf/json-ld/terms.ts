import type * as RDF from '@rdfjs/types';
import type { BlankNodeScope } from '../blank-node-scope.ts';
import { isAbsoluteIri } from '../iri.ts';
import { createTermFactory } from '../term-factory.ts';
import type { TextBudget } from '../text-budget.ts';
import { RDF_NS, xsd } from '../vocabulary.ts';
import { isWellFormed } from '../well-formed.ts';
import { type JsonValue, writeCanonicalJson } from './json.ts';

const LANGUAGE = /^[a-zA-Z]+(?:-[a-zA-Z0-9]+)*$/;

const RDF_JSON = `${RDF_NS}JSON`;

/** A value without fractions above this is written as a double. */
const MAX_INTEGER = 1e21;

/** Makes the terms of one document. What RDF cannot say has none: its triples are left out. */
export class TermMaker {
  readonly #factory: RDF.DataFactory;
  readonly #blankNodes: BlankNodeScope;

  constructor(blankNodes: BlankNodeScope, budget: TextBudget) {
    this.#factory = createTermFactory(blankNodes, budget);
    this.#blankNodes = blankNodes;
  }

  fresh(): RDF.BlankNode {
    return this.#blankNodes.fresh();
  }

  iri(absolute: string): RDF.NamedNode {
    return this.#factory.namedNode(absolute);
  }

  /**
   * The term of an expanded IRI or label. @param hasBase false where a relative IRI is an error
   * @throws for a relative IRI that nothing could resolve
   */
  resource(iri: string | undefined, hasBase: boolean): RDF.NamedNode | RDF.BlankNode | undefined {
    if (iri === undefined) return undefined;
    if (iri.startsWith('_:')) {
      if (!isWellFormed(iri)) throw new Error('expected whole characters: an escape stands for half of one');
      return this.#blankNodes.labelled(iri.slice(2));
    }
    if (isAbsoluteIri(iri)) return this.iri(iri);
    const isRelative = !hasBase && !/^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(iri);
    if (isRelative) throw new Error('expected an absolute IRI: there is no base for a relative one');
    return undefined;
  }

  /** A text in a language; without one it is a string. */
  text(value: string, language: string | null | undefined): RDF.Literal | undefined {
    if (language === undefined || language === null) return this.#factory.literal(value);
    return LANGUAGE.test(language) ? this.#factory.literal(value, language) : undefined;
  }

  /** A JSON value that is no text: its type is that of JSON unless another is said. */
  native(value: number | boolean, type: string | undefined): RDF.Literal | undefined {
    if (typeof value === 'boolean') return this.typed(String(value), type ?? xsd.boolean);
    const isInteger = Number.isInteger(value) && Math.abs(value) < MAX_INTEGER && type !== xsd.double;
    if (isInteger) return this.typed(String(value + 0), type ?? xsd.integer);
    return this.typed(toCanonicalDouble(value), type ?? xsd.double);
  }

  typed(value: string, type: string): RDF.Literal | undefined {
    return isAbsoluteIri(type) ? this.#factory.literal(value, this.iri(type)) : undefined;
  }

  json(value: JsonValue): RDF.Literal {
    return this.#factory.literal(writeCanonicalJson(value), this.iri(RDF_JSON));
  }
}

/** Source: JSON-LD 1.1 API, 8.6 */
function toCanonicalDouble(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF';
  return value.toExponential(15).replace(/(\d)0*e\+?/, '$1E');
}
