export type { IndexedGraph } from './shacl/data/indexed-graph.ts';
export type { ShaclLimits } from './shacl/engine/limits.ts';
export { type PlainReport, type PlainResult, readReport } from './shacl/report/read-report.ts';
export { type ShaclReport, type ShaclResult, writeReport } from './shacl/report/to-report.ts';
export { type ShaclGraph, type ValidateOptions, validate } from './shacl/validate.ts';
export { parseTarget, type ValidateStoredOptions, validateStored } from './shacl/validate-stored.ts';
