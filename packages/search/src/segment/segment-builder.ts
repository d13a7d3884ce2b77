import { getAnalyzer, MAX_SHORT_TEXT } from '../analysis/analyzer.ts';
import type { FieldGroup, LabelledDocument } from '../document/labelled-document.ts';
import type { FieldMapping, IndexMapping } from '../mapping/index-mapping.ts';
import type { IndexedValue } from '../mapping/value.ts';
import { recall } from '../memory/recall.ts';
import { IntBuffer } from '../postings/growable.ts';
import { LabelSetBuilder } from './label-sets.ts';
import { toImpactWeights } from './least-lengths.ts';
import { NumberBuilder } from './number-builder.ts';
import { bySpace, bySpaceInSteps, type NumericColumn, type Segment, SPACE_NAMES, type SpaceName } from './segment.ts';
import { openSpaceBuilder, type SpaceBuilder } from './space-builder.ts';
import { StoredDocumentsBuilder } from './stored-documents.ts';
import { buildTermDictionary } from './term-arena.ts';

/** Values of one field that are added between two chances to pause. */
const VALUES_PER_STEP = 256;
/** Documents between two looks at how full the tables of terms are. */
const DOCUMENTS_PER_LOOK = 16;

/** Builds one segment: `add` documents in ascending code-point order of id, then `finish`. */
export class SegmentBuilder {
  readonly #mapping: IndexMapping;
  readonly #labelSets = new LabelSetBuilder();
  readonly #fieldNumbers = new Map<string, number>();
  readonly #spaces: Readonly<Record<SpaceName, SpaceBuilder>>;
  readonly #numbers = new Map<string, NumberBuilder>();
  readonly #ids: string[] = [];
  readonly #documentLabelSet = new IntBuffer();
  readonly #stored = new StoredDocumentsBuilder();
  readonly #simple = getAnalyzer('simple');

  constructor(mapping: IndexMapping) {
    this.#mapping = mapping;
    this.#spaces = bySpace((name) => openSpaceBuilder(name, this.#labelSets));
  }

  get documentCount(): number {
    return this.#ids.length;
  }

