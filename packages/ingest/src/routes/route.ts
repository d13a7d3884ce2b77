/** Who wins when both the configuration and the request give a header. */
export type HeaderPriority = 'CONFIGURATION' | 'REQUEST' | 'REQUEST_ONLY';

/** Every {@link HeaderPriority}. */
export const HEADER_PRIORITIES: readonly HeaderPriority[] = ['CONFIGURATION', 'REQUEST', 'REQUEST_ONLY'];

/** A header that a route puts on the events of its documents. */
export interface HeaderConfig {
  readonly name: string;
  readonly defaultValue: string;
  /**
   * - `CONFIGURATION`: the default value, whatever the request says
   * - `REQUEST`: the request's value, else the default
   * - `REQUEST_ONLY`: the request's value, else none
   */
  readonly priority: HeaderPriority;
}

/** A named way in for native documents. */
export interface RouteConfig {
  readonly name: string;
  /** The topic that receives one event per document. */
  readonly topic: string;
  /** The IRI that document ids are appended to. */
  readonly namespace: string;
  /** A label that every document of the route carries beside the one of its request; `null` for none. */
  readonly securityLabel: string | null;
  readonly headers: readonly HeaderConfig[];
  /** Largest file in bytes, 1 and up. Default 104,857,600. */
  readonly maxDocumentBytes: number;
  /** Most files of one upload, 1 to 10,000. Default 1000. */
  readonly maxFiles: number;
}
