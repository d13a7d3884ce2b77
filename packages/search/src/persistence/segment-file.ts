import type { Column } from '../postings/growable.ts';
import type { LabelSets } from '../segment/label-sets.ts';
import type { NumericColumn, Segment } from '../segment/segment.ts';
import { SPACE_NAMES, type Space, type SpaceName } from '../segment/space.ts';
import { TermDictionary } from '../segment/term-dictionary.ts';
import { checksum } from './checksum.ts';
import { corruptBlob, decodeSectionFile, encodeSectionFile, type SectionFile } from './section-file.ts';

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

type Arrays = Record<string, Uint8Array | Uint16Array | Uint32Array | Float64Array>;

/** Encodes a segment without its documents, which are a blob of their own. */
export function encodeSegment(segment: Segment): Uint8Array {
  const header: SegmentHeader = {
    index: segment.index,
    documentCount: segment.documentCount,
    fields: segment.fields,
    impactWeights: segment.impactWeights,
    labelSets: segment.labelSets,
    numbers: segment.numbers.map(({ path }) => path),
    storedChecksum: checksum(segment.stored.bytes),
  };
  const sections: Arrays = {
    'ids.offsets': segment.ids.offsets,
    'ids.bytes': segment.ids.bytes,
    documentLabelSet: segment.documentLabelSet,
    'stored.offset': segment.stored.offset,
  };
  for (const name of SPACE_NAMES) addSpace(sections, name, segment.spaces[name]);
  segment.numbers.forEach((column, number) => {
    sections[`numbers.${number}.document`] = column.document;
    sections[`numbers.${number}.labelSet`] = column.labelSet;
    sections[`numbers.${number}.value`] = column.value;
    sections[`numbers.${number}.isDate`] = column.isDate;
  });
  return encodeSectionFile({ header, sections });
}

/**
 * Decodes a segment from its blob and that of its documents. Cost: a checksum over both; no analysis.
 * @throws `ERR_SEGMENT_CORRUPT` (corrupt), naming the blob.
 */
export function decodeSegment(
  source: { readonly blob: string; readonly bytes: Uint8Array },
  documents: { readonly blob: string; readonly bytes: Uint8Array },
): Segment {
  const file = decodeSectionFile(source.bytes, source.blob);
  const header = file.header as SegmentHeader;
  if (checksum(documents.bytes) !== header.storedChecksum) throw corruptBlob(documents.blob, 'its checksum differs');
  const space = (name: SpaceName): Space => readSpace(file, name);
  return {
    index: header.index,
    documentCount: header.documentCount,
    ids: dictionary(file, 'ids'),
    documentLabelSet: column(file, 'documentLabelSet'),
    labelSets: header.labelSets,
    fields: header.fields,
    impactWeights: header.impactWeights,
    spaces: {
      text: space('text'),
      keyword: space('keyword'),
      mirror: space('mirror'),
      typeahead: space('typeahead'),
    },
    numbers: header.numbers.map((path, number) => readNumbers(file, path, number)),
    stored: { offset: file.sections['stored.offset'] as Float64Array, bytes: documents.bytes },
  };
}

function addSpace(sections: Arrays, name: SpaceName, space: Space): void {
  sections[`${name}.terms.offsets`] = space.terms.offsets;
  sections[`${name}.terms.bytes`] = space.terms.bytes;
  for (const part of ['slots', 'blocks', 'histograms', 'values'] as const) {
    for (const [key, array] of Object.entries(space[part])) sections[`${name}.${part}.${key}`] = array;
  }
}

function readSpace(file: SectionFile, name: SpaceName): Space {
  const part = <T>(partName: string): T => {
    const prefix = `${name}.${partName}.`;
    const entries = Object.entries(file.sections).filter(([key]) => key.startsWith(prefix));
    return Object.fromEntries(entries.map(([key, array]) => [key.slice(prefix.length), array])) as T;
  };
  return {
    name,
    terms: dictionary(file, `${name}.terms`),
    slots: part('slots'),
    blocks: part('blocks'),
    histograms: part('histograms'),
    values: part('values'),
  };
}

function readNumbers(file: SectionFile, path: string, number: number): NumericColumn {
  const prefix = `numbers.${number}`;
  return {
    path,
    document: file.sections[`${prefix}.document`] as Uint32Array,
    labelSet: column(file, `${prefix}.labelSet`),
    value: file.sections[`${prefix}.value`] as Float64Array,
    isDate: file.sections[`${prefix}.isDate`] as Uint8Array,
  };
}

function dictionary(file: SectionFile, name: string): TermDictionary {
  return new TermDictionary(
    file.sections[`${name}.offsets`] as Uint32Array,
    file.sections[`${name}.bytes`] as Uint8Array,
  );
}

function column(file: SectionFile, name: string): Column {
  return file.sections[name] as Column;
}
