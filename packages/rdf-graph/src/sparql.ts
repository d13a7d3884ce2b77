export type { FunctionContext, FunctionDefinition, FunctionTable } from './sparql/functions/definition.ts';
export { MAX_QUERY_LENGTH, parseSparql, type Syntax } from './sparql/parse/parser.ts';
