/** Whether the service can do its work, and if not, why. Holds no counts and no names of data. */
export interface HealthStatus {
  readonly healthy: boolean;
  /** Why it is unhealthy; empty when it is healthy. */
  readonly reasons: readonly string[];
  /** Whether writes are refused at the moment although reads go on. */
  readonly writable: boolean;
}
