import { CodedError } from '@cairn/errors';
import type { TopicPositions } from '@cairn/events';
import type { LabelledPrefix } from '../store/prefix-table.ts';
import { Checksum, damaged } from './array-file.ts';

/** The version that this code writes. */
export const MANIFEST_VERSION = 3;

export interface BlobReference {
  readonly name: string;
  readonly sizeBytes: number;
  readonly checksum: string;
}

/** Terms `from` to `to` (exclusive) in one blob. */
export interface TermsReference extends BlobReference {
  readonly from: number;
  readonly to: number;
}

export interface Manifest {
  readonly format: 'cairn-graph';
  readonly version: number;
  /** The name of the dataset; absent in manifests of older releases. */
  readonly dataset?: string;
  readonly positions: TopicPositions;
  /** Up to version 2 IRIs by prefix, without labels. */
  readonly prefixes: readonly LabelledPrefix[] | Readonly<Record<string, string>>;
  readonly labels: readonly string[];
  readonly labelSets: readonly (readonly number[])[];
  /** In the order of ids, without gaps. */
  readonly terms: readonly TermsReference[];
  /** Oldest first. */
  readonly runs: readonly BlobReference[];
  /** Over all else; absent in manifests of the first version. */
  readonly checksum?: string;
}

/** The bytes of a manifest in the present version. */
export function toManifestBytes(content: Omit<Manifest, 'format' | 'version' | 'checksum'>): Uint8Array {
  const manifest: Manifest = { format: 'cairn-graph', version: MANIFEST_VERSION, ...content };
  return new TextEncoder().encode(JSON.stringify({ ...manifest, checksum: checksumOf(manifest) }));
}

/** Over the manifest without its checksum; what is in JSON in some order is read in that order. */
function checksumOf(manifest: object): string {
  const checksum = new Checksum();
  checksum.update(new TextEncoder().encode(JSON.stringify({ ...manifest, checksum: undefined })));
  return checksum.digest();
}

/** @throws `ERR_GRAPH_SNAPSHOT` (corrupt), or `ERR_GRAPH_SNAPSHOT_VERSION` (unsupported) when it is newer. */
export function fromManifestBytes(bytes: Uint8Array, name: string): Manifest {
  const manifest = parse(bytes, name);
  if (manifest?.format !== 'cairn-graph' || typeof manifest.version !== 'number') {
    throw damaged(name, 'its manifest is not one of a graph');
  }
  if (manifest.version > MANIFEST_VERSION) {
    const message = `graph snapshot ${name} has version ${manifest.version}; this version reads up to ${MANIFEST_VERSION}`;
    throw new CodedError({ code: 'ERR_GRAPH_SNAPSHOT_VERSION', kind: 'unsupported', message });
  }
  // The first version had no checksum.
  if (manifest.version >= 2 && manifest.checksum !== checksumOf(manifest)) {
    throw damaged(name, 'the checksum of its manifest is wrong');
  }
  if (!isWhole(manifest)) throw damaged(name, 'its manifest is not whole');
  return manifest;
}

/** The prefixes of a manifest. Those of older versions have no label, so nobody may see them: they are left out. */
export function labelledPrefixes({ prefixes }: Manifest): readonly LabelledPrefix[] {
  const isList = (value: Manifest['prefixes']): value is readonly LabelledPrefix[] => Array.isArray(value);
  return isList(prefixes) ? prefixes : [];
}

function isWhole({ version = 0, positions, prefixes, labels, labelSets, terms, runs }: Partial<Manifest>): boolean {
  const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject(positions)) return false;
  if (version < 3 ? !isObject(prefixes) : !Array.isArray(prefixes) || !prefixes.every(isPrefix)) return false;
  if (!Array.isArray(labels) || !labels.every((label) => typeof label === 'string')) return false;
  const isSet = (set: unknown): boolean =>
    Array.isArray(set) && set.every((label) => Number.isInteger(label) && label >= 0 && label < labels.length);
  if (!Array.isArray(labelSets) || !labelSets.every(isSet)) return false;
  if (!Array.isArray(terms) || !Array.isArray(runs)) return false;
  return [...terms, ...runs].every(isObject) && [...terms, ...runs].every(isReference);
}

function isPrefix(value: Partial<LabelledPrefix> | null): boolean {
  return typeof value?.prefix === 'string' && typeof value.iri === 'string' && typeof value.label === 'string';
}

function isReference({ name, sizeBytes, checksum }: BlobReference): boolean {
  return typeof name === 'string' && Number.isSafeInteger(sizeBytes) && typeof checksum === 'string';
}

function parse(bytes: Uint8Array, name: string): Manifest {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Manifest;
  } catch (error) {
    throw damaged(name, 'its manifest is not JSON', error);
  }
}
