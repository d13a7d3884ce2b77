import type * as RDF from '@rdfjs/types';
import { isLiteralKind, type TermId, TermKind, UNBOUND } from '../../store/term-kind.ts';
import { booleanLiteral } from '../functions/effective-boolean-value.ts';
import type { Spend } from '../functions/regex.ts';
import { type Batch, idAt } from './batch.ts';
import { Evaluator, errorAs, Truth } from './evaluator.ts';
import type { Execution } from './execution.ts';
import { LOCAL_BASE } from './local-terms.ts';

/** A test of a text, such as a compiled regular expression. */
export type TextTest = (text: string, spend?: Spend) => boolean;

/** What it takes to read a short text and to test it, in steps of about ten nanoseconds. */
const STEPS_PER_TEST = 16;

/** A test of a variable's text, or of its STR: on the stored text, without making a term. */
export class TextTestEvaluator extends Evaluator {
  readonly #slot: number;
  readonly #ofStr: boolean;
  readonly #test: TextTest;
  readonly #general: Evaluator;

  /** `general` evaluates what the store does not hold, and what is no string. */
  constructor(slot: number, ofStr: boolean, test: TextTest, general: Evaluator) {
    super();
    this.#slot = slot;
    this.#ofStr = ofStr;
    this.#test = test;
    this.#general = general;
  }

  override test(x: Execution, batch: Batch, row: number): number {
    const id = idAt(batch, this.#slot, row);
    if (id === UNBOUND) return Truth.error;
    if (id >= LOCAL_BASE || !this.#isText(x, id)) return this.#general.test(x, batch, row);
    try {
      const text = x.dictionary.text(id);
      x.work.spend(STEPS_PER_TEST + (text.length >> 2));
      return this.#test(text, x.functions.spend) ? Truth.true : Truth.false;
    } catch (error) {
      return errorAs(error, Truth.error);
    }
  }

  #isText(x: Execution, id: TermId): boolean {
    const kind = x.dictionary.kind(id);
    if (this.#ofStr) return kind === TermKind.iri || isLiteralKind(kind);
    return kind === TermKind.string || kind === TermKind.languageString;
  }

  override term(x: Execution, batch: Batch, row: number): RDF.Term {
    const truth = this.test(x, batch, row);
    return truth === Truth.error ? this.#general.term(x, batch, row) : booleanLiteral(truth === Truth.true);
  }
}
