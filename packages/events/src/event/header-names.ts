/** Well-known header names of events, as Cairn spells them. Names compare without case. */
export const HEADER = {
  /** Identifies an event: a consumer drops an id that it has applied. Required. */
  eventId: 'Event-Id',
  /** Event type, such as `document.uploaded`. Required. */
  eventType: 'Event-Type',
  /** Version of the value's format, 1 and up. Required. */
  schemaVersion: 'Schema-Version',
  /** Label expression: who may see what the event brings. */
  securityLabel: 'Security-Label',
  /** The components that an event and its ancestors went through, one value each. */
  execPath: 'Exec-Path',
  /** Why an event was put on a dead-letter topic. */
  deadLetterReason: 'Dead-Letter-Reason',
  /** The error that led to a dead letter. */
  deadLetterException: 'Dead-Letter-Exception',
  /** The innermost cause of that error. */
  deadLetterRootCause: 'Dead-Letter-Root-Cause',
  /** The `Request-ID` of the event that this one was derived from. */
  inputRequestId: 'Input-Request-ID',
  /** Identifies the request, or the step of a pipeline, that made the event. */
  requestId: 'Request-ID',
  /** Media type of the value. */
  contentType: 'Content-Type',
  /** IRI of the graph that RDF goes into, as far as it names none itself. Default: the default graph. Not for RDF patches. */
  graph: 'Graph',
  /** IRI that the relative IRIs of RDF are relative to. Not for RDF patches. */
  baseIri: 'Base-IRI',
  /** Where the data came from. */
  dataSourceReference: 'Data-Source-Reference',
  /** Distribution of a data set that the event belongs to. */
  distributionId: 'Distribution-Id',
  /** EDH or IDH policy information, from which a label can be made. */
  policyInformation: 'Policy-Information',
  /** IRI of the document that the event is about. */
  documentId: 'Document-Id',
  owner: 'Owner',
  /** Name and size of the blob that holds the value: `NAME SIZE`. Set by `offloadValue`. */
  valueBlob: 'Value-Blob',
  /** `true` when the value was erased after it was appended. */
  erased: 'Erased',
} as const;
Object.freeze(HEADER);
