import type { Configuration } from '../config/configuration.ts';
import type { HttpAnswer } from '../http/message.ts';
import type { ParameterTable, ParameterValues } from '../parameters/parameter.ts';
import type { Access } from './access.ts';
import type { Context } from './context.ts';

/** The parts of the service; each has its own path prefix. `root` holds what belongs to no part. */
export type Area = 'search' | 'graph' | 'ingest' | 'root';

export type Intake = 'query' | 'form' | 'body';

export interface MediaDescription {
  /** JSON Schema, for JSON bodies. */
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
}

/** A body as the reference describes it. */
export interface BodyDescription extends MediaDescription {
  readonly types: readonly string[];
  readonly description: string;
  /** Schema and example of single media types, where they differ from those of the others. */
  readonly media?: Readonly<Record<string, MediaDescription>>;
}

/** One status an endpoint may answer, and when. */
export interface AnswerDescription {
  readonly status: number;
  readonly description: string;
  readonly types?: readonly string[];
  /** The name of a schema of `openapi/schemas.ts`. */
  readonly schema?: string;
}

/** One endpoint: what the router, the checks, OpenAPI and the HTTP reference need, and what it does. */
export interface Route {
  readonly area: Area;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to the prefix of its area; variables in braces: `/documents/{id}`. */
  readonly path: string;
  /** Unique name of the operation, in camel case. */
  readonly operation: string;
  readonly summary: string;
  readonly access: Access;
  readonly intake: Intake;
  readonly parameters: ParameterTable;
  /** True when parameters that the table lacks are ignored: for protocols that define others. Default false. */
  readonly ignoreUnknown?: boolean;
  readonly requestHeaders?: readonly HeaderDescription[];
  readonly body?: BodyDescription;
  readonly answers: readonly AnswerDescription[];
  readonly whileStarting?: boolean;
  handle(context: Context, parameters: Readonly<Record<string, unknown>>): Promise<HttpAnswer>;
}

/** Paths that are answered however many requests are in work: an orchestrator must not restart a server since it is busy. */
export const PROBES: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/** The path of a route with the prefix of its area. */
export function pathOf({ area, path }: Route, { server }: Configuration): string {
  return area === 'root' ? path : `${server.paths[area]}${path}`;
}

/** A request header as the reference describes it. */
export interface HeaderDescription {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly example?: string;
}

/** Argument of {@link defineRoute}: a route whose handler gets the values of its own table. */
export type RouteDefinition<Table extends ParameterTable> = Omit<Route, 'parameters' | 'handle' | 'intake'> & {
  readonly intake?: Intake;
  readonly parameters: Table;
  handle(context: Context, parameters: ParameterValues<Table>): Promise<HttpAnswer>;
};

export function defineRoute<const Table extends ParameterTable>(definition: RouteDefinition<Table>): Route {
  return { intake: 'query', ...definition } as Route;
}

export function defineRoutePair<const Table extends ParameterTable>(definition: RouteDefinition<Table>): Route[] {
  const route = defineRoute(definition);
  return [route, postTwin(route)];
}

/** The POST twin of a GET route: same parameters in a form body, same answers. */
export function postTwin(route: Route, overrides: Partial<Route> = {}): Route {
  return {
    ...route,
    method: 'POST',
    operation: `${route.operation}ByPost`,
    summary: `${route.summary} Parameters in a form body.`,
    intake: 'form',
    ...overrides,
  };
}
