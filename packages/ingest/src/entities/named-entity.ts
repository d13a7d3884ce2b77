import { conjunction } from './labels.ts';

/** A text or IRI and the label it is stored under. */
export interface Labelled {
  readonly value: string;
  readonly label: string;
}

/** An entity in the gazetteer. A name or type is listed once for each label it is stored under. */
export interface NamedEntity {
  readonly uri: string;
  readonly names: readonly Labelled[];
  readonly types: readonly Labelled[];
}

/** Meaning of a name for those whom the label permits. */
export interface NameEntry {
  readonly uri: string;
  readonly category: string;
  readonly label: string;
}

/** The category of an entity none of whose types is visible. */
export const UNTYPED_CATEGORY = 'http://www.w3.org/2002/07/owl#Thing';

/**
 * Returns the meanings of an entity's names: name to entries.
 *
 * Each entry depends on one name and on types that everybody who sees the entry may see, so that what a viewer finds is
 * what they would find if the rest had never been stored. A name whose type is more secret than itself has an entry
 * without the type and, for those who may see both, one with it.
 */
export function nameEntries({ uri, names, types }: NamedEntity): ReadonlyMap<string, readonly NameEntry[]> {
  const byName = new Map<string, Map<string, NameEntry>>();
  for (const name of names) {
    const entries = byName.get(name.value) ?? new Map<string, NameEntry>();
    byName.set(name.value, entries);
    for (const [label, category] of categories(name.label, types)) {
      const known = entries.get(label);
      if (known === undefined || prefers(category, known.category)) entries.set(label, { uri, category, label });
    }
  }
  return new Map([...byName].map(([name, entries]) => [name, [...entries.values()]]));
}

/** The category to show under each label: of several types under one label the first by code units. */
function categories(nameLabel: string, types: readonly Labelled[]): Map<string, string> {
  const own = conjunction(nameLabel, nameLabel);
  const byLabel = new Map<string, string>([[own, UNTYPED_CATEGORY]]);
  for (const type of types) {
    const label = conjunction(nameLabel, type.label);
    const known = byLabel.get(label);
    if (known === undefined || prefers(type.value, known)) byLabel.set(label, type.value);
  }
  return byLabel;
}

/** Returns true if a category is shown rather than another: a known one, then the first by code units. */
export function prefers(category: string, other: string): boolean {
  return other === UNTYPED_CATEGORY || (category !== UNTYPED_CATEGORY && category < other);
}
