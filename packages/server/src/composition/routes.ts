import type { Configuration } from '../config/configuration.ts';
import { graphQLRoutes } from '../graph/graphql.ts';
import { graphQueryRoutes } from '../graph/query.ts';
import { graphShacl } from '../graph/shacl.ts';
import { graphStoreRead } from '../graph/store-read.ts';
import { graphStoreWrites } from '../graph/store-write.ts';
import { graphUpdate } from '../graph/update.ts';
import { graphUpload } from '../graph/upload.ts';
import { uploadDocuments } from '../ingest/upload.ts';
import { ontologyFindings, ontologyStyles } from '../ontology/routes.ts';
import { openApiRoute } from '../openapi/route.ts';
import { readBuildInfo } from '../operations/build-info.ts';
import { ingestProbes, livez, readyz, searchProbes } from '../operations/probes.ts';
import type { Route } from '../routing/route.ts';
import { getDocument, getDocumentByPost } from '../search/document.ts';
import { searchDocuments } from '../search/documents.ts';
import { facets } from '../search/facets.ts';
import { listIndices } from '../search/indices.ts';
import { listDocuments } from '../search/list.ts';
import { states } from '../search/states.ts';
import { typeahead } from '../search/typeahead.ts';
import { updateEntity } from '../search/update-entity.ts';
import { uriSearch } from '../search/uri-search.ts';

/** Every endpoint, in the order of the reference. */
export function routesOf(configuration: Configuration): readonly Route[] {
  const routes = [
    ...searchDocuments,
    uriSearch,
    getDocument,
    getDocumentByPost,
    updateEntity,
    ...listDocuments,
    ...typeahead,
    ...facets,
    ...states,
    listIndices,
    ...searchProbes,
    ...graphQLRoutes(configuration.graph),
    ...graphQueryRoutes(configuration.graph),
    graphUpdate,
    graphUpload,
    graphStoreRead,
    ...graphStoreWrites,
    graphShacl,
    ontologyFindings,
    ontologyStyles,
    uploadDocuments,
    ...ingestProbes,
    livez,
    readyz,
  ];
  return [...routes, openApiRoute(routes, readBuildInfo().versions['server'] ?? '0.0.0-source')];
}
