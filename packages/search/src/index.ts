export type { SearchEngine, SearchedIds } from './engine/engine.ts';
export type { IndexStatistics } from './engine/index-statistics.ts';
export { openSearchIndex, type SearchIndexOptions } from './engine/open-search-index.ts';
export type { RebuildProgress, RebuildReport } from './engine/rebuild.ts';
export type { FieldConfiguration, FieldType, IndexConfiguration, IndexSettings } from './mapping/configuration.ts';
export type {
  AskedFacet,
  CalendarInterval,
  Collapse,
  CollapsedValue,
  CorrectedDocument,
  CorrectionRequest,
  DocumentChange,
  DocumentRequest,
  ExplainRequest,
  Explanation,
  FacetCounts,
  FacetRange,
  FacetRequest,
  FacetResult,
  FacetResults,
  FacetValue,
  HighlightOptions,
  QueryType,
  RangeFilter,
  ReadOperation,
  SearchBudget,
  SearchDocument,
  SearchFilters,
  SearchIndex,
  SearchRequest,
  SearchResult,
  SearchResults,
  StatesRequest,
  Total,
  TypeaheadRequest,
  TypeFilter,
  TypeFilterMode,
} from './port/search-index.ts';
