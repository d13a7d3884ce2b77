import type { Analyzer } from '../analysis/analyzer.ts';
import { IntBuffer } from '../postings/growable.ts';
import { VALUE_STRIDE } from '../postings/positions.ts';
import { PostingsWriter } from '../postings/postings-writer.ts';
import type { LabelSetBuilder } from './label-sets.ts';
import { computeLeastLengths } from './least-lengths.ts';
import type { SlotValues, Space, SpaceName } from './space.ts';
import { buildTermDictionary, sortByCodePoint } from './term-dictionary.ts';

/** Terms between two chances to pause. */
const TERMS_PER_STEP = 128;
/** What stands for the number of a form that has no term. */
const STOP_WORD = -1;

/** Collects the terms of one kind, document after document, slot after slot, and writes them out sorted. */
export class SpaceBuilder {
  private readonly name: SpaceName;
  private readonly labelSets: LabelSetBuilder;
  private readonly termNumbers = new Map<string, number>();
  /** For each analyzer the term numbers of surface forms. */
  private readonly formsOf = new Map<Analyzer, Map<string, number>>();
  private analyzer: Analyzer | undefined;
  private formNumbers = new Map<string, number>();
  private readonly ofDocument = new IntBuffer();
  private readonly document = new IntBuffer();
  private readonly field = new IntBuffer();
  private readonly labelSet = new IntBuffer();
  private readonly length = new IntBuffer();
  private readonly isPartial = new IntBuffer();
  /** One entry for each occurrence of a term, in document order. */
  private readonly occurrenceTerm = new IntBuffer(64);
  private readonly occurrenceSlot = new IntBuffer(64);
  private readonly occurrenceValue = new IntBuffer(64);
  private readonly occurrenceOffset = new IntBuffer(64);
  private value = 0;

  constructor(name: SpaceName, labelSets: LabelSetBuilder) {
    this.name = name;
    this.labelSets = labelSets;
  }

  private get withPositions(): boolean {
    return this.name === 'text' || this.name === 'typeahead';
  }

  startDocument(): void {
    this.ofDocument.push(this.document.length);
  }

  /** Opens the slot of a field and a label set of the current document. */
  startSlot(field: number, labelSet: number): void {
    this.document.push(this.ofDocument.length - 1);
    this.field.push(field);
    this.labelSet.push(labelSet);
    this.length.push(0);
    this.isPartial.push(0);
    this.value = -1;
  }

  /** Opens the next value of the current slot: no phrase reaches from one into another. */
  startValue(): void {
    this.value++;
  }

  /** Says that a value of the current slot has no mirror. */
  markPartial(): void {
    this.isPartial.values[this.isPartial.length - 1] = 1;
  }

  /** Adds the term of a surface form, unless it is a stop word. Each distinct form is looked up only once. */
  addSurface(surface: string, position: number, analyzer: Analyzer): void {
    if (analyzer !== this.analyzer) this.useAnalyzer(analyzer);
    let number = this.formNumbers.get(surface);
    if (number === undefined) {
      const term = analyzer.toTerm(surface);
      number = term === undefined ? STOP_WORD : this.termNumber(term);
      this.formNumbers.set(surface, number);
    }
    if (number !== STOP_WORD) this.addOccurrence(number, position);
  }

  /** Adds a term of the current value at a position in it. */
  add(term: string, position: number): void {
    this.addOccurrence(this.termNumber(term), position);
  }

  private useAnalyzer(analyzer: Analyzer): void {
    this.analyzer = analyzer;
    const known = this.formsOf.get(analyzer);
    this.formNumbers = known ?? new Map();
    if (known === undefined) this.formsOf.set(analyzer, this.formNumbers);
  }

  private termNumber(term: string): number {
    let number = this.termNumbers.get(term);
    if (number === undefined) {
      number = this.termNumbers.size;
      this.termNumbers.set(term, number);
    }
    return number;
  }

  private addOccurrence(number: number, position: number): void {
    this.occurrenceTerm.push(number);
    this.occurrenceSlot.push(this.document.length - 1);
    if (!this.withPositions) return;
    this.occurrenceValue.push(this.value);
    this.occurrenceOffset.push(position < VALUE_STRIDE ? position : VALUE_STRIDE - 1);
    this.length.values[this.length.length - 1]!++;
  }

