import type { JsonObject } from '@cairn/security';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { recall } from '../memory/recall.ts';
import { checkObject, checkTexts, checkWhole } from '../port/arguments.ts';
import type { SearchRequest, SnippetOptions } from '../port/search-index.ts';
import { compileParts, type TakeParts } from './document-parts.ts';
import { textsOf } from './document-texts.ts';
import { type Fragment, FragmentChooser, type FragmentSize } from './fragments.ts';
import { checkTags } from './highlight.ts';
import type { MatchFinder } from './match-finder.ts';
import { TaggedText, Tagger } from './tagged-text.ts';

/** Snippets of a request, read and checked. */
export interface AskedSnippets extends FragmentSize {
  readonly takeParts: TakeParts | undefined;
  readonly options: SnippetOptions;
}

const DEFAULT_FRAGMENTS = 3;
const MAX_FRAGMENTS = 20;
const DEFAULT_LENGTH = 150;
const MIN_LENGTH = 20;
const MAX_LENGTH = 1000;

/** Reads the snippets of a request; `undefined` for none. @throws `ERR_REQUEST` (invalid) */
export function readSnippets(asked: SearchRequest['snippets']): AskedSnippets | undefined {
  if (asked === undefined || asked === false) return undefined;
  const options = asked === true ? {} : asked;
  checkObject('snippets', options);
  const { fragments = DEFAULT_FRAGMENTS, length = DEFAULT_LENGTH, fields } = options;
  checkWhole('snippets.fragments', fragments, 1, MAX_FRAGMENTS);
  checkWhole('snippets.length', length, MIN_LENGTH, MAX_LENGTH);
  if (fields !== undefined) checkTexts('snippets.fields', fields);
  checkTags('snippets', options);
  return { fragments, length, takeParts: compileParts(fields), options };
}

/** Makes the snippets of documents. */
export class SnippetMaker {
  readonly #finder: MatchFinder;
  readonly #mapping: IndexMapping;
  readonly #asked: AskedSnippets;
  readonly #tagger: Tagger;

  constructor(finder: MatchFinder, mapping: IndexMapping, asked: AskedSnippets) {
    this.#finder = finder;
    this.#mapping = mapping;
    this.#asked = asked;
    this.#tagger = new Tagger(asked.options);
  }

  /**
   * The best fragments of each field of a document that was redacted before, escaped, with tags around what matches;
   * `undefined` when nothing matched in text. Yields where it may pause. Cost: O(text).
   * @throws `ERR_SEARCH_BUDGET` (exhausted) when tags make the snippets of all documents too long together.
   */
  *make(document: JsonObject): Generator<void, Record<string, readonly string[]> | undefined> {
    const choosers = new Map<string, FragmentChooser>();
    for (const { text, path } of textsOf(this.#asked.takeParts?.(document) ?? document, this.#mapping)) {
      const chooser = recall(choosers, path, () => new FragmentChooser(this.#asked));
      chooser.open(text);
      yield* this.#finder.visit(text, path, (form) => chooser.add(form));
      chooser.close();
    }
    const entries: [string, readonly string[]][] = [];
    for (const [path, chooser] of choosers) {
      const fragments = chooser.toFragments().map((fragment) => this.#write(fragment));
      if (fragments.length > 0) entries.push([path, fragments]);
    }
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }

  #write({ text, start, end, forms }: Fragment): string {
    const tagged = new TaggedText(text, start, end, this.#tagger);
    // A form that is longer than a fragment is cut with it.
    for (const form of forms) tagged.add({ start: form.start, end: Math.min(form.end, end) });
    return tagged.finish();
  }
}
