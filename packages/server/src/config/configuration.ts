import type { RouteConfig } from '@cairn/ingest';
import type { GraphQLLimits } from '@cairn/rdf-graph/graphql';
import type { IndexSettings } from '@cairn/search';
import type { Hierarchies } from '@cairn/security';

/** The whole configuration of a server, every default filled in. The names are those of the YAML file. */
export interface Configuration {
  readonly server: ServerSettings;
  readonly auth: AuthSettings;
  /** Graph datasets by name; each has the topic of its name. */
  readonly datasets: Readonly<Record<string, DatasetSettings>>;
  readonly indices: readonly IndexSettings[];
  readonly routes: readonly RouteConfig[];
  readonly search: SearchSettings;
  readonly graph: GraphSettings;
  readonly ontology: OntologySettings;
  readonly snapshots: SnapshotSettings;
  /** True when adapters may be used whose answers depend on what a reader may not see. Default false. */
  readonly allowStatisticalLeak: boolean;
}

export interface ServerSettings {
  /** Default 127.0.0.1. */
  readonly host: string;
  /** 0 picks one. Default 8080. */
  readonly port: number;
  readonly paths: { readonly search: string; readonly graph: string; readonly ingest: string };
  /** Ports on which one area alone is served as well. Default none. */
  readonly ports: { readonly search?: number; readonly graph?: number; readonly ingest?: number };
  readonly cors: { readonly origins: readonly string[]; readonly maxAgeSeconds: number };
  readonly metrics: MetricsSettings;
  readonly limits: LimitSettings;
  /** `silent`, `error`, `warn`, `info` or `debug`. Logs go to standard error. Default `warn`. */
  readonly logLevel: LogLevel;
  /** Requests slower than this are logged as warnings, in milliseconds; 0 logs none. Default 5000. */
  readonly slowRequestMs: number;
  /** How long SIGTERM makes `readyz` answer 503 before the server closes, in milliseconds. Default 5000. */
  readonly shutdownDelayMs: number;
  /** How long SIGTERM waits for running requests, in milliseconds. Default 10000. */
  readonly shutdownGraceMs: number;
}

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

export interface MetricsSettings {
  /** Default true. */
  readonly enabled: boolean;
  /** Default 127.0.0.1. */
  readonly host: string;
  /** 0 picks one. Default 0. */
  readonly port: number;
}

export interface LimitSettings {
  /** Request line and headers together. Default 32768. */
  readonly maxHeaderBytes: number;
  /** Form, JSON and SPARQL bodies. Default 4194304. */
  readonly maxBodyBytes: number;
  /** RDF bodies of upload and SHACL. Default 104857600. */
  readonly maxRdfBytes: number;
  /** Default 10000. */
  readonly headersTimeoutMs: number;
  /** Until a body that is read into memory has arrived. Default 30000. */
  readonly bodyTimeoutMs: number;
  /** Until the last byte of any request. Default 900000. */
  readonly requestTimeoutMs: number;
  /** Default 10000. */
  readonly keepAliveTimeoutMs: number;
  /** Default 2000. */
  readonly maxConnections: number;
  /** Requests served at the same time; more get 503. Default 512. */
  readonly maxConcurrentRequests: number;
  /** Of one user; more get 429. Default three quarters of all. */
  readonly maxConcurrentRequestsPerUser?: number;
  /** How long an answer waits for a client that takes nothing of it; then the connection is cut. Default 60000. */
  readonly answerStallMs: number;
  /** Uploads received at the same time; more get 503. Default 16. */
  readonly maxConcurrentUploads: number;
  /** Of one user; more get 429. Default three quarters of all, so that others find a place. */
  readonly maxConcurrentUploadsPerUser?: number;
  /**
   * Lowest rate of an upload in bytes a second while it is waited for; slower ones end with 408. Default 1024; 0 for
   * none.
   */
  readonly minUploadBytesPerSecond: number;
  /** How long an upload is waited for before its rate counts. Default 10000. */
  readonly uploadGraceMs: number;
  /** Over how long the rate is taken. Default 10000. */
  readonly uploadWindowMs: number;
  /** Ids of one list or states request. Default 1000. */
  readonly maxIds: number;
}

export type AuthMode = 'local' | 'jwks' | 'disabled';

