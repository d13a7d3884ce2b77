export type ByteKind = 'text' | 'binary';

interface KnownType {
  readonly kind: ByteKind;
  readonly extensions: readonly string[];
  /** Other names for the same type. */
  readonly aliases?: readonly string[];
}

const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';

const KNOWN: Readonly<Record<string, KnownType>> = {
  'application/pdf': { kind: 'binary', extensions: ['pdf'], aliases: ['application/x-pdf'] },
  [`${OOXML}.wordprocessingml.document`]: { kind: 'binary', extensions: ['docx'] },
  [`${OOXML}.wordprocessingml.template`]: { kind: 'binary', extensions: ['dotx'] },
  'application/vnd.ms-word.document.macroenabled.12': { kind: 'binary', extensions: ['docm'] },
  [`${OOXML}.spreadsheetml.sheet`]: { kind: 'binary', extensions: ['xlsx'] },
  [`${OOXML}.spreadsheetml.template`]: { kind: 'binary', extensions: ['xltx'] },
  'application/vnd.ms-excel.sheet.macroenabled.12': { kind: 'binary', extensions: ['xlsm'] },
  [`${OOXML}.presentationml.presentation`]: { kind: 'binary', extensions: ['pptx'] },
  [`${OOXML}.presentationml.slideshow`]: { kind: 'binary', extensions: ['ppsx'] },
  [`${OOXML}.presentationml.template`]: { kind: 'binary', extensions: ['potx'] },
  'application/vnd.ms-powerpoint.presentation.macroenabled.12': { kind: 'binary', extensions: ['pptm'] },
  [`${ODF}.text`]: { kind: 'binary', extensions: ['odt'] },
  [`${ODF}.spreadsheet`]: { kind: 'binary', extensions: ['ods'] },
  [`${ODF}.presentation`]: { kind: 'binary', extensions: ['odp'] },
  'application/epub+zip': { kind: 'binary', extensions: ['epub'] },
  'application/msword': { kind: 'binary', extensions: ['doc'] },
  'application/vnd.ms-excel': { kind: 'binary', extensions: ['xls'] },
  'application/vnd.ms-powerpoint': { kind: 'binary', extensions: ['ppt'] },
  'application/rtf': { kind: 'text', extensions: ['rtf'], aliases: ['text/rtf', 'text/richtext'] },
  'text/html': { kind: 'text', extensions: ['html', 'htm'] },
  'application/xhtml+xml': { kind: 'text', extensions: ['xhtml', 'xht'] },
  'message/rfc822': { kind: 'text', extensions: ['eml'] },
  'text/csv': { kind: 'text', extensions: ['csv'] },
  'text/tab-separated-values': { kind: 'text', extensions: ['tsv', 'tab'] },
  'application/json': { kind: 'text', extensions: ['json', 'geojson'] },
  'application/x-ndjson': { kind: 'text', extensions: ['ndjson', 'jsonl'] },
  'application/xml': { kind: 'text', extensions: ['xml'], aliases: ['text/xml'] },
  'text/markdown': { kind: 'text', extensions: ['md', 'markdown'], aliases: ['text/x-markdown'] },
  'text/plain': { kind: 'text', extensions: ['txt', 'text', 'log'] },
  'text/turtle': { kind: 'text', extensions: ['ttl'], aliases: ['application/x-turtle'] },
  'application/n-triples': { kind: 'text', extensions: ['nt'] },
  'application/n-quads': { kind: 'text', extensions: ['nq'] },
  'application/trig': { kind: 'text', extensions: ['trig'] },
  'text/n3': { kind: 'text', extensions: ['n3'] },
  'application/rdf+xml': { kind: 'text', extensions: ['rdf', 'owl'] },
  'application/ld+json': { kind: 'text', extensions: ['jsonld'] },
  'application/rdf-patch': { kind: 'text', extensions: ['rdfp', 'rdfpatch'] },
};

const BY_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries(KNOWN).flatMap(([type, { aliases = [] }]) => [type, ...aliases].map((name) => [name, type])),
);

const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries(KNOWN).flatMap(([type, { extensions }]) => extensions.map((extension) => [extension, type])),
);

/** The types of RDF documents; these are handed on as they are. */
export const RDF_TYPES: ReadonlySet<string> = new Set([
  'text/turtle',
  'application/n-triples',
  'application/n-quads',
  'application/trig',
  'text/n3',
  'application/rdf+xml',
  'application/ld+json',
  'application/rdf-patch',
]);

/** The usual name of a type that is known here, whichever of its names is given. */
export function toKnownType(name: string): string | undefined {
  return BY_NAME.get(name);
}

/** The type that a file name's extension stands for. */
export function typeOfFilename(filename: string): string | undefined {
  const extension = /\.([^./\\]{1,16})$/.exec(filename)?.[1];
  return extension === undefined ? undefined : BY_EXTENSION.get(extension.toLowerCase());
}

/** Returns true if the bytes of a known type are text. */
export function kindOfType(type: string): ByteKind {
  return KNOWN[type]?.kind ?? 'binary';
}
