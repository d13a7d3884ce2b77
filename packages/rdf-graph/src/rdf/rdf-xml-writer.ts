import { CodedError } from '@cairn/errors';
import type * as RDF from '@rdfjs/types';
import { createIriCache } from './iri-cache.ts';
import type { QuadSource } from './quad-source.ts';
import { isPlainIri } from './term-writer.ts';
import { isPlainString } from './terms.ts';
import { RDF_NS } from './vocabulary.ts';
import { escapeXml, IN_ATTRIBUTE, NOT_XML } from './xml-text.ts';

const PIECE_UNITS = 1 << 14;

/** How a predicate is written: its name, and the declaration of its namespace where the root has none. */
interface ElementName {
  readonly name: string;
  readonly declaration: string;
}

/**
 * Triples as RDF/XML, each subject's that follow each other in one element. Nothing but the open subject is remembered.
 * @throws `ERR_RDF_XML` (unsupported) for what the syntax cannot say: a predicate that ends in no name of XML, a
 * character that XML forbids, a triple term
 */
export async function* serializeRdfXml(
  quads: QuadSource,
  prefixes: Readonly<Record<string, string>> = {},
): AsyncGenerator<string> {
  const namespaces = toNamespaces(prefixes);
  const nameOf = createIriCache((iri) => toElementName(iri, namespaces));
  let piece = openRoot(namespaces);
  let subject: RDF.Term | undefined;
  for await (const { subject: next, predicate, object } of quads) {
    if (subject?.equals(next) !== true) {
      if (subject !== undefined) piece += '  </rdf:Description>\n';
      piece += `  <rdf:Description ${nodeAttribute('about', next)}>\n`;
      subject = next;
    }
    piece += writeProperty(nameOf(predicate.value), object);
    if (piece.length < PIECE_UNITS) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}${subject === undefined ? '' : '  </rdf:Description>\n'}</rdf:RDF>\n`;
}

/** Those of prefixes that are names of XML. */
function toNamespaces(prefixes: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const namespaces = new Map([[RDF_NS, 'rdf']]);
  for (const [prefix, namespace] of Object.entries(prefixes)) {
    const isUsable =
      prefix !== 'rdf' && prefix !== INLINE && IS_PREFIX.test(prefix) && !RESERVED_NAMESPACES.has(namespace);
    if (isUsable && !namespaces.has(namespace) && isText(namespace)) namespaces.set(namespace, prefix);
  }
  return namespaces;
}

function openRoot(namespaces: ReadonlyMap<string, string>): string {
  const declarations = [...namespaces].map(([namespace, prefix]) => `\n  xmlns:${prefix}="${toXmlText(namespace)}"`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF${declarations.join('')}>\n`;
}

/** The prefix of namespaces that the root does not declare. */
const INLINE = 'ns';
const RESERVED_NAMESPACES: ReadonlySet<string> = new Set([
  '',
  'http://www.w3.org/XML/1998/namespace',
  'http://www.w3.org/2000/xmlns/',
]);

/** Names that mean something else where a property is (RDF/XML, 5.1), and the one that is counted. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(
  'RDF ID about parseType resource nodeID datatype Description li aboutEach aboutEachPrefix bagID'.split(' '),
);

const NAME_START =
  'A-Z_a-z\\xC0-\\xD6\\xD8-\\xF6\\xF8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD';
const IS_NAME_START = new RegExp(`[${NAME_START}]`);
const IS_NAME_PART = new RegExp(`[${NAME_START}\\-.0-9\\xB7\\u0300-\\u036F\\u203F-\\u2040]`);

const IS_PREFIX = /^(?!xml)[a-z_][a-z0-9_.-]*$/i;

function toElementName(iri: string, namespaces: ReadonlyMap<string, string>): ElementName {
  let start = -1;
  for (let at = iri.length - 1; at >= 0 && IS_NAME_PART.test(iri[at]); at--)
    if (IS_NAME_START.test(iri[at])) start = at;
  const [namespace, local] = start < 0 ? ['', ''] : [iri.slice(0, start), iri.slice(start)];
  const isReserved = namespace === RDF_NS && RESERVED_NAMES.has(local);
  if (start < 0 || isReserved || RESERVED_NAMESPACES.has(namespace) || !isPlainIri(iri)) {
    throw notWritable(`the predicate ${JSON.stringify(iri.slice(0, 200))} is no name of a property`);
  }
  const prefix = namespaces.get(namespace);
  if (prefix !== undefined) return { name: `${prefix}:${local}`, declaration: '' };
  return { name: `${INLINE}:${local}`, declaration: ` xmlns:${INLINE}="${toXmlText(namespace)}"` };
}

function writeProperty({ name, declaration }: ElementName, object: RDF.Term): string {
  if (object.termType !== 'Literal') return `    <${name}${declaration} ${nodeAttribute('resource', object)}/>\n`;
  const text = toXmlText(object.value);
  return `    <${name}${declaration}${literalAttribute(object)}>${text}</${name}>\n`;
}

function literalAttribute(literal: RDF.Literal): string {
  if (literal.language !== '') return ` xml:lang="${toXmlText(literal.language)}"`;
  return isPlainString(literal) ? '' : ` rdf:datatype="${toXmlText(literal.datatype.value)}"`;
}

function nodeAttribute(iriAttribute: 'about' | 'resource', term: RDF.Term): string {
  if (term.termType === 'NamedNode') return `rdf:${iriAttribute}="${toXmlText(term.value)}"`;
  if (term.termType === 'BlankNode') return `rdf:nodeID="${toNodeId(term.value)}"`;
  throw notWritable('a triple is itself a term');
}

/** A name of XML for each label, and another one for each other. */
function toNodeId(label: string): string {
  return `n${label.replace(/[^A-Za-z0-9.-]/gu, (character) => `_${character.codePointAt(0)?.toString(16)}_`)}`;
}

function isText(text: string): boolean {
  return text.search(NOT_XML) < 0;
}

function toXmlText(text: string): string {
  if (!isText(text)) throw notWritable('a term has a character that XML does not have');
  return escapeXml(text, IN_ATTRIBUTE);
}

function notWritable(what: string): CodedError {
  const message = `application/rdf+xml cannot say that ${what}; ask for text/turtle or application/n-triples`;
  return new CodedError({ code: 'ERR_RDF_XML', kind: 'unsupported', message });
}