export interface AuthSettings {
  readonly mode: AuthMode;
  /** Users by name: the only ones in mode local; in mode jwks a source of attributes for the names it holds. */
  readonly users: Readonly<Record<string, UserSettings>>;
  /** Who everybody is in mode disabled. Default: no attributes, every permission. */
  readonly anonymous: UserSettings;
  /** From least to most restrictive. */
  readonly hierarchies: Hierarchies;
  /** Permissions that come with a role. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
  /** True when a user of whom no permissions are stated has none. Default false: such a user is not restricted. */
  readonly requirePermissions: boolean;
  /** http, https or file URL of the key set, for mode jwks. */
  readonly jwksUrl?: string;
  /** When given, tokens must name this issuer. */
  readonly issuer?: string;
  /** When given, tokens must name one of these audiences. */
  readonly audience?: readonly string[];
  /** Clock difference allowed in seconds, 0 to 60. Default 30. */
  readonly leewaySeconds: number;
  readonly userinfoUrl?: string;
  readonly userinfoCacheSize: number;
  readonly userinfoCacheSeconds: number;
  /** Default Authorization, X-Amzn-Oidc-Data. */
  readonly headerNames: readonly string[];
  /** One per header, may be empty. Default Bearer and none. */
  readonly headerPrefixes: readonly string[];
  /** Default preferred_name, email, username; `sub` is always tried last. */
  readonly usernameClaims: readonly string[];
  /** Default roles. */
  readonly rolesClaim: string;
  /** How long tokens of `cairn token` live, in seconds. Default 86400. */
  readonly tokenSeconds: number;
}

export interface UserSettings {
  /** Attribute values: texts, lists of texts, numbers, booleans, or objects that are flattened with dots. */
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly permissions?: readonly string[];
  readonly roles: readonly string[];
}

export interface DatasetSettings {
  /** The label of what comes without one. Default `!`: nobody. */
  readonly defaultLabel: string;
}

export interface SearchSettings {
  /** Default 10000. */
  readonly timeLimitMs: number;
  /** A type filter also means the subclasses that the caller may see in the dataset `ontology`. Default false. */
  readonly includeSubclasses: boolean;
}

export interface GraphSettings {
  /** Default 30000. */
  readonly timeLimitMs: number;
  /** Default 10000000. */
  readonly maxRows: number;
  /** Memory that one query may hold, in MiB. */
  readonly maxMemoryMb: number;
  /** Queries that take longer than this move to a worker thread, in milliseconds; 0 moves all. Default 20. */
  readonly shortQueryMs: number;
  /** Worker threads for heavy queries; 0 for none. Default: the processors less one, at least 1. */
  readonly queryWorkers: number;
  /** JavaScript heap of one of them in MiB. Default 1024. */
  readonly queryWorkerMemoryMb: number;
  /** Heavy queries at a time; more get 503. Default 64. */
  readonly maxHeavyQueries: number;
  /** Serve `/{dataset}/get` and `/{dataset}/read` beside `/query`. Default true. */
  readonly queryAliases: boolean;
  /** True when GraphQL answers what its schema is. Default true. */
  readonly introspection: boolean;
  /** Limits of one GraphQL request; what is not given has the engine's default. */
  readonly graphqlLimits: Omit<GraphQLLimits, 'timeLimitMs'>;
  /** The path segment of the platform GraphQL schema. Default platform. */
  readonly platformSegment: string;
  /** How long a write waits for its caches, in milliseconds. Default 10000. */
  readonly applyTimeoutMs: number;
}

export interface OntologySettings {
  /** The predicate that carries the styles of classes. Default http://telicent.io/ontology/style. */
  readonly stylePredicate: string;
}

export interface SnapshotSettings {
  /** Seconds between snapshots of changed caches; 0 for none but the last. Default 300. */
  readonly intervalSeconds: number;
  /** Events after which a cache is written before its interval is over; 0 for none. Default 10000. */
  readonly events: number;
  /** MiB of their values after which it is, too; 0 for none. Default 256. */
  readonly megabytes: number;
}

/** A configuration with any part left out. */
export type ConfigurationInput = DeepPartial<Omit<Configuration, 'indices' | 'routes'>> & {
  readonly indices?: readonly (string | IndexSettings)[];
  readonly routes?: readonly RouteInput[];
};

/** A route with what has a default left out. */
export type RouteInput = Pick<RouteConfig, 'name' | 'topic' | 'namespace'> & Partial<RouteConfig>;

/** A type with every property optional, at every depth. */
export type DeepPartial<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { readonly [Key in keyof Value]?: DeepPartial<Value[Key]> }
    : Value;
