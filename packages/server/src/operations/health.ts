/** Health of the service, with reasons when it cannot do its work. Holds no counts and no names of data. */
export interface HealthStatus {
  readonly healthy: boolean;
  /** Why it is unhealthy, and what is being mended while it serves: a cache that is built anew. */
  readonly reasons: readonly string[];
  /** True when writes are refused at the moment although reads go on. */
  readonly writable: boolean;
}
