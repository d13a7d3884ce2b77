/** Outcome of one file of an upload. Keys in this order on the wire. */
export interface UploadResult {
  readonly successful: boolean;
  readonly filename: string;
  /** UUID of the document; empty when the file was refused. */
  readonly id: string;
  /** Description for people. */
  readonly status: string;
}

/** Outcome of an upload: one result per file, in the order of the files. */
export interface UploadOutcome {
  /** True when every file was accepted. */
  readonly successful: boolean;
  readonly documents: readonly UploadResult[];
  /** True when the sender may not read what was accepted, as the route adds a label or a policy that they lack. */
  readonly isHidden: boolean;
}
