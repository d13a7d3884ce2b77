import { CodedError } from '@cairn/errors';
import type { TopicPositions } from '../port/graph-dataset.ts';
import { damaged } from './array-file.ts';

/** The version that this code writes. */
export const MANIFEST_VERSION = 1;

/** A blob that a snapshot is made of. */
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

/** What a snapshot consists of. */
export interface Manifest {
  readonly format: 'cairn-graph';
  readonly version: number;
  /** The name of the dataset; absent in manifests of older releases. */
  readonly dataset?: string;
  readonly positions: TopicPositions;
  readonly prefixes: Readonly<Record<string, string>>;
  readonly labels: readonly string[];
  readonly labelSets: readonly (readonly number[])[];
  /** In the order of ids, without gaps. */
  readonly terms: readonly TermsReference[];
  /** Oldest first. */
  readonly runs: readonly BlobReference[];
}

/** The bytes of a manifest. */
export function toManifestBytes(manifest: Manifest): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(manifest));
}

/** @throws `ERR_GRAPH_SNAPSHOT` (corrupt), or `ERR_GRAPH_SNAPSHOT_VERSION` (unsupported) when it is newer. */
export function fromManifestBytes(bytes: Uint8Array, name: string): Manifest {
  const manifest = parse(bytes, name);
  if (manifest?.format !== 'cairn-graph' || typeof manifest.version !== 'number') {
    throw damaged(name, 'its manifest is not one of a graph');
  }
  if (manifest.version > MANIFEST_VERSION) {
    throw new CodedError({
      code: 'ERR_GRAPH_SNAPSHOT_VERSION',
      kind: 'unsupported',
      message: `graph snapshot ${name} has version ${manifest.version}; this version reads up to ${MANIFEST_VERSION}`,
    });
  }
  return manifest;
}

function parse(bytes: Uint8Array, name: string): Manifest {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Manifest;
  } catch (error) {
    throw damaged(name, 'its manifest is not JSON', error);
  }
}
