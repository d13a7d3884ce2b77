import { withSubclasses } from '@cairn/ontology';
import type { SearchFilters, SearchIndex } from '@cairn/search';
import type { Context } from '../routing/context.ts';
import { ONTOLOGY_DATASET } from './update-guard.ts';
import { readVisibleOntology } from './visible-ontology.ts';

/** Types with their subclasses in the dataset `ontology`, as far as the caller may see them; off by default. */
export async function withVisibleSubclasses(context: Context, types: readonly string[]): Promise<readonly string[]> {
  const { search, ontology } = context.configuration;
  const dataset = context.services.datasets.get(ONTOLOGY_DATASET);
  if (!search.includeSubclasses || dataset === undefined) return types;
  return withSubclasses((await readVisibleOntology(dataset, context.viewer, ontology.stylePredicate)).model, types);
}

/** An index whose type filters mean subclasses, too: for callers such as GraphQL that filter by themselves. */
export function withSubclassFilters(context: Context, index: SearchIndex): SearchIndex {
  const widened = async <Request extends SearchFilters>(request: Request): Promise<Request> => {
    const { typeFilter } = request;
    if (typeFilter === undefined) return request;
    return {
      ...request,
      typeFilter: { ...typeFilter, values: await withVisibleSubclasses(context, typeFilter.values) },
    };
  };
  const search: SearchIndex['search'] = async (viewer, request) => index.search(viewer, await widened(request));
  return new Proxy(index, {
    get(target, key) {
      if (key === 'search') return search;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
