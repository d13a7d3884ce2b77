import { isObject } from './arguments.ts';
import type {
  CorrectionRequest,
  ExplainRequest,
  FacetRequest,
  StatesRequest,
  TypeaheadRequest,
} from './search-index.ts';

type AnyRequest = ExplainRequest & TypeaheadRequest & FacetRequest & StatesRequest & CorrectionRequest;

/** Every name that a request may hold: a new one that is missing here does not compile. */
const NAMES: Readonly<Record<keyof AnyRequest, true>> = {
  indices: true,
  signal: true,
  nextTurn: true,
  nowMs: true,
  budget: true,
  typeFilter: true,
  range: true,
  query: true,
  type: true,
  fuzziness: true,
  languages: true,
  queryFields: true,
  boosts: true,
  like: true,
  feedback: true,
  limit: true,
  offset: true,
  highlight: true,
  snippets: true,
  didYouMean: true,
  total: true,
  facets: true,
  missing: true,
  collapse: true,
  after: true,
  excludeFields: true,
  showSecurityLabels: true,
  id: true,
  fields: true,
  facet: true,
  sampleSize: true,
  ids: true,
  sort: true,
  documentUri: true,
  entityText: true,
  entityCategory: true,
  resolvedEntityUri: true,
  resolvedCategory: true,
};

const ALL_NAMES = Object.keys(NAMES) as readonly (keyof AnyRequest)[];

/**
 * A copy of a request, with the lists and objects in it, for an operation that pauses: each part is read once, and what
 * its caller does to it afterwards is not noticed. Values that are no requests are given back, to be refused.
 */
export function takeRequest<Request extends object>(request: Request): Request {
  const given: Partial<AnyRequest> = request;
  if (!isObject(request)) return request;
  const taken: Partial<Record<keyof AnyRequest, unknown>> = {};
  for (const name of ALL_NAMES) {
    const value = given[name];
    if (value !== undefined) taken[name] = name === 'signal' ? value : takePart(value);
  }
  return taken as Request;
}

/** Lists, and objects of values and lists, are copied; an object may inherit what it says. */
function takePart(part: unknown): unknown {
  if (Array.isArray(part)) return [...part];
  if (!isObject(part)) return part;
  const taken: Record<string, unknown> = {};
  for (const name in part) {
    const value = part[name];
    taken[name] = Array.isArray(value) ? [...value] : value;
  }
  return taken;
}
