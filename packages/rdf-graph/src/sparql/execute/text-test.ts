import { isLiteralKind, type TermId, TermKind, UNBOUND } from '../../graph/port/term-kind.ts';
import type { Spend } from '../../xpath/regex.ts';
import { type Batch, idAt } from './batch.ts';
import { type Evaluator, errorAs, TestEvaluator, Truth } from './evaluator.ts';
import type { Execution } from './execution.ts';
import { LOCAL_BASE } from './local-terms.ts';

/** A test of a text, such as a compiled regular expression. */
export type TextTest = (text: string, spend?: Spend) => boolean;

/** Cost of reading a short text and testing it, in steps of about ten nanoseconds. */
const STEPS_PER_TEST = 16;

/** A test of a variable's text, or of its STR: on the stored text, without making a term. */
export class TextTestEvaluator extends TestEvaluator {
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

  override test(execution: Execution, batch: Batch, row: number): number {
    const id = idAt(batch, this.#slot, row);
    if (id === UNBOUND) return Truth.error;
    if (id >= LOCAL_BASE || !this.#isText(execution, id)) return this.#general.test(execution, batch, row);
    try {
      const text = execution.dictionary.text(id);
      execution.work.spend(STEPS_PER_TEST + (text.length >> 2));
      return this.#test(text, execution.functions.spend) ? Truth.true : Truth.false;
    } catch (error) {
      return errorAs(error, Truth.error);
    }
  }

  #isText(execution: Execution, id: TermId): boolean {
    const kind = execution.dictionary.kind(id);
    if (this.#ofStr) return kind === TermKind.iri || isLiteralKind(kind);
    return kind === TermKind.string || kind === TermKind.languageString;
  }
}
