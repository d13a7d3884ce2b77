import { checkPort } from '@cairn/errors';
import type { LabelSetTable, LabelTable } from './label-table.ts';

/** The attributes of a user: each name with one or more values. `{clearance: ['TS'], nationality: ['GBR']}` */
export type Attributes = Readonly<Record<string, readonly string[]>>;

/** Named hierarchies, each listed from least to most restrictive: `{clearance: ['O', 'OS', 'S', 'TS']}`. */
export type Hierarchies = Readonly<Record<string, readonly string[]>>;

/**
 * The user who is looking. Engines ask about every label before they count, score or walk anything.
 *
 * Immutable. Decides each distinct label once.
 */
export interface Viewer {
  /** Equal for two viewers exactly when they decide every label alike by attributes and hierarchies: a cache key. */
  readonly key: string;
  /** Returns true if one label permits this viewer. Malformed labels and values that are not text deny. Memoised. */
  permits(label: string): boolean;
  /**
   * Returns decisions by label id: 1 permits, 0 denies. At least `table.size` long; entries past it are 0. The same
   * array is extended and returned as the table grows; never write to it.
   */
  permittedLabels(table: LabelTable): Uint8Array;
  /**
   * Returns decisions by set id: 1 when any label of the set permits. Otherwise like {@link Viewer.permittedLabels}.
   */
  permittedSets(table: LabelSetTable): Uint8Array;
}

/** @throws `ERR_ARGUMENT` (invalid) unless this is a viewer: nobody is shown anything by mistake */
export function checkViewer(viewer: unknown): void {
  if (!permits(viewer)) checkPort(viewer, 'permits', 'the viewer');
}

/** Cheaper than {@link checkPort}, which has the last word: every read comes through here. */
function permits(viewer: unknown): boolean {
  if (typeof viewer !== 'object' || viewer === null) return false;
  const { permits }: { readonly permits?: unknown } = viewer;
  return typeof permits === 'function';
}
