import { type Analyzer, FORMS_PER_STEP, formsIn } from '../analysis/analyzer.ts';
import { hashUnits, SurfaceTable, UNKNOWN } from '../analysis/surface-table.ts';
import { takesPosition } from '../analysis/token-kind.ts';
import { TokenScanner } from '../analysis/token-scanner.ts';
import { IntBuffer } from '../postings/growable.ts';
import { PostingsWriter, type SlotSource } from '../postings/postings-writer.ts';
import { LabelSetBuilder } from './label-sets.ts';
import { computeLeastLengths } from './least-lengths.ts';
import { Occurrences, type SortedOccurrences } from './occurrences.ts';
import { isMeasured, NO_VALUES, type Slots, SPACE_NAMES, type Space, type SpaceName } from './segment.ts';
import { sortTerms } from './sort-terms.ts';
import { TermArena } from './term-arena.ts';

/** Terms and postings between two chances to pause. */
const TERMS_PER_STEP = 512;
const POSTINGS_PER_STEP = 16_384;
/** Ranks that are noted between two chances to pause. */
const RANKS_PER_STEP = 65_536;
/** Number of a form that has no term. */
const STOP_WORD = -1;

const NO_LABEL_SETS = new LabelSetBuilder();

/** A builder that held more occurrences is not used again: its memory is given back. */
const MAX_REUSED_TERMS = 2048;

const scanner = new TokenScanner();

/** Builders without work: most segments are of one document, and memory for them costs more than they do. */
const idle = new Map<SpaceName, SpaceBuilder[]>(SPACE_NAMES.map((name) => [name, []]));
const MAX_IDLE = 4;

/** A builder for the terms of one kind, new or used. */
export function openSpaceBuilder(name: SpaceName, labelSets: LabelSetBuilder): SpaceBuilder {
  const builder = idle.get(name)?.pop() ?? new SpaceBuilder(name);
  builder.labelSets = labelSets;
  return builder;
}

/** Collects the terms of one kind, document after document, slot after slot, and writes them out sorted. */
export class SpaceBuilder {
  readonly #name: SpaceName;
  readonly #withPositions: boolean;
  labelSets: LabelSetBuilder = NO_LABEL_SETS;
  readonly #termNumbers = new SurfaceTable();
  readonly #terms = new TermArena();
  readonly #formsOf = new Map<Analyzer, SurfaceTable>();
  readonly #ofDocument = new IntBuffer();
  readonly #document = new IntBuffer();
  readonly #field = new IntBuffer();
  readonly #labelSet = new IntBuffer();
  readonly #isPartial = new IntBuffer();
  readonly #occurrences: Occurrences;
  #writer: PostingsWriter | undefined;

  constructor(name: SpaceName) {
    this.#name = name;
    this.#withPositions = isMeasured(name);
    this.#occurrences = new Occurrences(this.#withPositions);
  }

  get occurrenceCount(): number {
    return this.#occurrences.size;
  }

  /** Lets tables grow that would soon have to grow at once, in the midst of a text. Yields where it may pause. */
  *makeRoom(): Generator<void, void> {
    if (this.#termNumbers.isCrowded) yield* this.#termNumbers.growInSteps();
    for (const [analyzer, forms] of this.#formsOf) {
      if (forms.isCrowded) yield* forms.growInSteps();
      yield* analyzer.makeRoom();
    }
  }

  startDocument(): void {
    this.#ofDocument.push(this.#document.length);
  }

  startSlot(field: number, labelSet: number): void {
    this.#document.push(this.#ofDocument.length - 1);
    this.#field.push(field);
    this.#labelSet.push(labelSet);
    this.#isPartial.push(0);
    this.#occurrences.startSlot();
  }

  /** Opens the next value of the current slot: no phrase reaches from one into another. */
  startValue(): void {
    this.#occurrences.startValue();
  }

  /** Says that a value of the current slot has no mirror. */
  markPartial(): void {
    this.#isPartial.values[this.#isPartial.length - 1] = 1;
  }

  /** Adds the terms of a text to the current value. Each distinct form is analysed only once. */
  addText(text: string, analyzer: Analyzer): void {
    scanner.open(text);
    this.#addForms(scanner, text, analyzer, Number.MAX_SAFE_INTEGER);
  }

  /** The same for a long text. Yields where it may pause. */
  *addLongText(text: string, analyzer: Analyzer): Generator<void, void> {
    const own = new TokenScanner();
    own.open(text);
    while (this.#addForms(own, text, analyzer, FORMS_PER_STEP)) yield;
  }

  /** Adds the terms of the next surface forms of a text, some at most; false at its end. */
  #addForms(scanner: TokenScanner, text: string, analyzer: Analyzer, most: number): boolean {
    const forms = this.#formsOf.get(analyzer) ?? this.#openForms(analyzer);
    for (let left = most; left > 0; ) {
      if (!scanner.next()) return false;
      const { start, end, hash } = scanner;
      left -= formsIn(end - start);
      let number = forms.find(text, start, end, hash);
      if (number === UNKNOWN) {
        number = this.#numberOf(analyzer.termOf(text, start, end, hash));
        forms.add(text, start, end, hash, number);
      }
      if (takesPosition(scanner.kind)) {
        if (number === STOP_WORD) this.#occurrences.skip();
        else this.#occurrences.add(number);
      } else if (number !== STOP_WORD) this.#occurrences.share(number);
    }
    return true;
  }

  #openForms(analyzer: Analyzer): SurfaceTable {
    const forms = new SurfaceTable();
    this.#formsOf.set(analyzer, forms);
    return forms;
  }

