import type { JsonObject, JsonValue } from '@cairn/security';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { toIndexedValue } from '../mapping/value.ts';
import { checkText } from '../port/arguments.ts';
import type { HighlightOptions } from '../port/search-index.ts';
import { escapeHtml } from './escape.ts';
import type { MatchFinder } from './match-finder.ts';
import { TaggedText, Tagger } from './tagged-text.ts';

/** Marks what a query matched in copies of documents. */
export class Highlighter {
  readonly #finder: MatchFinder;
  readonly #mapping: IndexMapping;
  readonly #tagger: Tagger;
  #hasMarked = false;

  constructor(finder: MatchFinder, mapping: IndexMapping, options: HighlightOptions) {
    this.#finder = finder;
    this.#mapping = mapping;
    this.#tagger = new Tagger(options);
  }

  /**
   * A copy of a document that was redacted before: its text is escaped and matches are between the tags. `undefined`
   * when nothing matched in text. Yields where it may pause. Cost: O(text).
   * @throws `ERR_SEARCH_BUDGET` (exhausted) when tags make the copies of all documents too long together.
   */
  *highlight(document: JsonObject): Generator<void, JsonObject | undefined> {
    this.#hasMarked = false;
    const copy = yield* this.#copyObject(document, '');
    return this.#hasMarked ? copy : undefined;
  }

  *#copyObject(object: JsonObject, path: string): Generator<void, JsonObject> {
    const entries: [string, JsonValue][] = [];
    for (const [key, value] of Object.entries(object)) {
      const below = path === '' ? key : `${path}.${key}`;
      entries.push([key, key.endsWith('securityLabels') ? value : yield* this.#copy(value, below)]);
    }
    return Object.fromEntries(entries);
  }

  *#copy(value: JsonValue, path: string): Generator<void, JsonValue> {
    if (Array.isArray(value)) {
      const items: JsonValue[] = [];
      for (const item of value as readonly JsonValue[]) items.push(yield* this.#copy(item, path));
      return items;
    }
    if (typeof value === 'object' && value !== null) return yield* this.#copyObject(value as JsonObject, path);
    return typeof value === 'string' ? yield* this.#mark(value, path) : value;
  }

  *#mark(value: string, path: string): Generator<void, string> {
    const { text, isMirror } = toIndexedValue(value, this.#mapping.field(path)) ?? {};
    if (isMirror !== true && this.#finder.isSoughtValue(value, path)) {
      this.#hasMarked = true;
      return this.#tagger.tag(value);
    }
    if (text === undefined) return escapeHtml(value);
    const tagged = new TaggedText(text, 0, text.length, this.#tagger);
    yield* this.#finder.visit(text, path, (form) => {
      this.#hasMarked = true;
      tagged.add(form);
    });
    return tagged.finish();
  }
}

/** @throws `ERR_REQUEST` (invalid) unless the tags of some options are texts */
export function checkTags(name: string, { preTag, postTag }: HighlightOptions): void {
  if (preTag !== undefined) checkText(`${name}.preTag`, preTag);
  if (postTag !== undefined) checkText(`${name}.postTag`, postTag);
}
