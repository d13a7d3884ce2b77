import { CodedError, checkFunction, checkList, checkPort, checkText } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import type * as Ast from 'sparqljs';
import sparqljs from 'sparqljs';
import type { Solution } from '../graph/port/graph-dataset.ts';
import { checkTerm } from '../rdf/arguments.ts';
import { toTermKey } from '../rdf/term-key.ts';

/** Answers a query that a SERVICE clause sends: a remote endpoint, or another dataset. */
export type SparqlService = (query: string, signal?: AbortSignal) => Promise<Iterable<Solution>>;

/** The services that a query may call, by the IRI that it writes. */
export type SparqlServices = ReadonlyMap<string, SparqlService>;

/** A copy of services, each checked to be a function. @throws `ERR_ARGUMENT` (invalid) for what are none */
export function takeServices(services: SparqlServices | undefined): SparqlServices {
  if (services === undefined) return new Map();
  checkPort(services, 'get', 'the services');
  checkPort(services, 'entries', 'the services');
  const taken = new Map<string, SparqlService>();
  for (const [iri, service] of services.entries()) {
    checkText(iri, 'the IRI of a service');
    checkFunction(service, `the service ${iri.slice(0, 200)}`);
    taken.set(iri, service);
  }
  return taken;
}

/** Fetches the answers of the SERVICE clauses of a query and puts them in their place, as VALUES. */
export async function resolveServices<Q extends Ast.SparqlQuery>(
  query: Q,
  services: SparqlServices,
  signal: AbortSignal | undefined,
): Promise<Q> {
  const resolve = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(resolve));
    if (typeof value !== 'object' || value === null || 'termType' in value) return value;
    if ((value as Ast.Pattern).type === 'service') {
      return callService(value as Ast.ServicePattern, services, query.prefixes, signal);
    }
    const entries = Object.entries(value).map(async ([key, child]) => [key, await resolve(child)] as const);
    return Object.fromEntries(await Promise.all(entries));
  };
  return (await resolve(query)) as Q;
}

async function callService(
  service: Ast.ServicePattern,
  services: SparqlServices,
  prefixes: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<Ast.Pattern> {
  const call = services.get(service.name.value);
  try {
    if (call === undefined || service.name.termType !== 'NamedNode') throw refused(service.name);
    return toValues(takeSolutions(await call(toQuery(service.patterns, prefixes), signal), service.name.value));
  } catch (error) {
    if (!service.silent || signal?.aborted === true) throw error;
    // The standard: one solution with no bindings.
    return { type: 'group', patterns: [] };
  }
}

/** @throws `ERR_ARGUMENT` (invalid) for an answer of a service that is none */
function takeSolutions(given: Iterable<Solution>, iri: string): Solution[] {
  const what = `the answer of the service ${iri.slice(0, 200)}`;
  checkList(given, what);
  const solutions = [...given];
  for (const solution of solutions) {
    checkPort(solution, 'get', `a solution in ${what}`);
    checkPort(solution, 'keys', `a solution in ${what}`);
    for (const [name, term] of solution) {
      checkText(name, `a variable in ${what}`);
      checkTerm(term, `a term in ${what}`);
    }
  }
  return solutions;
}

function refused(name: RDF.Term): CodedError {
  const got = JSON.stringify(name.value.slice(0, 200));
  const message = `SERVICE may call only the endpoints that the configuration names; got ${got}`;
  return new CodedError({ code: 'ERR_SERVICE_REFUSED', kind: 'denied', message });
}

function toQuery(patterns: Ast.Pattern[], prefixes: Readonly<Record<string, string>>): string {
  const variables = [new sparqljs.Wildcard()] as Ast.SelectQuery['variables'];
  const query = { type: 'query', queryType: 'SELECT', variables, where: patterns, prefixes: { ...prefixes } };
  return new sparqljs.Generator({ sparqlStar: true }).stringify(query as Ast.SelectQuery);
}

function toValues(solutions: readonly Solution[]): Ast.Pattern {
  const names = [...new Set(solutions.flatMap((solution) => [...solution.keys()]))];
  if (names.length === 0 && solutions.length > 0) {
    // Solutions without bindings count by their number.
    return { type: 'union', patterns: solutions.map((): Ast.Pattern => ({ type: 'group', patterns: [] })) };
  }
  const values = solutions.map((solution) =>
    Object.fromEntries(names.map((name) => [`?${name}`, toConstant(solution.get(name))])),
  );
  // VALUES without rows has no solution.
  return { type: 'values', values } as Ast.ValuesPattern;
}

/** VALUES takes no blank node, and one of another endpoint means nothing here: it becomes an IRI of its own. */
function toConstant(term: RDF.Term | undefined): RDF.Term | undefined {
  if (term?.termType !== 'BlankNode') return term;
  const iri = `urn:x-cairn:service-blank-node:${encodeURIComponent(toTermKey(term))}`;
  return { ...term, termType: 'NamedNode', value: iri } as RDF.NamedNode;
}