  get occurrenceCount(): number {
    return SPACE_NAMES.reduce((sum, name) => sum + this.#spaces[name].occurrenceCount, 0);
  }

  /** Yields where it may pause. */
  *add(document: LabelledDocument): Generator<void, void> {
    if (this.#ids.length % DOCUMENTS_PER_LOOK === DOCUMENTS_PER_LOOK - 1) {
      for (const name of SPACE_NAMES) yield* this.#spaces[name].makeRoom();
    }
    this.#ids.push(document.id);
    this.#documentLabelSet.push(this.#labelSets.intern(document.labels));
    this.#stored.add(document.document);
    for (const name of SPACE_NAMES) this.#spaces[name].startDocument();
    for (const group of document.groups) {
      const field = recall(this.#fieldNumbers, group.path, () => this.#fieldNumbers.size);
      const labelSet = this.#labelSets.intern(group.labels);
      if (!this.#addShortTexts(group, field, labelSet)) yield* this.#addLongTexts(group, field, labelSet);
      const open: SpaceBuilder[] = [];
      for (let at = 0; at < group.values.length; at += VALUES_PER_STEP) {
        if (at > 0) yield;
        this.#addExact(group.values, at, field, labelSet, open);
      }
      this.#addNumbers(group, labelSet);
    }
  }

  /** Writes everything out. Yields where it may pause. */
  *finish(): Generator<void, Segment> {
    const impactWeights = toImpactWeights(this.#fieldNumbers.keys(), this.#mapping);
    const spaces = yield* bySpaceInSteps((name) => this.#spaces[name].finish(impactWeights));
    const numbers: NumericColumn[] = [];
    for (const builder of this.#numbers.values()) numbers.push(yield* builder.finish());
    return {
      index: this.#mapping.name,
      documentCount: this.#ids.length,
      ids: yield* buildTermDictionary(this.#ids),
      documentLabelSet: yield* this.#documentLabelSet.toColumn(),
      labelSets: { labels: this.#labelSets.labels, sets: this.#labelSets.sets },
      fields: [...this.#fieldNumbers.keys()],
      impactWeights,
      spaces,
      numbers,
      stored: yield* this.#stored.finish(),
    };
  }

  /** Adds the text of a group at once, as most need no pause; false when it needs one. */
  #addShortTexts({ path, values }: FieldGroup, field: number, labelSet: number): boolean {
    if (!values.some(isText)) return true;
    if (!isSmall(values)) return false;
    const mapping = this.#mapping.field(path);
    this.#startText(field, labelSet, mapping);
    for (const value of values) this.#addText(value, mapping);
    return true;
  }

  *#addLongTexts({ path, values }: FieldGroup, field: number, labelSet: number): Generator<void, void> {
    const mapping = this.#mapping.field(path);
    this.#startText(field, labelSet, mapping);
    let count = 0;
    for (const value of values) {
      if (++count % VALUES_PER_STEP === 0) yield;
      if (value.text !== undefined && value.text.length > MAX_SHORT_TEXT) yield* this.#addLongText(value, mapping);
      else this.#addText(value, mapping);
    }
  }

  #startText(field: number, labelSet: number, { isTypeahead }: FieldMapping): void {
    this.#spaces.text.startSlot(field, labelSet);
    if (isTypeahead) this.#spaces.typeahead.startSlot(field, labelSet);
  }

  #addText({ text, isMirror, analyzer }: IndexedValue, mapping: FieldMapping): void {
    if (text === undefined) return;
    const { text: words, typeahead } = this.#spaces;
    if (isMirror !== true) words.markPartial();
    words.startValue();
    words.addText(text, analyzer ?? mapping.analyzer);
    if (!mapping.isTypeahead) return;
    typeahead.startValue();
    typeahead.addText(text, this.#simple);
  }

  *#addLongText({ text = '', isMirror, analyzer }: IndexedValue, mapping: FieldMapping): Generator<void, void> {
    const { text: words, typeahead } = this.#spaces;
    if (isMirror !== true) words.markPartial();
    words.startValue();
    yield* words.addLongText(text, analyzer ?? mapping.analyzer);
    if (!mapping.isTypeahead) return;
    typeahead.startValue();
    yield* typeahead.addLongText(text, this.#simple);
  }

  /** Adds some of the exact values of a group, from `at` on. `open` gets the spaces that have a slot of the group. */
  #addExact(values: readonly IndexedValue[], at: number, field: number, labelSet: number, open: SpaceBuilder[]): void {
    const end = Math.min(values.length, at + VALUES_PER_STEP);
    for (let i = at; i < end; i++) {
      const { keyword, isMirror } = values[i];
      if (keyword === undefined) continue;
      const space = this.#spaces[isMirror === true ? 'mirror' : 'keyword'];
      if (!open.includes(space)) {
        space.startSlot(field, labelSet);
        space.startValue();
        open.push(space);
      }
      space.addTerm(keyword);
    }
  }

  #addNumbers(group: FieldGroup, labelSet: number): void {
    for (const { number, isDate = false } of group.values) {
      if (number === undefined) continue;
      const column = recall(this.#numbers, group.path, (path) => new NumberBuilder(path));
      column.add(this.#ids.length - 1, labelSet, number, isDate);
    }
  }
}

/** Returns true if the texts of some values may be added without a pause. */
function isSmall(values: readonly IndexedValue[]): boolean {
  if (values.length > VALUES_PER_STEP) return false;
  let units = 0;
  for (const { text } of values) if (text !== undefined) units += text.length;
  return units <= MAX_SHORT_TEXT;
}

function isText({ text }: IndexedValue): boolean {
  return text !== undefined;
}
