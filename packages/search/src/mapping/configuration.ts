import type { ScoreBoost } from '../port/search-index.ts';

/** How the values of a field are indexed. `auto`: by each value itself. */
export type FieldType = 'auto' | 'text' | 'keyword' | 'number' | 'date' | 'none';

/** Configuration of a field. */
export interface FieldConfiguration {
  /** Default `auto`. */
  readonly type?: FieldType;
  /** An analyzer's name: `simple` or a language code. Default: that of `language`. */
  readonly analyzer?: string;
  /** ISO 639-1 code. Default: the languages of the index. */
  readonly language?: string;
  /** Multiplies the weight of the field's terms where the query names no field, 0.0625 to 64. Default 1. */
  readonly boost?: number;
}

/**
 * Texts that stand for one another: a query for any of them finds all. With `from` and `to` a query for a text of `from`
 * finds those of `to` as well, and not the other way round. A text of several words is looked for as a phrase. 2 to 64
 * texts in a list, 1 to 64 in `from` and `to`; each of at most 256 characters and 8 words.
 */
export type SynonymRow = readonly string[] | { readonly from: readonly string[]; readonly to: readonly string[] };

/** One named index: its name alone, or with its mapping. */
export type IndexConfiguration = string | IndexSettings;

/** The mapping of one named index. */
export interface IndexSettings {
  readonly name: string;
  /** Paths, which may hold `*`, to what is known about their fields; the first that fits counts. */
  readonly fields?: Readonly<Record<string, FieldConfiguration>>;
  /**
   * ISO 639-1 codes of the languages of texts, in fields that have none of their own: at most 8. With more than one, each
   * text is read in the language that `languageField` states or that its first 1024 letters are most likely in, and in the
   * first where they tell nothing; a query in all of them. Default `['en']`.
   */
  readonly languages?: readonly string[];
  /**
   * Path of the field that states the language of a document, such as `de`, `de-AT` or `deu`. It counts for texts under the
   * same label, and for all where its label is `*`: for others their words alone may tell. Default none.
   */
  readonly languageField?: string;
  /** Where a query without a field looks: paths with `*` and `^boost`. Default `['primaryName^2', '*']`. */
  readonly defaultFields?: readonly string[];
  /** Boosts of scores where a request gives none. Default none. */
  readonly boosts?: readonly ScoreBoost[];
  /** Where typeahead looks by default. Default `['*PrimaryName', '*primaryName']`. */
  readonly typeaheadFields?: readonly string[];
  /**
   * At most 10,000 rows. Words and phrases of queries, as each field is analysed, also find their synonyms, each of which
   * weighs at most 0.8 of what it stands for and is added to the score. Wildcards, fuzzy words, exact values and typeahead have none. They are applied to
   * queries: a change builds nothing anew. Default none.
   */
  readonly synonyms?: readonly SynonymRow[];
  /** The label of documents without one. Without it such documents are visible to nobody. */
  readonly defaultLabel?: string;
}
