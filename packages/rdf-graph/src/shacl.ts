export type { IndexedGraph } from './shacl/data/indexed-graph.ts';
export type { ShaclLimits } from './shacl/engine/limits.ts';
export { type PlainReport, type PlainResult, readReport } from './shacl/report/read-report.ts';
export type { ShaclReport, ShaclResult } from './shacl/report/shacl-report.ts';
export { writeReport } from './shacl/report/to-report.ts';
export { type ShaclGraph, type ValidateOptions, validate } from './shacl/validate.ts';
export { parseTarget, type ValidateStoredOptions, validateStored } from './shacl/validate-stored.ts';
