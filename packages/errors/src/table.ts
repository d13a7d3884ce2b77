import { type ErrorCode, type ErrorKind, freezeDeeply } from './index.ts';

/** One error condition. */
export interface ErrorRow {
  /** Several where callers should react differently to the same condition. */
  readonly kinds: readonly ErrorKind[];
  readonly meaning: string;
  /** Advice for whoever meets the error. */
  readonly remedy: string;
}

function rowOf(...kinds: readonly ErrorKind[]): (meaning: string, remedy: string) => ErrorRow {
  return (meaning, remedy) => ({ kinds, meaning, remedy });
}

const invalid = rowOf('invalid');
const unsupported = rowOf('unsupported');
const tooLarge = rowOf('too-large');
const unauthenticated = rowOf('unauthenticated');
const denied = rowOf('denied');
const notFound = rowOf('not-found');
const conflict = rowOf('conflict');
const unavailable = rowOf('unavailable');
const overloaded = rowOf('overloaded');
const exhausted = rowOf('exhausted');
const timeout = rowOf('timeout');
const cancelled = rowOf('cancelled');
const corrupt = rowOf('corrupt');
const internal = rowOf('internal');
const internalOrUnavailable = rowOf('internal', 'unavailable');
const invalidOrTooLargeOrTimeout = rowOf('invalid', 'too-large', 'timeout');

const REPORT = 'Report it with the log: it is a defect.';
const UPGRADE = 'Use the release that wrote it, or a later one.';
const REOPEN = 'Open it again; a process that stops closes it on purpose.';
const VERIFY = 'Run `cairn verify`, which says what is damaged and what to do.';
const RETRY = 'Try again after a pause.';
const UPGRADE_OR_REBUILD = `${UPGRADE} Or build it anew.`;
const PASS_ASKED = 'Pass what the message asks for.';
const USE_LISTED = 'Use one of those that the message lists.';
const USE_CONFIGURED = 'Use one of the configuration.';
const USE_PLAIN = 'Use letters, digits, `.`, `_` and `-`.';
const MEND_NAMED = 'Mend what the message names.';
const MEND_KEY = 'Mend the key that the message names.';
const MEND_FIELD = 'Mend the field that the message names.';
const MEND_POSITION = 'Mend it at the position that the error gives.';
const OWN_LABEL = 'State one that you satisfy yourself.';
const PERMISSIONS = 'See to permissions and the medium.';
const MEDIUM = 'See to the medium; readers try again.';
const LEAVE_OUT = 'Raise the limit, or leave the document out.';
const RETRY_DONE = 'Try again when one of them is done.';
const BUILT_ANEW = 'Nothing: it is built anew.';

/**
 * Every code that a package of Cairn throws, one per condition: the source of `docs/errors.md`; a check compares it
 * with the code. Text for people: nothing reads it at run time.
 */
