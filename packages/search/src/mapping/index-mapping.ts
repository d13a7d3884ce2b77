import { checkDefaultLabel } from '@cairn/security';
import { type Analyzer, getAnalyzer, getLanguageAnalyzer } from '../analysis/analyzer.ts';
import { recall, recallOf } from '../memory/recall.ts';
import { describeValue, invalidConfiguration, isObject } from '../port/arguments.ts';
import { compileBoosts, type RaisesAt } from '../scoring/boosts.ts';
import type { FieldConfiguration, FieldType, IndexConfiguration, IndexSettings } from './configuration.ts';
import { compileFieldPattern, compileFieldSelection, type FieldSelection, withFieldBoosts } from './field-selection.ts';
import { Synonyms } from './synonyms.ts';

export interface FieldMapping {
  readonly type: FieldType;
  readonly analyzer: Analyzer;
  /** Every analyzer that may have read a text of it. */
  readonly analyzers: readonly Analyzer[];
  /** True when its texts are read in the languages of the index. */
  readonly followsLanguages: boolean;
  readonly boost: number;
  /** True when its text is also indexed unstemmed, for typeahead. */
  readonly isTypeahead: boolean;
}

/** A compiled {@link IndexConfiguration}. */
export interface IndexMapping {
  readonly name: string;
  readonly defaultLabel: string | undefined;
  /** Where queries without a field look. */
  readonly defaultSelection: FieldSelection;
  /** The same selection, with its weights multiplied by the boosts of the fields. */
  withFieldBoosts(selection: FieldSelection): FieldSelection;
  /** Boosts of scores where a request gives none. */
  readonly boosts: RaisesAt;
  readonly typeaheadFields: readonly string[];
  /** Those of the languages of texts, the first where none is stated or told. */
  readonly languages: readonly Analyzer[];
  readonly languageField: string | undefined;
  /** Every analyzer that any field may use, the default one first. */
  readonly analyzers: readonly Analyzer[];
  field(path: string): FieldMapping;
  readonly synonyms: Synonyms;
  /** Canonical text of the configuration: part of the fingerprint. */
  readonly signature: string;
}

/** Fields that hold identifiers in documents of any kind. */
const KEYWORD_FIELDS: readonly string[] = ['uri', '*.uri', 'types', '*.types'];

const DEFAULT_FIELDS: readonly string[] = ['primaryName^2', '*'];
const DEFAULT_TYPEAHEAD_FIELDS: readonly string[] = ['*PrimaryName', '*primaryName'];

/**
 * Compiles the configuration of one index.
 * @throws `ERR_CONFIGURATION` (invalid) for an empty name, an unknown language, analyzer, type, a boost out of range or a
 * row of synonyms that is none; `ERR_LABEL_SYNTAX` (invalid) for a malformed default label
 */
export function compileIndexMapping(configuration: IndexConfiguration): IndexMapping {
  const settings: IndexSettings = typeof configuration === 'string' ? { name: configuration } : configuration;
  checkSettings(settings);
  const rules = Object.entries(settings.fields ?? {}).map(toRule);
  const languages = readLanguages(settings);
  const typeaheadFields = settings.typeaheadFields ?? DEFAULT_TYPEAHEAD_FIELDS;
  const typeahead = compileFieldSelection(typeaheadFields);
  const isKeyword = compileFieldSelection(KEYWORD_FIELDS);
  const mapField = (path: string): FieldMapping => {
    const { configuration, analyzer } = rules.find(({ fits }) => fits(path)) ?? {};
    return {
      type: configuration?.type ?? (isKeyword.weigh(path) > 0 ? 'keyword' : 'auto'),
      analyzer: analyzer ?? languages[0],
      analyzers: analyzer === undefined ? languages : [analyzer],
      followsLanguages: analyzer === undefined,
      boost: configuration?.boost ?? 1,
      isTypeahead: typeahead.weigh(path) > 0,
    };
  };
  const memo = new Map<string, FieldMapping>();
  const field = (path: string): FieldMapping => recall(memo, path, mapField, 10_000);
  const defaultFields = compileFieldSelection(settings.defaultFields ?? DEFAULT_FIELDS);
  const fieldBoosts = JSON.stringify(Object.entries(settings.fields ?? {}).map(([path, { boost }]) => [path, boost]));
  const own = rules.flatMap(({ analyzer }) => analyzer ?? []);
  const analyzers = [...new Set([...languages, ...own])];
  const synonyms = new Synonyms(settings.synonyms ?? [], settings.name);
  // Now, and not in the midst of the first search.
  for (const analyzer of analyzers) synonyms.prepare(analyzer);
  const withOwnBoosts = (selection: FieldSelection): FieldSelection => {
    return withFieldBoosts(selection, fieldBoosts, (path) => field(path).boost);
  };
  return {
    name: settings.name,
    defaultLabel: settings.defaultLabel,
    defaultSelection: withOwnBoosts(defaultFields),
    withFieldBoosts: withOwnBoosts,
    boosts: compileOwnBoosts(settings),
    typeaheadFields,
    languages,
    languageField: settings.languageField,
    analyzers,
    field,
    synonyms,
    signature: JSON.stringify([
      settings.fields ?? {},
      typeaheadFields,
      settings.defaultLabel ?? null,
      ...(settings.languages === undefined ? [] : [settings.languages, settings.languageField ?? null]),
    ]),
  };
}

