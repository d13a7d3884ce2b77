import type { Configuration } from '../config/configuration.ts';
import { graphQLRoutes } from '../graph/graphql.ts';
import { graphQueryRoutes } from '../graph/query.ts';
import { graphShacl } from '../graph/shacl.ts';
import { graphStoreRead } from '../graph/store-read.ts';
import { graphUpdate } from '../graph/update.ts';
import { graphUpload } from '../graph/upload.ts';
import { uploadDocuments } from '../ingest/upload.ts';
import { ontologyFindings, ontologyStyles } from '../ontology/routes.ts';
import { openApiRoute } from '../openapi/route.ts';
import { readBuildInfo } from '../operations/build-info.ts';
import {
  ingestHealth,
  ingestVersionInfo,
  livez,
  readyz,
  searchHealth,
  searchVersionInfo,
} from '../operations/probes.ts';
import type { Route } from '../routing/route.ts';
import { getDocument, getDocumentByPost } from '../search/document.ts';
import { searchDocuments, searchDocumentsByPost } from '../search/documents.ts';
import { facets, facetsByPost } from '../search/facets.ts';
import { listIndices } from '../search/indices.ts';
import { listDocuments, listDocumentsByPost } from '../search/list.ts';
import { states, statesByPost } from '../search/states.ts';
import { typeahead, typeaheadByPost } from '../search/typeahead.ts';
import { updateEntity } from '../search/update-entity.ts';
import { uriSearch } from '../search/uri-search.ts';

/** Every endpoint, in the order of the reference. */
export function routesOf(configuration: Configuration): readonly Route[] {
  const routes = [
    searchDocuments,
    searchDocumentsByPost,
    uriSearch,
    getDocument,
    getDocumentByPost,
    updateEntity,
    listDocuments,
    listDocumentsByPost,
    typeahead,
    typeaheadByPost,
    facets,
    facetsByPost,
    states,
    statesByPost,
    listIndices,
    searchHealth,
    searchVersionInfo,
    ...graphQLRoutes(configuration.graph),
    ...graphQueryRoutes(configuration.graph),
    graphUpdate,
    graphUpload,
    graphStoreRead,
    graphShacl,
    ontologyFindings,
    ontologyStyles,
    uploadDocuments,
    ingestHealth,
    ingestVersionInfo,
    livez,
    readyz,
  ];
  return [...routes, openApiRoute(routes, readBuildInfo().versions['server'] ?? '0.0.0-source')];
}
