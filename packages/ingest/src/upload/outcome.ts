/** What became of one file of an upload. Keys in this order on the wire. */
export interface UploadResult {
  readonly successful: boolean;
  readonly filename: string;
  /** UUID of the document; empty when the file was refused. */
  readonly id: string;
  /** What happened, for people. */
  readonly status: string;
}

/** What became of an upload: one result per file, in the order of the files. */
export interface UploadOutcome {
  /** Whether every file was accepted. */
  readonly successful: boolean;
  readonly documents: readonly UploadResult[];
  /** Whether the sender may not read what was accepted, as the route adds a label or a policy that they lack. */
  readonly isHidden: boolean;
}