export const ERROR_TABLE: Readonly<Record<ErrorCode, ErrorRow>> = freezeDeeply<Record<ErrorCode, ErrorRow>>({
  // Calls
  ERR_ARGUMENT: invalid('An argument has the wrong type or lies outside its bounds.', PASS_ASKED),
  ERR_ALREADY_READ: invalid(
    'A stream that is made while it is read was read a second time.',
    'Ask again, or keep its elements.',
  ),
  ERR_CANCELLED: cancelled('The caller gave the operation up, or its client left.', 'Nothing, or ask again.'),
  ERR_INTERNAL: internal('The server or an engine failed in a way that nobody foresaw.', REPORT),
  ERR_TIME_LIMIT: timeout(
    'A query, search or validation took longer than it may.',
    'Ask for less, or raise the limit.',
  ),

  // Labels and viewers
  ERR_ATTRIBUTES: invalid(
    'The attributes of a user are not of the form that labels are judged by.',
    'Mend the attributes where they come from.',
  ),
  ERR_LABEL_SYNTAX: invalid('A security label cannot be read.', MEND_POSITION),
  ERR_LABEL_TOO_LARGE: tooLarge('A label has too many characters or levels.', 'State a shorter one.'),
  ERR_SECURITY_LABEL: invalid(
    'A label that a writer states is malformed, or names what its writer does not hold.',
    OWN_LABEL,
  ),
  ERR_LABEL_RULE: invalid(
    'A rule of a label graph cannot apply, so that nothing of the body was written.',
    'Mend the pattern that the message names.',
  ),
  ERR_LABEL_ID: invalid(
    'An interned label is unknown to the table that was asked.',
    'Use ids with the table that gave them.',
  ),
  ERR_LABEL_TABLE: corrupt('A stored table of labels is damaged.', VERIFY),
  ERR_DOCUMENT_TOO_DEEP: tooLarge('A document nests deeper than it may.', 'Flatten it.'),
  ERR_POLICY_INFORMATION: invalid('The header Policy-Information cannot be made a label.', MEND_FIELD),

  // Events, log and blobs
  ERR_EVENT_INVALID: invalid(
    'An event lacks an id or a type, or has a malformed header or key.',
    'Mend whatever makes it.',
  ),
  ERR_EVENT_TOO_LARGE: tooLarge(
    'An event, or a batch of them, is larger than the log takes.',
    'Put the value into a blob (`offloadValue`), or append fewer at once.',
  ),
  ERR_HEADER_INVALID: invalid('The name or value of a header has characters that it may not.', 'Encode them.'),
  ERR_TOPIC_INVALID: invalid('A topic has a name that no log takes.', USE_PLAIN),
  ERR_GROUP_INVALID: invalid(
    'A consumer group has a name that no log takes.',
    'Use 1 to 200 characters without control characters.',
  ),
  ERR_POSITION_INVALID: invalid(
    'A position is none of this log, or lies beyond its end.',
    'Use positions that this log gave.',
  ),
  ERR_LOG_CLOSED: unavailable('The log was closed.', REOPEN),
  ERR_LOG_OPEN: unavailable('The log could not be opened.', PERMISSIONS),
  ERR_LOG_LOCKED: conflict('Another process has the log open.', 'Stop that process first.'),
  ERR_LOG_LOCK_LOST: unavailable(
    'The lock of the log was removed or taken while a server had it open; it takes no more writes.',
    'Stop the server, and every other one on the same data directory; start one, and never remove a lock.',
  ),
  ERR_LOG_READ: unavailable('A file of the log could not be read.', MEDIUM),
  ERR_LOG_WRITE: unavailable(
    'The log could not write, as on a full disk.',
    'Make room; after a failed fsync restart the server.',
  ),
  ERR_LOG_CORRUPT: corrupt('A file of the log is damaged.', VERIFY),
  ERR_LOG_VERSION: unsupported('A file of the log was written by a later release.', UPGRADE),
  ERR_LOG_TRUNCATED: notFound(
    'The events before a position were removed by retention.',
    'Read from the first position that is left.',
  ),
  ERR_BLOB_NAME: invalid('A blob has a name that no store takes.', 'Use the characters that the message lists.'),
  ERR_RANGE_INVALID: invalid('A range of bytes does not begin before it ends.', 'Pass 0 <= start <= end.'),
  ERR_BLOB_OPEN: unavailable('The blob store could not be opened.', PERMISSIONS),
  ERR_BLOB_WRITE: unavailable('A blob could not be written, as on a full disk.', 'Make room and try again.'),
  ERR_BLOB_CORRUPT: corrupt('A blob or manifest is not as it was written.', VERIFY),
  ERR_BLOB_VERSION: unsupported('A blob was written by a later release.', UPGRADE),
  ERR_MANIFEST_FOREIGN: conflict(
    'What is stored under a name is another index or dataset than the one that reads or writes it; nothing was removed.',
    'Give each a name of its own, or open anew the one that was overtaken.',
  ),
  ERR_BLOBS_CLOSED: unavailable('The blob store was closed.', REOPEN),
  ERR_BLOB_MISSING: corrupt('The blob that holds the value of an event is not there, or has another size.', VERIFY),
  ERR_VALUE_DAMAGED: corrupt('The stored value of an event is damaged.', VERIFY),
  ERR_VALUE_UNREADABLE: unavailable('The stored value of an event could not be read now.', MEDIUM),
  ERR_ID_SET_CORRUPT: corrupt('The bytes are no set of event ids.', 'Throw them away: the log tells the same.'),
  ERR_ID_SET_VERSION: unsupported('A set of event ids was written by a later release.', UPGRADE),
  ERR_APPLIED_IDS: corrupt(
    'The note of which events were applied is damaged, or is that of another log.',
    'Nothing: it is read from the log again.',
  ),

  // Search
  ERR_CONFIGURATION: invalid('A configuration, of the server or of an engine, is malformed.', MEND_KEY),
  ERR_DOCUMENT: invalid('A document cannot be indexed.', MEND_FIELD),
  ERR_REQUEST: invalid('A search request has a malformed part.', PASS_ASKED),
  ERR_QUERY_SYNTAX: invalid(
    'A search query cannot be read.',
    'Mend it at the position that the error gives, or quote the text.',
  ),
  ERR_FIELD_BOOST: invalid('A field boost is no number within its bounds.', 'Use 0.0625 to 64.'),
  ERR_BOOST: invalid(
    'A boost of a search, or of an index, is none, or is out of its bounds.',
    'Give a field and a curve that there is; a scale that fits the origin; factor and weight above 0.',
  ),
  ERR_FACET: invalid(
    'A facet of a search asks for buckets or ranges that are none, or for too many.',
    'Give a width above 0, a part of the calendar, or ranges from a number to a number or a date to a date.',
  ),
  ERR_CURSOR: invalid(
    'A search is to go on behind a page that no answer ended at.',
    'Give as after what the last answer gave as next, with the same query and sort; * begins.',
  ),
  ERR_UNKNOWN_INDEX: invalid('A search names an index that there is none of.', USE_LISTED),
  ERR_SEARCH_BUDGET: exhausted(
    'A search needs more work, terms or candidates than it may.',
    'Ask for less: fewer wildcards, clauses or fields.',
  ),
  ERR_INDEX_CLOSED: unavailable('The search index was closed.', REOPEN),
  ERR_SEGMENT_CORRUPT: corrupt(
    'A stored segment of an index is damaged.',
    'Nothing: the server builds the index anew. A library user does so from the source of the documents.',
  ),
  ERR_SEGMENT_VERSION: unsupported('A stored index was written by a later release.', UPGRADE_OR_REBUILD),

  // RDF
  ERR_RDF_SYNTAX: invalid(
    'RDF cannot be read, or ends too early. Nothing of it was written.',
    'Mend it at the place that the message names.',
  ),
  ERR_RDF_MEDIA_TYPE: unsupported('There is no RDF syntax of this media type.', USE_LISTED),
  ERR_RDF_ENCODING: unsupported(
    'An RDF/XML document declares an encoding that is unknown, or that it is not in.',
    'Send it in UTF-8.',
  ),
  ERR_RDF_TOO_LARGE: tooLarge(
    'An RDF document or one of its parts is larger than it may be.',
    'Send it in parts, or raise the limit.',
  ),
  ERR_RDF_REMOTE_CONTEXT: unsupported(
    'A JSON-LD document refers to a context elsewhere, which is not fetched.',
    'Put the context into the document, or pass it as an option.',
  ),
  ERR_IRI: invalid(
    'A request names a graph by what is no IRI.',
    'Give an absolute IRI, or one relative to the base, without spaces and the like.',
  ),
  ERR_RDF_TARGET: invalid(
    'RDF that is to go into one graph names another.',
    'Send its triples without a graph, or all of it without naming one for the whole.',
  ),
  ERR_RDF_NO_GRAPHS: invalid('Named graphs were asked for in a syntax that has none.', 'Ask for TriG or N-Quads.'),
  ERR_JSON_LD_TRIPLE_TERM: unsupported('JSON-LD cannot say a triple about a triple.', 'Ask for Turtle or N-Triples.'),
  ERR_RDF_XML: unsupported('XML cannot say what the graph or the result holds.', 'Ask for Turtle, N-Triples or JSON.'),
  ERR_TERM_UNSUPPORTED: invalid(
    'A term cannot stand at its place, or in any syntax.',
    'Use a term that RDF has there.',
  ),
  ERR_TERM_UNKNOWN: internal('A term id is none of its dictionary.', REPORT),
  ERR_DICTIONARY_FULL: exhausted('A dataset has no room for another term.', 'Spread the data over several datasets.'),
  ERR_DATASET_NAME: invalid('A stored dataset has a name that cannot be a file name.', USE_PLAIN),
  ERR_DATASET_CLOSED: unavailable('The dataset was closed.', REOPEN),
  ERR_DATASET_IN_USE: conflict('A dataset is being written to where it must be alone.', RETRY),
  ERR_GRAPH_SNAPSHOT: corrupt('A stored dataset is damaged.', 'Nothing: the server builds it anew from the log.'),
  ERR_GRAPH_SNAPSHOT_VERSION: unsupported('A stored dataset was written by a later release.', UPGRADE_OR_REBUILD),
  ERR_COMUNICA_MISSING: unsupported(
    'Federated queries need an optional package that is not installed.',
    'Install `@comunica/query-sparql-rdfjs`.',
  ),

  // SPARQL
  ERR_SPARQL_SYNTAX: invalid('A text is no SPARQL, or an update where a query is needed.', MEND_POSITION),
  ERR_SPARQL_LENGTH: tooLarge(
    'A SPARQL text is too long, or has too many parts.',
    'Ask in several queries; put values into the data rather than the text.',
  ),
  ERR_SPARQL_DEPTH: tooLarge('Groups and expressions nest too deeply.', 'Flatten the query.'),
  ERR_SPARQL_UNSUPPORTED: unsupported(
    'The query uses a part of SPARQL that this release does not answer.',
    'Ask otherwise.',
  ),
  ERR_QUERY_MEMORY: exhausted(
    'A query needs more memory than it may hold, or an update changes more text, counted as it is written out.',
    'Ask for less, or raise `maxMemoryMb`.',
  ),
  ERR_QUERY_WORK: exhausted(
    'An expression, a plan or a pattern takes more work than it may.',
    'Simplify the expression that the message names.',
  ),
  ERR_QUERY_WORKER: internalOrUnavailable(
    'The thread that evaluated a query ended before its answer.',
    `${RETRY} If it comes again, report it with the log.`,
  ),
  ERR_QUERY_WORKERS_BUSY: overloaded('Too many heavy queries wait.', RETRY),
  ERR_READER_QUADS: exhausted(
    'A dataset that can only be read whole shows more quads than are copied.',
    'Give the dataset a reader of its own, or use the embedded store.',
  ),
  ERR_RESULT_ROWS: exhausted('A result has more rows than it may.', 'Use LIMIT, or raise the limit.'),
  ERR_RESULT_MEDIA_TYPE: unsupported('There is no form of results of this media type.', USE_LISTED),
  ERR_RESULT_SYNTAX: invalid('A text is no SPARQL result.', 'See to the endpoint that gave it.'),
  ERR_SERVICE_REFUSED: denied(
    'SERVICE names an endpoint that may not be called.',
    'Have it named in the configuration.',
  ),
  ERR_LOAD_REFUSED: denied('LOAD names a document that may not be fetched.', 'Upload it instead.'),
  ERR_UPDATE_DATASET: invalid(
    'An update names its graphs twice: in its text and in parameters.',
    'Leave one of them out.',
  ),
  ERR_GRAPH_EXISTS: conflict('CREATE names a graph that is there.', 'Use CREATE SILENT, or another name.'),
  ERR_NO_GRAPH: notFound('There is no graph of this name that the caller may see.', 'See to the name.'),

  // SHACL
  ERR_SHACL_SHAPES: invalid('A shapes graph is malformed.', 'Mend the shape that the message names.'),
  ERR_SHACL_UNSUPPORTED: unsupported(
    'A shape uses a part of SHACL that this release does not check.',
    'Say it otherwise; nothing is ignored in silence.',
  ),
  ERR_SHACL_TARGET: invalid('What is to be validated is named wrongly.', PASS_ASKED),
  ERR_SHACL_TOO_LARGE: tooLarge('Data or shapes are larger than validation takes.', 'Validate a part of them.'),
  ERR_SHACL_RESULTS: exhausted('A report has more results than it may.', 'Mend the first ones and validate again.'),
  ERR_SHACL_FAILED: internal('Validation failed in a way that nobody foresaw.', REPORT),

  // GraphQL
  ERR_GRAPHQL_REQUEST: invalid(
    'The parameters of a GraphQL request are malformed.',
    'Send `query`, `variables` and `operationName` as the specification says.',
  ),
  ERR_GRAPHQL_LIMIT: exhausted(
    'A document is too large, nests too deeply, or may cost too much.',
    'Ask for fewer fields, levels or items.',
  ),
  ERR_GRAPHQL_ERRORS: exhausted('An answer would hold more errors than it may.', 'Mend those that it holds.'),
  ERR_GRAPHQL_ANSWER: exhausted('An answer would be larger than it may.', 'Ask for less at once; use paging.'),
  ERR_GRAPHQL_FILTER: invalid('A filter is malformed.', PASS_ASKED),
  ERR_GRAPHQL_PAGE: invalid('A page lies outside its bounds.', PASS_ASKED),
  ERR_GRAPHQL_SEARCH_TYPE: unsupported('The kind of search that was asked for is not offered.', USE_LISTED),
  ERR_SEARCH_UNAVAILABLE: unavailable('GraphQL could not ask the search index.', RETRY),

  // Ontology
  ERR_ONTOLOGY: invalid('An update would leave the ontology malformed.', 'Mend what the findings name.'),
  ERR_STYLE: invalid('A style is malformed.', MEND_NAMED),

  // Ingest
  ERR_NO_ROUTE: notFound('There is no ingest route of this name.', USE_CONFIGURED),
  ERR_NO_DATASET: notFound('There is no dataset of this name.', USE_CONFIGURED),
  ERR_NO_DOCUMENT: notFound('There is no document of this id that the caller may see.', 'See to the id.'),
  ERR_NO_MATCHING_ENTITY: invalid(
    'A document has no entity of this text and category.',
    'Read the document again; it may have changed.',
  ),
  ERR_NO_DEAD_LETTER: notFound('There is no such dead letter.', 'List them again.'),
  ERR_DEAD_LETTER: internal(
    'What was written is durable, and can never be applied. It is kept as a dead letter.',
    'See `cairn dead-letters`; mend the cause and retry it.',
  ),
  ERR_EVENT_FILE: invalid('A file of events is malformed.', 'Mend the entry that the message names.'),
  ERR_EVENT_VALUE: invalid(
    'The value of an event of the pipeline is not of its form.',
    'See what wrote it; it is a dead letter.',
  ),
  ERR_ENTITY_MAPPING: invalid(
    'A property path of the mapping of entities is malformed.',
    'Mend it in the configuration.',
  ),
  ERR_ROUTE_CONFIG: invalid('A route of the configuration is malformed.', MEND_KEY),
  ERR_UPLOAD_EMPTY: invalid('An upload holds no file.', 'Send one part with a file name for each file.'),
  ERR_UPLOAD_LABEL: invalid('The label of an upload is missing, malformed, or more than its sender holds.', OWN_LABEL),
  ERR_UPLOAD_QUEUE_FULL: overloaded('Too many uploads run.', RETRY),
  ERR_UPLOAD_SHARE: overloaded('Too many uploads of one sender run.', RETRY_DONE),
  ERR_PROJECTION_BEHIND: unavailable('What a write builds on is not applied yet. Nothing was written.', RETRY),
  ERR_PROJECTION_TIMEOUT: timeout(
    'What was written is durable, and was not applied in time.',
    'Do not send it again: it will be applied.',
  ),
  ERR_PROJECTOR_STALLED: unavailable(
    'What was written is durable, and waits behind something that storage does not give.',
    'See `readyz`, which names it. Do not send it again.',
  ),
  ERR_PROJECTOR_STOPPED: unavailable(
    'What was written is durable; the projector was stopped before it was applied.',
    'Do not send it again: it will be applied after the start.',
  ),
  ERR_PROJECTOR_FAILED: unavailable(
    'What was written is durable; the projector has failed.',
    'See `readyz` and the log. Do not send it again.',
  ),
  ERR_REBUILD: internal(
    'A cache could not be built anew; the old one stays.',
    'See to the topic that the message names.',
  ),
  ERR_REBUILD_ADAPTER: unsupported(
    'A cache that is elsewhere cannot be built anew from here.',
    'Build it with its own means.',
  ),

  // Extraction and workers
  ERR_EXTRACTION: invalid(
    'A document cannot be read, or is larger than reading may take.',
    'Mend the document; its metadata are searchable.',
  ),
  ERR_MULTIPART: invalidOrTooLargeOrTimeout(
    'A multipart body is malformed, too large, or did not arrive in time.',
    'Mend the client.',
  ),
  ERR_WORKER_QUEUE: overloaded('Too many tasks wait for a worker thread.', RETRY),
  ERR_WORKER_TIME: timeout('A task in a worker thread took longer than it may.', LEAVE_OUT),
  ERR_WORKER_MEMORY: exhausted('A task in a worker thread needed more memory than it may.', LEAVE_OUT),
  ERR_WORKER_START: unavailable(
    'A worker thread could not be started: out of file handles or memory, or its file is away.',
    'Give the process what it lacks; the work is tried again.',
  ),
  ERR_WORKER_DIED: internal('A worker thread died during a task.', REPORT),
  ERR_WORKER_TASK: internal('A task in a worker thread failed in a way that nobody foresaw.', REPORT),
  ERR_WORKER_MISSING: internal('The file of a worker thread is missing.', 'Build the package, or install it anew.'),
  ERR_WORKER_CLOSED: unavailable('The pool of worker threads was closed.', REOPEN),

  // HTTP
  ERR_NO_ENDPOINT: notFound('There is no endpoint at this path.', 'See the OpenAPI description.'),
  ERR_METHOD_NOT_ALLOWED: unsupported('The endpoint does not take this method.', 'Use one of `Allow`.'),
  ERR_NOT_ACCEPTABLE: unsupported(
    'The answer has no form that Accept takes.',
    'Accept one of those that the message lists.',
  ),
  ERR_MEDIA_TYPE: unsupported(
    'The endpoint does not take bodies of this media type.',
    'Send one of those that the message lists.',
  ),
  ERR_PARAMETER: invalid('A parameter is missing, malformed or unknown.', PASS_ASKED),
  ERR_PARAMETERS: invalid(
    'Parameters do not fit together, where the interface gives them an error of its own.',
    PASS_ASKED,
  ),
  ERR_PARAMETER_ENCODING: invalid('Escapes in a query string or a form are no UTF-8.', 'Encode UTF-8.'),
  ERR_EXPECTATION: unsupported('The header Expect asks for something else than 100-continue.', 'Leave it out.'),
  ERR_TRANSFER_CODING: unsupported(
    'The body is sent in a transfer coding other than chunked.',
    'Send it as it is, or in chunks.',
  ),
  ERR_PATH_ENCODING: invalid('The path is not well percent-encoded.', 'Encode it.'),
  ERR_HOST: invalid('The header Host is missing or malformed.', 'Mend the client or the proxy.'),
  ERR_JSON: invalid('The body is no JSON object.', 'Mend the body.'),
  ERR_BODY_ENCODING: invalid('The body is not UTF-8.', 'Send UTF-8.'),
  ERR_BODY_TIMEOUT: timeout('The body did not arrive in time.', 'Send it faster, or in parts.'),
  ERR_BODY_TOO_LARGE: tooLarge('The body is larger than it may be.', 'Send less, or raise the limit.'),
  ERR_BUSY: overloaded('Too many requests are being served.', RETRY),
  ERR_USER_BUSY: overloaded('Too many requests of one user are being served.', RETRY_DONE),
  ERR_NOT_READY: unavailable('The server starts or stops.', RETRY),
  ERR_NO_INDEX: unavailable('No search index is available.', 'Configure one.'),
  ERR_TOKEN_MISSING: unauthenticated(
    'The request has no token, or credentials of another scheme.',
    'Send one in the header that the message names.',
  ),
  ERR_TOKEN_INVALID: unauthenticated(
    'The token is expired, malformed, or signed by somebody else.',
    'Ask for a new one.',
  ),
  ERR_TOKEN_UNUSABLE: invalid(
    'There is no token in form in the header, or a valid one that says nothing that the server can use.',
    'Send a signed JWT, or have its issuer add what the message names.',
  ),
  ERR_IDENTITY_UNAVAILABLE: unavailable('Keys or attributes that tell who asks could not be read.', RETRY),
  ERR_PERMISSION: denied('The caller lacks a permission.', 'Have the permission given that the message names.'),

  // Operation
  ERR_USAGE: invalid('A command was called wrongly.', 'See `cairn help`.'),
  ERR_DEMO: invalid('The manifest of the demo data is malformed.', MEND_NAMED),
  ERR_CONTROL: internal(
    'The server ended a command before its answer, or could not be asked.',
    'The message says how to find out what became of it.',
  ),
  ERR_SERVER_STARTED: conflict('The server was started before.', 'Make another one.'),
  ERR_SERVER_NOT_STARTED: conflict('The server is asked for what it has only while it runs.', 'Start it first.'),
  ERR_ADAPTERS_CLOSED: conflict(
    'A server is to be started again whose adapters were closed with it.',
    'Make another one, with adapters that are open.',
  ),
  ERR_LISTEN: unavailable(
    'The server cannot listen on an address: it is in use, not of this machine, or not allowed.',
    'Stop what uses it, or configure another host or port.',
  ),
  ERR_SERVER_CLOSED: unavailable('The server was closed.', 'Start it again.'),
  ERR_FILE_READ: unavailable('A file could not be read.', PERMISSIONS),
  ERR_FILE_WRITE: unavailable('A file could not be written.', PERMISSIONS),
  ERR_SIGNING_KEY: corrupt(
    'The file of the signing key is damaged.',
    'Remove it, as the message says: tokens that it signed are void then.',
  ),
  ERR_STATISTICAL_LEAK: unsupported(
    'A search adapter lets hidden documents move scores, and the configuration does not allow that.',
    'Use another adapter, or allow it.',
  ),
  ERR_DAMAGED: corrupt('`cairn verify` found damage.', 'Do what it says of each thing.'),
  ERR_CACHE_LOG: corrupt('A cache was made from another log.', BUILT_ANEW),
  ERR_CACHE_POSITION: corrupt('A cache has applied what its log does not hold any more.', BUILT_ANEW),
  ERR_CACHE_RECORD: corrupt(
    'The record of the generations of a cache is damaged.',
    'Nothing: the cache is built anew.',
  ),
  ERR_BACKUP_INCOMPLETE: corrupt(
    'A backup lacks files that it lists, or its list.',
    'Use another one; `--incomplete` takes what is there.',
  ),
  ERR_BACKUP_IN_PLACE: conflict('A directory is a backup, and no data directory.', 'Restore it first.'),
  ERR_BACKUP_VERSION: unsupported('A backup was written by a later release.', UPGRADE),
  ERR_RESTORE_UNFINISHED: corrupt(
    'A restore into the directory did not end.',
    'Empty the directory and restore again.',
  ),
});
