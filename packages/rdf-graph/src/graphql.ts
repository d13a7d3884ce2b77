export { createDatasetSchema } from './graphql/dataset/schema.ts';
export {
  type ExecuteGraphQLOptions,
  executeGraphQL,
  type GraphQLRequest,
  type ValidateGraphQLOptions,
  validateGraphQL,
} from './graphql/execution/execute.ts';
export type { GraphSchema, PageSize } from './graphql/execution/graph-schema.ts';
export {
  answerGraphQLHttp,
  type GraphQLHttpOptions,
  type GraphQLHttpRequest,
  type GraphQLHttpResponse,
} from './graphql/http/answer.ts';
export type { GraphQLLimits } from './graphql/limits/limits.ts';
export { IES_STATES, type PlatformSchemaOptions, type StateVocabulary } from './graphql/platform/options.ts';
export { createPlatformSchema } from './graphql/platform/schema.ts';
export type { EntityFinder, EntityQuery, FoundEntities } from './graphql/port/entity-finder.ts';
export { createTraversalSchema } from './graphql/traversal/schema.ts';
