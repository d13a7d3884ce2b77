export { type ComunicaEvaluation, queryWithComunica } from './comunica/query.ts';
export type { SparqlService, SparqlServices } from './comunica/services.ts';
