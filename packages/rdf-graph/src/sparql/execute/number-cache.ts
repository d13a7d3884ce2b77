import type * as RDF from '@rdfjs/types';
import { type TermId, TermKind } from '../../graph/port/term-kind.ts';
import type { TermDictionary } from '../../graph/store/term-dictionary.ts';
import { xsd } from '../../rdf/vocabulary.ts';
import { LOCAL_BASE, type LocalTerms } from './local-terms.ts';

/** Ids that lie side by side: a query that looks at few numbers takes few pages, whatever else the dictionary holds. */
const PAGE_BITS = 10;
const PAGE_SIZE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE_SIZE - 1;

export const NumberKind = { unknown: 0, none: 1, integer: 2, decimal: 3, double: 4 } as const;

const INTEGER = /^[+-]?\d{1,15}$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
const DOUBLE = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Numbers of terms by id, where a double holds them so well that comparing doubles compares the values: integers of up
 * to 15 digits, decimals of up to 15 digits, and finite doubles. Everything else is left to the function library.
 */
export class NumberCache {
  readonly #dictionary: TermDictionary;
  readonly #locals: LocalTerms;
  /** Pages of ids; `undefined` where no number was asked for. */
  readonly #values: (Float64Array | undefined)[] = [];
  readonly #kinds: (Uint8Array | undefined)[] = [];

  constructor(dictionary: TermDictionary, locals: LocalTerms) {
    this.#dictionary = dictionary;
    this.#locals = locals;
  }

  /** The number of a term, or NaN. */
  value(id: TermId): number {
    if (id >= LOCAL_BASE) return toSimpleNumber(this.#locals.term(id)).value;
    const at = id & PAGE_MASK;
    const page = id >>> PAGE_BITS;
    const kinds = this.#kinds[page];
    if (kinds === undefined || kinds[at] === NumberKind.unknown) this.#compute(id);
    // biome-ignore lint/style/noNonNullAssertion: computed above; hot: any other way to say so costs filters a twentieth
    return this.#values[page]![at];
  }

  /** The number of a term of type xsd:integer, or NaN. */
  integer(id: TermId): number {
    const kinds = this.#kinds[id >>> PAGE_BITS];
    // biome-ignore lint/style/noNonNullAssertion: a page of kinds has its values
    if (kinds?.[id & PAGE_MASK] === NumberKind.integer) return this.#values[id >>> PAGE_BITS]![id & PAGE_MASK];
    return this.kind(id) === NumberKind.integer ? this.value(id) : Number.NaN;
  }

  /** Returns the type of a term's number, {@link NumberKind.none} when it has none. */
  kind(id: TermId): number {
    if (id >= LOCAL_BASE) return toSimpleNumber(this.#locals.term(id)).kind;
    const at = id & PAGE_MASK;
    const page = id >>> PAGE_BITS;
    const kinds = this.#kinds[page];
    if (kinds === undefined || kinds[at] === NumberKind.unknown) this.#compute(id);
    // biome-ignore lint/style/noNonNullAssertion: computed above; hot: any other way to say so costs filters a twentieth
    return this.#kinds[page]![at];
  }

  #compute(id: TermId): void {
    let number = NONE;
    if (this.#dictionary.kind(id) === TermKind.typed) {
      number = parseSimple(this.#dictionary.text(id), this.#dictionary.text(this.#dictionary.companion(id)));
    }
    const page = id >>> PAGE_BITS;
    this.#kinds[page] ??= new Uint8Array(PAGE_SIZE);
    this.#values[page] ??= new Float64Array(PAGE_SIZE);
    this.#kinds[page][id & PAGE_MASK] = number.kind;
    this.#values[page][id & PAGE_MASK] = number.value;
  }
}

interface SimpleNumber {
  readonly kind: number;
  readonly value: number;
}

const NONE: SimpleNumber = { kind: NumberKind.none, value: Number.NaN };

function toSimpleNumber(term: RDF.Term): SimpleNumber {
  return term.termType === 'Literal' ? parseSimple(term.value, term.datatype.value) : NONE;
}

function parseSimple(text: string, datatype: string): SimpleNumber {
  switch (datatype) {
    case xsd.integer:
      return INTEGER.test(text) ? { kind: NumberKind.integer, value: Number(text) + 0 } : NONE;
    case xsd.decimal:
      return text.length <= 16 && DECIMAL.test(text) ? { kind: NumberKind.decimal, value: Number(text) + 0 } : NONE;
    case xsd.double:
      return DOUBLE.test(text) && Number.isFinite(Number(text))
        ? { kind: NumberKind.double, value: Number(text) }
        : NONE;
    default:
      return NONE;
  }
}
