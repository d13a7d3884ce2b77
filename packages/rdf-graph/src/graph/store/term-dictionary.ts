import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { RememberingTerm } from '../../rdf/remembered-id.ts';
import { checkedLanguage } from '../../rdf/term-writer.ts';
import {
  blankNode,
  defaultGraph,
  languageLiteral,
  namedNode,
  quad,
  stringLiteral,
  typedOrString,
} from '../../rdf/terms.ts';
import { RDF_LANG_STRING, xsd } from '../../rdf/vocabulary.ts';
import { DEFAULT_GRAPH_ID, type TermId, TermKind } from '../port/term-kind.ts';
import type { Allocate } from './memory.ts';
import { type DictionaryArrays, type DictionaryPart, TermTable } from './term-table.ts';

const TERM_CACHE_SLOTS = 1 << 14;

/**
 * Interns RDF terms to dense ids. Lexical forms survive as written; language tags are held in lower case, which is their
 * value space. Cost of intern and find: O(length of the term), and O(1) for a term that was here before.
 */
export class TermDictionary extends TermTable {
  readonly #token: object = {};
  readonly #cachedIds = new Uint32Array(TERM_CACHE_SLOTS);
  readonly #cachedTerms: (RDF.Term | undefined)[] = new Array(TERM_CACHE_SLOTS);

  /** A dictionary from its stored parts, in the order of ids, in slices. Cost: O(bytes), without decoding any term. */
  static *fromParts(allocate: Allocate, parts: readonly DictionaryPart[]): Generator<void, TermDictionary> {
    const size = parts.reduce((sum, part) => sum + part.kinds.length, 0);
    const dictionary = new TermDictionary(allocate, Math.max(1024, Math.ceil(size * 1.25)));
    yield* dictionary.restore(parts);
    return dictionary;
  }

  /** A dictionary that reads the arrays of another one as they were; it finds terms and interns none. */
  static reading(arrays: DictionaryArrays): TermDictionary {
    const dictionary = new TermDictionary();
    dictionary.adopt(arrays);
    return dictionary;
  }

  /** The term of an id. Recently asked terms are the same objects. */
  term(id: TermId): RDF.Term {
    const slot = id & (TERM_CACHE_SLOTS - 1);
    if (this.#cachedIds[slot] === id) {
      const cached = this.#cachedTerms[slot];
      if (cached !== undefined) return cached;
    }
    const term = this.#toTerm(id);
    RememberingTerm.remember(term, this.#token, id);
    this.#cachedIds[slot] = id;
    this.#cachedTerms[slot] = term;
    return term;
  }

  /** The id of a term, made when it is new. @throws `ERR_TERM_UNSUPPORTED` (invalid) for a variable, and for no term. */
  intern(term: RDF.Term): TermId {
    return this.#resolve(term, true);
  }

  #resolve(term: RDF.Term, create: boolean): TermId {
    if (typeof term !== 'object' || term === null) throw unsupported(term);
    const known = RememberingTerm.idOf(term, this.#token);
    if (known !== 0) return known;
    const id = this.#compute(term, create);
    if (id !== 0) RememberingTerm.remember(term, this.#token, id);
    return id;
  }

  /** The id of a term that was interned before, else 0. */
  find(term: RDF.Term): TermId {
    return this.#resolve(term, false);
  }

  #compute(term: RDF.Term, create: boolean): TermId {
    switch (term.termType) {
      case 'NamedNode':
        return this.lookup(TermKind.iri, 0, textOf(term), create);
      case 'BlankNode':
        return this.lookup(TermKind.blankNode, 0, textOf(term), create);
      case 'Literal':
        textOf(term);
        return this.#resolveLiteral(term, create);
      case 'DefaultGraph':
        return DEFAULT_GRAPH_ID;
      case 'Quad':
        return this.#resolveTriple(term, create);
      default:
        throw unsupported(term);
    }
  }

  #resolveLiteral(term: RDF.Literal, create: boolean): TermId {
    if (!isLiteral(term)) throw unsupported(term);
    if (term.language !== '') {
      const direction = term.direction ? `--${term.direction}` : '';
      const language = term.language.toLowerCase() + direction;
      const tag = this.lookup(TermKind.language, 0, create ? checkedLanguage(language) : language, create);
      return tag === 0 ? 0 : this.lookup(TermKind.languageString, tag, term.value, create);
    }
    const datatype = term.datatype.value;
    // Unspecified: without a language it is a string; no syntax can say it as it is.
    if (datatype === xsd.string || datatype === RDF_LANG_STRING)
      return this.lookup(TermKind.string, 0, term.value, create);
    const datatypeId = this.lookup(TermKind.iri, 0, datatype, create);
    return datatypeId === 0 ? 0 : this.lookup(TermKind.typed, datatypeId, term.value, create);
  }

