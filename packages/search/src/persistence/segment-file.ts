import type { Column } from '../postings/growable.ts';
import type { LabelSets } from '../segment/label-sets.ts';
import { bySpace, type Segment, SPACE_NAMES, type Space, type SpaceName } from '../segment/segment.ts';
import { TermDictionary } from '../segment/term-dictionary.ts';
import { checksumInSteps } from './checksum.ts';
import {
  corruptBlob,
  decodeSectionFile,
  encodeSectionFile,
  type SectionArray,
  type SectionFile,
  type SectionSource,
} from './section-file.ts';
import { findContradiction } from './segment-checks.ts';

interface SegmentHeader {
  readonly index: string;
  readonly documentCount: number;
  readonly fields: readonly string[];
  readonly impactWeights: readonly number[];
  readonly labelSets: LabelSets;
  readonly numbers: readonly string[];
  /** Checksum of the blob that holds the documents. */
  readonly storedChecksum: number;
}

type Arrays = Record<string, SectionArray>;

/** Encodes a segment without its documents, which are a blob of their own. Yields where it may pause. */
export function* encodeSegment(segment: Segment): Generator<void, Uint8Array> {
  const header: SegmentHeader = {
    index: segment.index,
    documentCount: segment.documentCount,
    fields: segment.fields,
    impactWeights: segment.impactWeights,
    labelSets: segment.labelSets,
    numbers: segment.numbers.map(({ path }) => path),
    storedChecksum: yield* checksumInSteps(segment.stored.bytes),
  };
  const sections: Arrays = {
    'ids.offsets': segment.ids.offsets,
    'ids.bytes': segment.ids.bytes,
    documentLabelSet: segment.documentLabelSet,
    'stored.offset': segment.stored.offset,
  };
  for (const name of SPACE_NAMES) addSpace(sections, name, segment.spaces[name]);
  segment.numbers.forEach((column, number) => {
    const { path: _path, ...arrays } = column;
    for (const [key, array] of Object.entries(arrays)) sections[`numbers.${number}.${key}`] = array;
  });
  return yield* encodeSectionFile({ header, sections });
}

/**
 * Decodes a segment from its blob and that of its documents. Cost: a checksum over both, and a look at every column of a
 * segment whose checksum nothing names but itself; no analysis. Yields where it may pause.
 * @throws `ERR_SEGMENT_CORRUPT` (corrupt), naming the blob, when a checksum differs or parts contradict each other.
 */
export function* decodeSegment(source: SectionSource, documents: SectionSource): Generator<void, Segment> {
  const file = new SegmentSections(yield* decodeSectionFile(source), source.blob);
  const header = readHeader(file);
  const storedChecksum = yield* checksumInSteps(documents.bytes);
  if (storedChecksum !== header.storedChecksum) throw corruptBlob(documents.blob, 'its checksum differs');
  const segment: Segment = {
    index: header.index,
    documentCount: header.documentCount,
    ids: file.dictionary('ids'),
    documentLabelSet: file.column('documentLabelSet'),
    labelSets: header.labelSets,
    fields: header.fields,
    impactWeights: header.impactWeights,
    spaces: bySpace((name) => readSpace(file, name)),
    numbers: header.numbers.map((path, number) => ({
      path,
      document: file.array(`numbers.${number}.document`, Uint32Array),
      labelSet: file.column(`numbers.${number}.labelSet`),
      value: file.array(`numbers.${number}.value`, Float64Array),
      isDate: file.array(`numbers.${number}.isDate`, Uint8Array),
    })),
    stored: { offset: file.array('stored.offset', Float64Array), bytes: documents.bytes },
  };
  // What has the checksum that its manifest names too is what was written, byte for byte.
  const problem = source.checksum === undefined ? yield* findContradiction(segment) : undefined;
  if (problem !== undefined) throw corruptBlob(source.blob, problem);
  return segment;
}

/** Hands out the arrays of a file, each of the type that it must have. */
class SegmentSections {
  readonly header: unknown;
  readonly #sections: ReadonlyMap<string, SectionArray>;
  readonly #blob: string;

