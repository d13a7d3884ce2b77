/** How the values of a field are indexed. `auto`: by each value itself. */
export type FieldType = 'auto' | 'text' | 'keyword' | 'number' | 'date' | 'none';

/** Configuration of a field. */
export interface FieldConfiguration {
  /** Default `auto`. */
  readonly type?: FieldType;
  /** An analyzer's name: `simple` or a language code. Default: that of `language`. */
  readonly analyzer?: string;
  /** ISO 639-1 code. Default `en`. */
  readonly language?: string;
  /** Multiplies the weight of the field's terms where the query names no field, 0.0625 to 64. Default 1. */
  readonly boost?: number;
}

/** One named index: its name alone, or with its mapping. */
export type IndexConfiguration = string | IndexSettings;

/** The mapping of one named index. */
export interface IndexSettings {
  readonly name: string;
  /** Paths, which may hold `*`, to what is known about their fields; the first that fits counts. */
  readonly fields?: Readonly<Record<string, FieldConfiguration>>;
  /** Where a query without a field looks: paths with `*` and `^boost`. Default `['primaryName^2', '*']`. */
  readonly defaultFields?: readonly string[];
  /** Where typeahead looks by default. Default `['*PrimaryName', '*primaryName']`. */
  readonly typeaheadFields?: readonly string[];
  /** The label of documents without one. Without it such documents are visible to nobody. */
  readonly defaultLabel?: string;
}