  /** Writes everything out, with bounds under weights of fields. Yields where it may pause. */
  *finish(impactWeights: readonly number[]): Generator<void, Space> {
    this.ofDocument.push(this.document.length);
    const terms = sortByCodePoint([...this.termNumbers.keys()]);
    const rankOf = new Uint32Array(terms.length);
    terms.forEach((term, rank) => {
      rankOf[this.termNumbers.get(term)!] = rank;
    });
    const ranks = this.occurrenceTerm.values.subarray(0, this.occurrenceTerm.length).map((number) => rankOf[number]!);
    const slots = {
      ofDocument: this.ofDocument.toUint32(),
      document: this.document.toUint32(),
      field: this.field.toColumn(),
      labelSet: this.labelSet.toColumn(),
      length: this.length.toColumn(),
      isPartial: this.isPartial.toColumn(),
    };
    const writer = new PostingsWriter(
      {
        ...slots,
        leastLength: computeLeastLengths(slots, impactWeights),
        weights: impactWeights,
        union: (sets) => this.labelSets.union(sets),
      },
      this.withPositions,
    );
    yield;
    yield* this.writePostings(writer, ranks, terms.length);
    yield;
    return {
      name: this.name,
      terms: buildTermDictionary(terms),
      slots,
      ...writer.finish(),
      values: this.withPositions ? NO_VALUES : this.toValues(ranks),
    };
  }

  private *writePostings(writer: PostingsWriter, ranks: Uint32Array, termCount: number): Generator<void, void> {
    const { order, offset } = sortByRank(ranks, termCount);
    const slotOf = this.occurrenceSlot.values;
    let positions = new Float64Array(64);
    for (let rank = 0; rank < termCount; rank++) {
      const end = offset[rank + 1]!;
      for (let start = offset[rank]!; start < end; ) {
        const slot = slotOf[order[start]!]!;
        let next = start + 1;
        while (next < end && slotOf[order[next]!] === slot) next++;
        writer.add(slot, next - start);
        if (this.withPositions) {
          if (positions.length < next - start) positions = new Float64Array((next - start) * 2);
          for (let i = start; i < next; i++) positions[i - start] = this.positionOf(order[i]!);
          writer.writePositions(positions, 0, next - start);
        }
        start = next;
      }
      writer.endTerm();
      if (rank % TERMS_PER_STEP === TERMS_PER_STEP - 1) yield;
    }
  }

  private positionOf(occurrence: number): number {
    return this.occurrenceValue.values[occurrence]! * VALUE_STRIDE + this.occurrenceOffset.values[occurrence]!;
  }

  /** Occurrences are in slot order already: the values of each slot are a run of them. */
  private toValues(ranks: Uint32Array): SlotValues {
    const values = new IntBuffer(ranks.length + 1);
    const offset = new Uint32Array(this.document.length + 1);
    for (let i = 0; i < ranks.length; i++) {
      values.push(ranks[i]!);
      offset[this.occurrenceSlot.values[i]! + 1]!++;
    }
    for (let slot = 0; slot < this.document.length; slot++) offset[slot + 1]! += offset[slot]!;
    return { offset, term: values.toColumn() };
  }
}

const NO_VALUES: SlotValues = { offset: new Uint32Array(0), term: new Uint8Array(0) };

/** Stable counting sort: occurrences by the rank of their term, and where each rank begins. */
function sortByRank(ranks: Uint32Array, termCount: number): { order: Uint32Array; offset: Uint32Array } {
  const offset = new Uint32Array(termCount + 1);
  for (let i = 0; i < ranks.length; i++) offset[ranks[i]! + 1]!++;
  for (let rank = 0; rank < termCount; rank++) offset[rank + 1]! += offset[rank]!;
  const next = offset.slice();
  const order = new Uint32Array(ranks.length);
  for (let i = 0; i < ranks.length; i++) order[next[ranks[i]!]!++] = i;
  return { order, offset };
}
