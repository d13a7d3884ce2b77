import type { Gazetteer } from './gazetteer.ts';
import { conjunction } from './labels.ts';
import type { Mention } from './mention.ts';
import type { NameMatch } from './name-matches.ts';
import { findPatterns, type PatternMatch } from './patterns.ts';

/** Options of {@link findMentions}. */
export interface MentionRequest {
  readonly text: string;
  /** The field that the text is. */
  readonly field: string;
  /** The label of the document. */
  readonly label: string;
  readonly gazetteer: Gazetteer;
}

const SLICE_LENGTH = 65_536;

/**
 * Everything a text names: names of the gazetteer, and what is found by its form. In the order of the text.
 *
 * A generator that pauses now and then, so that its caller can let others run.
 */
export function* findMentions(request: MentionRequest): Generator<void, Mention[], undefined> {
  const names = yield* request.gazetteer.find(request.text);
  const patterns = yield* findPatternsInSlices(request.text);
  const labelOf = conjunctions(request.label);
  const mentions = [
    ...names.map((match) => fromName(match, request, labelOf)),
    ...patterns.map((match) => fromPattern(match, request)),
  ];
  return mentions.sort(compareMentions);
}

/** A total order of distinct mentions, in which each one's place depends on itself alone. */
export function compareMentions(a: Mention, b: Mention): number {
  return (
    a.start - b.start ||
    b.end - a.end ||
    compareText(a.category, b.category) ||
    compareText(a.uri ?? '', b.uri ?? '') ||
    compareText(a.label, b.label)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function fromName(
  { start, end, entry }: NameMatch,
  { text, field }: MentionRequest,
  labelOf: (label: string) => string,
): Mention {
  const { uri, category } = entry;
  return { text: text.slice(start, end), category, uri, field, start, end, label: labelOf(entry.label) };
}

function fromPattern({ start, end, category, uri }: PatternMatch, { text, field, label }: MentionRequest): Mention {
  return { text: text.slice(start, end), category, ...(uri === undefined ? {} : { uri }), field, start, end, label };
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
