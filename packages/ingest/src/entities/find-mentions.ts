import type { Gazetteer } from './gazetteer.ts';
import { conjunction } from './labels.ts';
import { findPatterns, type PatternMatch } from './patterns.ts';

/** A place in a document's text that names something. */
export interface Mention {
  /** The text as it is there. */
  readonly text: string;
  /** IRI of the kind of thing. */
  readonly category: string;
  /** IRI of the thing, when known. */
  readonly uri?: string | undefined;
  /** The field of the search document that holds the text. */
  readonly field: string;
  /** UTF-16 code units from the start of the field. */
  readonly start: number;
  /** One past the last code unit. */
  readonly end: number;
  /** Who may see the mention: whom the document's label and the name's label both permit. Canonical. */
  readonly label: string;
}

/** The field of the search document in which names are looked for. */
const FIELD = 'content';
const SLICE_LENGTH = 65_536;

/**
 * Everything a text names: names of the gazetteer, and what is found by its form. In the order of the text.
 *
 * A generator that pauses now and then, so that its caller can let others run.
 * @param label the label of the document
 */
export function* findMentions(
  text: string,
  label: string,
  gazetteer: Gazetteer,
): Generator<void, Mention[], undefined> {
  const names = yield* gazetteer.find(text);
  const patterns = yield* findPatternsInSlices(text);
  const labelOf = conjunctions(label);
  const mentions = [
    ...names.map(({ start, end, entry }): Mention => {
      const { uri, category } = entry;
      return { text: text.slice(start, end), category, uri, field: FIELD, start, end, label: labelOf(entry.label) };
    }),
    ...patterns.map(({ start, end, category, uri }): Mention => {
      const named = uri === undefined ? {} : { uri };
      return { text: text.slice(start, end), category, ...named, field: FIELD, start, end, label };
    }),
  ];
  return mentions.sort(compareMentions);
}

/** A total order of distinct mentions, in which each one's place depends on itself alone. */
function compareMentions(a: Mention, b: Mention): number {
  return (
    a.start - b.start ||
    b.end - a.end ||
    compareText(a.category, b.category) ||
    compareText(a.uri ?? '', b.uri ?? '') ||
    compareText(a.label, b.label)
  );
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function conjunctions(documentLabel: string): (label: string) => string {
  const known = new Map<string, string>();
  return (label) => {
    let combined = known.get(label);
    if (combined === undefined) {
      combined = conjunction(documentLabel, label);
      known.set(label, combined);
    }
    return combined;
  };
}

function* findPatternsInSlices(text: string): Generator<void, PatternMatch[], undefined> {
  const found: PatternMatch[] = [];
  for (let start = 0; start < text.length; ) {
    const end = sliceEnd(text, start);
    for (const match of findPatterns(text.slice(start, end))) {
      found.push({ ...match, start: match.start + start, end: match.end + start });
    }
    start = end;
    if (start < text.length) yield;
  }
  return found;
}

/** Behind a line end, else behind a space, so that nothing is cut in two that could be found. */
function sliceEnd(text: string, start: number): number {
  const limit = start + SLICE_LENGTH;
  if (limit >= text.length) return text.length;
  const line = text.lastIndexOf('\n', limit);
  if (line > start) return line + 1;
  const space = text.lastIndexOf(' ', limit);
  return space > start ? space + 1 : limit;
}