  /** Adds an exact term to the current value. */
  addTerm(term: string): void {
    this.#occurrences.add(this.#termNumber(term));
  }

  #numberOf(term: string | undefined): number {
    return term === undefined ? STOP_WORD : this.#termNumber(term);
  }

  #termNumber(term: string): number {
    const { length } = term;
    const hash = hashUnits(term);
    const known = this.#termNumbers.find(term, 0, length, hash);
    if (known !== UNKNOWN) return known;
    const number = this.#terms.add(term);
    this.#termNumbers.add(term, 0, length, hash, number);
    return number;
  }

  /** Writes everything out, with bounds under weights of fields. Yields where it may pause. */
  *finish(impactWeights: readonly number[]): Generator<void, Space> {
    this.#ofDocument.push(this.#document.length);
    this.#occurrences.end();
    const order = yield* sortTerms(this.#terms);
    const rankOf = new Uint32Array(order.length);
    for (let rank = 0; rank < order.length; rank++) {
      rankOf[order[rank]] = rank;
      if (rank % RANKS_PER_STEP === RANKS_PER_STEP - 1) yield;
    }
    const slots = yield* this.#toSlots();
    const leastLength = yield* computeLeastLengths(slots, impactWeights);
    const writer = this.#openWriter({
      ...slots,
      leastLength,
      weights: impactWeights,
      union: (sets) => this.labelSets.union(sets),
    });
    yield;
    yield* this.#writePostings(writer, yield* this.#occurrences.sortByRank(rankOf));
    const terms = yield* this.#terms.toDictionary(order);
    yield;
    const values = this.#withPositions ? NO_VALUES : yield* this.#occurrences.toRanks(rankOf);
    const space = { name: this.#name, terms, slots, ...(yield* writer.finish()), values };
    this.#release();
    return space;
  }

  #openWriter(slots: SlotSource): PostingsWriter {
    if (this.#writer === undefined) this.#writer = new PostingsWriter(slots, this.#withPositions);
    else this.#writer.reset(slots);
    return this.#writer;
  }

  /** Makes the memory of a small builder ready for the next. */
  #release(): void {
    const others = idle.get(this.#name) ?? [];
    const size = Math.max(this.#terms.size, this.#document.length, this.#occurrences.size / 4);
    if (size > MAX_REUSED_TERMS || others.length === MAX_IDLE) return;
    for (const buffer of [this.#ofDocument, this.#document, this.#field, this.#labelSet, this.#isPartial])
      buffer.length = 0;
    for (const part of [this.#termNumbers, this.#terms, this.#occurrences, ...this.#formsOf.values()]) part.clear();
    this.labelSets = NO_LABEL_SETS;
    others.push(this);
  }

  *#toSlots(): Generator<void, Slots> {
    yield;
    const length = this.#withPositions ? yield* this.#occurrences.toLengths() : new Uint8Array(this.#document.length);
    yield;
    return {
      ofDocument: yield* this.#ofDocument.toUint32(),
      document: yield* this.#document.toUint32(),
      field: yield* this.#field.toColumn(),
      labelSet: yield* this.#labelSet.toColumn(),
      length,
      isPartial: yield* this.#isPartial.toColumn(),
    };
  }

  *#writePostings(writer: PostingsWriter, sorted: SortedOccurrences): Generator<void, void> {
    const { offset, slot: slotOf, position } = sorted;
    const withPositions = this.#withPositions;
    let untilPause = POSTINGS_PER_STEP;
    for (let rank = 0; rank + 1 < offset.length; rank++) {
      const end = offset[rank + 1];
      for (let start = offset[rank]; start < end; ) {
        const slot = slotOf[start];
        let next = start + 1;
        while (next < end && slotOf[next] === slot) next++;
        writer.add(slot, next - start);
        if (withPositions) writer.writePositions(position, start, next);
        start = next;
      }
      writer.endTerm();
      untilPause -= end - offset[rank] + POSTINGS_PER_STEP / TERMS_PER_STEP;
      if (untilPause > 0) continue;
      untilPause = POSTINGS_PER_STEP;
      yield;
    }
  }
}
