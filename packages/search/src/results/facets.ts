import type { Match } from '../execution/top-documents.ts';
import { fromKeywordTerm } from '../mapping/value.ts';
import type { FacetResult, JsonObject, JsonValue } from '../port/search-index.ts';
import { compareByCodePoint } from '../segment/term-dictionary.ts';

/** A facet's path as configuration and documents write it: `metadata/format` is the field `metadata.format`. */
export function toFacetPath(facet: string): string {
  return facet
    .split('/')
    .filter((step) => step !== '')
    .join('.');
}

/** Counts visible values of a field over matches. `present` gives a match's document as its viewer sees it. */
export function countFacet(
  matches: readonly Match[],
  path: string,
  present: (match: Match) => JsonObject | undefined,
): FacetResult[] {
  const counts = new Map<string, number>();
  const add = (value: string): void => {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  };
  for (const match of matches) {
    const field = match.view.segment.fields.indexOf(path);
    if (field >= 0 && !countColumns(match, field, add)) countDocument(present(match), path, add);
  }
  return toResults(counts);
}

/** Counts from the columns of exact values; false when the match also has text in the field that they do not hold. */
function countColumns({ view, document }: Match, field: number, add: (value: string) => void): boolean {
  const values: string[] = [];
  const { text, keyword, mirror } = view.segment.spaces;
  let textValues = 0;
  for (let slot = text.slots.ofDocument[document]!; slot < text.slots.ofDocument[document + 1]!; slot++) {
    if (text.slots.field[slot] === field && view.permitted[text.slots.labelSet[slot]!] === 1) textValues++;
  }
  if (textValues > 0) return false;
  for (const space of [keyword, mirror]) {
    const { ofDocument, field: fieldOf, labelSet } = space.slots;
    for (let slot = ofDocument[document]!; slot < ofDocument[document + 1]!; slot++) {
      if (fieldOf[slot] !== field || view.permitted[labelSet[slot]!] === 0) continue;
      for (let i = space.values.offset[slot]!; i < space.values.offset[slot + 1]!; i++) {
        values.push(fromKeywordTerm(space.terms.term(space.values.term[i]!)));
      }
    }
  }
  values.forEach(add);
  return true;
}

function countDocument(document: JsonObject | undefined, path: string, add: (value: string) => void): void {
  if (document !== undefined) visit(document, '', path, add);
}

function visit(value: JsonValue, at: string, path: string, add: (value: string) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, at, path, add);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, nested] of Object.entries(value)) {
      const below = at === '' ? key : `${at}.${key}`;
      if (path === below || path.startsWith(`${below}.`)) visit(nested as JsonValue, below, path, add);
    }
  } else if (at === path && value !== null) {
    add(String(value));
  }
}

function toResults(counts: ReadonlyMap<string, number>): FacetResult[] {
  let total = 0;
  for (const count of counts.values()) total += count;
  return [...counts]
    .map(([value, count]) => ({ value, count, percentage: count / total }))
    .sort((a, b) => b.count - a.count || compareByCodePoint(a.value, b.value));
}