/** @throws `ERR_CONFIGURATION` (invalid) */
function compileOwnBoosts({ name, boosts = [] }: IndexSettings): RaisesAt {
  try {
    return compileBoosts(boosts);
  } catch (error) {
    throw invalidConfiguration(`boosts of index ${name}: ${error instanceof Error ? error.message : ''}`, error);
  }
}

function checkSettings(settings: IndexSettings): void {
  if (!isObject(settings)) {
    throw invalidConfiguration(`an index must be a name or an object; got ${describeValue(settings)}`);
  }
  const { name, defaultLabel, defaultFields, typeaheadFields } = settings;
  if (typeof name !== 'string')
    throw invalidConfiguration(`the name of an index must be a text; got ${describeValue(name)}`);
  if (defaultLabel !== undefined && typeof defaultLabel !== 'string') {
    throw invalidConfiguration(`defaultLabel of index ${name} must be a text; got ${describeValue(defaultLabel)}`);
  }
  checkDefaultLabel(defaultLabel, `defaultLabel of index ${name}`);
  for (const [key, list] of Object.entries({ defaultFields, typeaheadFields })) {
    const isList = Array.isArray(list) && list.every((path) => typeof path === 'string');
    if (list !== undefined && !isList)
      throw invalidConfiguration(`${key} of index ${name} must be a list of texts; got ${describeValue(list)}`);
  }
  if (name === '') throw invalidConfiguration('an index needs a name; got an empty one');
}

const MAX_LANGUAGES = 8;

function readLanguages({ name, languages = ['en'], languageField }: IndexSettings): Analyzer[] {
  if (languageField !== undefined && typeof languageField !== 'string') {
    throw invalidConfiguration(`languageField of index ${name} must be a text; got ${describeValue(languageField)}`);
  }
  if (!Array.isArray(languages))
    throw invalidConfiguration(`languages of index ${name} must be a list of codes; got ${describeValue(languages)}`);
  const analyzers = new Set(Array.from(languages as readonly string[], getLanguageAnalyzer));
  if (analyzers.size < 1 || languages.length > MAX_LANGUAGES) {
    const got = languages.length;
    throw invalidConfiguration(`languages of index ${name} must be 1 to ${MAX_LANGUAGES} codes; got ${got}`);
  }
  return [...analyzers];
}

/** Mappings for queries in other languages, by their codes. */
const narrowed = new WeakMap<IndexMapping, Map<string, IndexMapping>>();
const MAX_NARROWED = 64;

/** A mapping whose fields are asked in other languages than those of the index, as far as they follow these. */
export function inLanguages(mapping: IndexMapping, codes: readonly string[] | undefined): IndexMapping {
  if (codes === undefined || codes.length === 0) return mapping;
  const create = (): IndexMapping => {
    const languages = [...new Set(codes.map(getLanguageAnalyzer))];
    const own = mapping.analyzers.filter((analyzer) => !mapping.languages.includes(analyzer));
    const field = (path: string): FieldMapping => {
      const given = mapping.field(path);
      return given.followsLanguages ? { ...given, analyzer: languages[0], analyzers: languages } : given;
    };
    return { ...mapping, languages, analyzers: [...new Set([...languages, ...own])], field };
  };
  return recallOf(narrowed, mapping, JSON.stringify(codes), create, MAX_NARROWED);
}

interface Rule {
  readonly fits: (path: string) => boolean;
  readonly analyzer: Analyzer | undefined;
  readonly configuration: FieldConfiguration;
}

function toRule([path, configuration]: [string, FieldConfiguration]): Rule {
  const { type = 'auto', language, analyzer = language, boost = 1 } = configuration;
  if (!TYPES.has(type))
    throw invalidConfiguration(`the type of field ${path} must be one of ${[...TYPES].join(', ')}; got ${type}`);
  if (!(boost >= 0.0625 && boost <= 64))
    throw invalidConfiguration(`the boost of field ${path} must be 0.0625 to 64; got ${boost}`);
  const own = analyzer === undefined ? undefined : getAnalyzer(analyzer);
  return { fits: compileFieldPattern(path), analyzer: own, configuration };
}

const TYPES: ReadonlySet<string> = new Set(['auto', 'text', 'keyword', 'number', 'date', 'none']);