  constructor({ header, sections }: SectionFile, blob: string) {
    this.header = header;
    this.#sections = new Map(Object.entries(sections));
    this.#blob = blob;
  }

  array<T extends SectionArray>(name: string, type: new (length: number) => T): T {
    const array = this.#sections.get(name);
    if (array instanceof type) return array;
    throw this.corrupt(`its section ${name} is missing or no ${type.name}`);
  }

  column(name: string): Column {
    const array = this.#sections.get(name);
    if (array !== undefined && !(array instanceof Float64Array)) return array;
    throw this.corrupt(`its section ${name} is missing or no column`);
  }

  dictionary(name: string): TermDictionary {
    return new TermDictionary(this.array(`${name}.offsets`, Uint32Array), this.array(`${name}.bytes`, Uint8Array));
  }

  corrupt(problem: string): Error {
    return corruptBlob(this.#blob, problem);
  }
}

function readHeader(file: SegmentSections): SegmentHeader {
  const header = file.header as Partial<SegmentHeader> | null;
  const { labels, sets } = (header?.labelSets ?? {}) as Partial<LabelSets>;
  const isHeader =
    typeof header?.index === 'string' &&
    Number.isSafeInteger(header.documentCount) &&
    isListOf(header.fields, (field) => typeof field === 'string') &&
    isListOf(header.numbers, (path) => typeof path === 'string') &&
    isListOf(header.impactWeights, (weight) => typeof weight === 'number' && weight > 0 && Number.isFinite(weight)) &&
    header.impactWeights?.length === header.fields?.length &&
    isListOf(labels, (label) => typeof label === 'string') &&
    isListOf(sets, (set) => isListOf(set, (label) => isIndex(label, labels?.length ?? 0)));
  if (!isHeader) throw file.corrupt('its header does not describe it');
  return header as SegmentHeader;
}

function isListOf(value: unknown, test: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(test);
}

function isIndex(value: unknown, length: number): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < length;
}

function addSpace(sections: Arrays, name: SpaceName, space: Space): void {
  sections[`${name}.terms.offsets`] = space.terms.offsets;
  sections[`${name}.terms.bytes`] = space.terms.bytes;
  for (const part of ['slots', 'blocks', 'histograms', 'values'] as const) {
    for (const [key, array] of Object.entries(space[part])) sections[`${name}.${part}.${key}`] = array;
  }
}

function readSpace(file: SegmentSections, name: SpaceName): Space {
  return {
    name,
    terms: file.dictionary(`${name}.terms`),
    slots: {
      ofDocument: file.array(`${name}.slots.ofDocument`, Uint32Array),
      document: file.array(`${name}.slots.document`, Uint32Array),
      field: file.column(`${name}.slots.field`),
      labelSet: file.column(`${name}.slots.labelSet`),
      length: file.column(`${name}.slots.length`),
      isPartial: file.column(`${name}.slots.isPartial`),
    },
    blocks: {
      ofTerm: file.array(`${name}.blocks.ofTerm`, Uint32Array),
      lastDocument: file.column(`${name}.blocks.lastDocument`),
      offset: file.array(`${name}.blocks.offset`, Uint32Array),
      positionOffset: file.array(`${name}.blocks.positionOffset`, Uint32Array),
      impactOffset: file.array(`${name}.blocks.impactOffset`, Uint32Array),
      impacts: file.array(`${name}.blocks.impacts`, Uint8Array),
      bytes: file.array(`${name}.blocks.bytes`, Uint8Array),
      positions: file.array(`${name}.blocks.positions`, Uint8Array),
    },
    histograms: {
      term: file.array(`${name}.histograms.term`, Uint32Array),
      offset: file.array(`${name}.histograms.offset`, Uint32Array),
      labelSet: file.column(`${name}.histograms.labelSet`),
      count: file.array(`${name}.histograms.count`, Uint32Array),
    },
    values: {
      offset: file.array(`${name}.values.offset`, Uint32Array),
      term: file.column(`${name}.values.term`),
    },
  };
}
