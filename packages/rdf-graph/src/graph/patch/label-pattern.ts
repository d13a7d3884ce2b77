import type * as RDF from '@rdfjs/types';
import { Parser } from 'n3';
import { type BlankNodeNaming, type BlankNodeScope, createBlankNodeScope } from '../../rdf/blank-node-scope.ts';
import { rdfSyntaxError } from '../../rdf/syntax-error.ts';
import { toTermFactory } from '../../rdf/term-factory.ts';
import { toTermKey } from '../../rdf/term-key.ts';
import { writeIri } from '../../rdf/term-writer.ts';
import { blankNode, namedNode } from '../../rdf/terms.ts';

/** Meaning of the words of a pattern: that of its document. */
export interface PatternScope {
  /** IRIs by prefix, without its colon. */
  readonly prefixes: ReadonlyMap<string, string>;
  /** How the document's blank nodes are named. Default: by their labels as they are. */
  readonly nameBlankNode?: BlankNodeNaming | undefined;
}

export interface LabelPattern {
  /** The bound positions: subject 8, predicate 4, object 2, graph 1. */
  readonly mask: number;
  /** Equal to {@link toPatternKey} of a quad, by this mask, exactly when the pattern matches it. */
  readonly key: string;
}

const WILDCARD = 'urn:x-cairn:any-term';
const WILDCARD_WORD = /^(?:_|\*|ANY|\?\w*)$/;
const SPACE = /\s+/y;
const WORD = /[^\s"'<]+/y;
const IRI = /<[^<>\s]*>/y;
const LITERAL = /"""(?:[^\\]|\\[\s\S])*?"""|'''(?:[^\\]|\\[\s\S])*?'''|"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y;
const PREFIX_NAME = /^[^:]*(?=:)/;
const MAX_QUOTED = 200;
const MAX_TRIPLE_TERM_DEPTH = 32;

/**
 * A pattern from its text: three or four terms as in Turtle. `_`, `*`, `ANY` and `?name` stand for any term, except
 * inside literals and IRIs. Cost: O(text).
 * @throws `ERR_RDF_SYNTAX` (invalid), naming the pattern
 */
export function parseLabelPattern(text: string, scope: PatternScope): LabelPattern {
  const { statement, words } = withoutWildcards(text);
  const declarations = [...scope.prefixes].flatMap(([prefix, iri]) =>
    words.has(prefix) ? [`PREFIX ${prefix}: ${writeIri(iri)}\n`] : [],
  );
  const quads = parseStatement(text, `${declarations.join('')}${statement} .`, scope);
  if (quads.length !== 1) throw patternError(text, 'must be three or four terms');
  const terms = termsOf(quads[0]);
  const isBound = (term: RDF.Term): boolean => term.value !== WILDCARD && term.termType !== 'DefaultGraph';
  const mask = terms.reduce((bits, term, index) => bits | (isBound(term) ? 8 >> index : 0), 0);
  return { mask, key: toKey(terms, mask) };
}

export function toPatternKey(quad: RDF.Quad, mask: number): string {
  return toKey(termsOf(quad), mask);
}

export function quotePattern(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}...` : text);
}

/** The pattern with an IRI for each wildcard, and the prefixes that it uses. */
function withoutWildcards(text: string): { readonly statement: string; readonly words: ReadonlySet<string> } {
  const pieces = toPieces(text.replace(/\s*\.?\s*$/, ''), text);
  const words = new Set<string>();
  const isSpace = (piece: string | undefined): boolean => piece === undefined || /^\s/.test(piece);
  const written = pieces.map((piece, index) => {
    const prefix = PREFIX_NAME.exec(piece.replace(/^\^\^/, ''));
    if (prefix !== null) words.add(prefix[0]);
    const stands = isSpace(pieces[index - 1]) && isSpace(pieces[index + 1]);
    return stands && WILDCARD_WORD.test(piece) ? `<${WILDCARD}>` : piece;
  });
  return { statement: written.join(''), words };
}

/** White space, literals, IRIs and words, each whole. */
function toPieces(text: string, pattern: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const piece = pieceAt(text, at);
    if (piece === undefined) throw patternError(pattern, 'has a literal without its end');
    pieces.push(piece);
    at += piece.length;
  }
  return pieces;
}

function pieceAt(text: string, at: number): string | undefined {
  const first = text[at];
  if (first === '"' || first === "'") return matchAt(LITERAL, text, at);
  if (first === '<') return matchAt(IRI, text, at) ?? first;
  return matchAt(SPACE, text, at) ?? matchAt(WORD, text, at);
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function parseStatement(pattern: string, text: string, { nameBlankNode }: PatternScope): RDF.Quad[] {
  const named = createBlankNodeScope(nameBlankNode);
  // No quad has a node that only a pattern knows.
  const blankNodes: BlankNodeScope = { labelled: named.labelled, fresh: () => blankNode(' ') };
  const options = {
    factory: toTermFactory(namedNode, blankNodes),
    // An empty prefix: labels reach the factory as they are written.
    blankNodePrefix: '_:',
    maxTripleTermDepth: MAX_TRIPLE_TERM_DEPTH,
  };
  try {
    return new Parser(options as ConstructorParameters<typeof Parser>[0]).parse(text) as RDF.Quad[];
  } catch (cause) {
    throw patternError(pattern, 'cannot be read', cause);
  }
}

function termsOf({ subject, predicate, object, graph }: RDF.Quad): RDF.Term[] {
  return [subject, predicate, object, graph];
}

function toKey(terms: readonly RDF.Term[], mask: number): string {
  return terms.map((term, index) => ((mask & (8 >> index)) === 0 ? '' : toTermKey(term))).join('\n');
}

function patternError(pattern: string, problem: string, cause?: unknown): Error {
  return rdfSyntaxError('label graph', `the pattern ${quotePattern(pattern)} ${problem}`, undefined, { cause });
}
