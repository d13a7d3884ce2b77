export { MAX_QUERY_LENGTH, parseSparql, type Syntax } from './sparql/parse/parser.ts';