  #resolveTriple(term: RDF.BaseQuad, create: boolean): TermId {
    const s = this.#resolve(term.subject, create);
    const p = this.#resolve(term.predicate, create);
    const o = this.#resolve(term.object, create);
    return s === 0 || p === 0 || o === 0 ? 0 : this.triple(s, p, o, create);
  }

  /** The id of a quoted triple of terms, made when it is new and `create` is set; else 0. */
  triple(s: TermId, p: TermId, o: TermId, create: boolean): TermId {
    const ids = new Uint8Array(12);
    [s, p, o].forEach((id, i) => {
      for (let byte = 0; byte < 4; byte++) ids[i * 4 + byte] = (id >>> (byte * 8)) & 0xff;
    });
    return create ? this.internBytes(TermKind.triple, ids) : this.findBytes(TermKind.triple, ids);
  }

  /** Everybody who asks gets the same term, whatever they do to it: so nothing can be done to it. */
  #toTerm(id: TermId): RDF.Term {
    return Object.freeze(this.#decode(id));
  }

  #decode(id: TermId): RDF.Term {
    switch (this.kind(id)) {
      case TermKind.iri:
        return namedNode(this.text(id));
      case TermKind.blankNode:
        return blankNode(this.text(id));
      case TermKind.string:
        return stringLiteral(this.text(id));
      case TermKind.languageString:
        return languageLiteral(this.text(id), this.text(this.companion(id)));
      case TermKind.typed:
        return typedOrString(this.text(id), this.text(this.companion(id)));
      case TermKind.triple: {
        const [s, p, o] = this.tripleIds(id);
        return quad(this.term(s), this.term(p), this.term(o));
      }
      case TermKind.defaultGraph:
        return defaultGraph();
      default: {
        const message = `term ids are 1 to ${this.size - 1}; got ${id}`;
        throw new CodedError({ code: 'ERR_TERM_UNKNOWN', kind: 'internal', message });
      }
    }
  }
}

/** Returns the text of a term, checked because terms of other makers are accepted. */
function textOf(term: RDF.Term): string {
  if (typeof term.value !== 'string') throw unsupported(term);
  return term.value;
}

/** RDF/JS gives every literal a language, empty where it has none, and a datatype; callers without types may not. */
function isLiteral({ language, datatype }: { readonly language: unknown; readonly datatype: RDF.NamedNode }): boolean {
  const given: Partial<RDF.NamedNode> | null | undefined = datatype;
  return typeof language === 'string' && typeof given?.value === 'string';
}

function unsupported(term: unknown): CodedError {
  const isObject = typeof term === 'object' && term !== null;
  const { termType }: { readonly termType?: unknown } = isObject ? term : {};
  const known = typeof termType === 'string' ? termType : isObject ? 'an object' : term === null ? 'null' : typeof term;
  const got = known + (typeof termType === 'string' ? faultOf(term as RDF.Term) : '');
  const message = `a stored term is an IRI, blank node, literal or triple; got ${got}`;
  return new CodedError({ code: 'ERR_TERM_UNSUPPORTED', kind: 'invalid', message });
}

function faultOf({ termType, value }: RDF.Term): string {
  if (typeof value !== 'string') return ' whose value is no text';
  return termType === 'Literal' ? ' without a language, which may be empty, and a datatype' : '';
}
