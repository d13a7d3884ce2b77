import { checkText } from '@cairn/errors';
import { Lexer } from 'n3';

/** Where the resources of an ontology are in its source. Lines are 1-based. */
export interface SourceLines {
  /** The line on which a resource is first the subject of a statement. */
  subject(id: string): number | undefined;
  /** The line on which a predicate of a resource first stands. */
  statement(id: string, predicate: string): number | undefined;
}

interface Token {
  readonly type: string;
  readonly value?: string;
  readonly prefix?: string;
  readonly line: number;
}

/**
 * Reads the lines of subjects and predicates out of Turtle, TriG, N-Triples or N-Quads by their tokens alone. Nodes
 * within brackets and collections are left out. What cannot be tokenised ends the reading; it never throws.
 * Cost: O(text).
 */
export function readSourceLines(text: string): SourceLines {
  checkText(text, 'the text');
  const reader = new LineReader();
  for (const token of tokensOf(text)) reader.read(token);
  return reader.lines();
}

function* tokensOf(text: string): Iterable<Token> {
  try {
    for (const token of new Lexer().tokenize(text) as Iterable<Token>) yield token;
  } catch {
    // The parser reports the syntax error; lines up to here are good.
  }
}

class LineReader {
  readonly #subjects = new Map<string, number>();
  readonly #statements = new Map<string, number>();
  readonly #prefixes = new Map<string, string>();
  #base = '';
  #subject: string | undefined;
  #expects: 'subject' | 'predicate' | 'object' | 'prefix' | 'prefix IRI' | 'base IRI' = 'subject';
  #prefix = '';
  #depth = 0;

  lines(): SourceLines {
    const subjects = this.#subjects;
    const statements = this.#statements;
    return {
      subject: (id) => subjects.get(id),
      statement: (id, predicate) => statements.get(`${id} ${predicate}`),
    };
  }

  read(token: Token): void {
    if (token.type === '[' || token.type === '(') this.#depth++;
    else if (token.type === ']' || token.type === ')') this.#depth--;
    else if (this.#depth === 0) this.#readFlat(token);
  }

  #readFlat(token: Token): void {
    if (/^(?:@prefix|PREFIX)$/.test(token.type)) this.#expects = 'prefix';
    else if (/^(?:@base|BASE)$/.test(token.type)) this.#expects = 'base IRI';
    else if (token.type === '.' || token.type === '{' || token.type === '}') this.#expects = 'subject';
    else if (token.type === ';') this.#expects = 'predicate';
    else this.#readTerm(token);
  }

  #readTerm(token: Token): void {
    if (this.#expects === 'prefix') {
      this.#prefix = token.value ?? '';
      this.#expects = 'prefix IRI';
    } else if (this.#expects === 'prefix IRI') {
      this.#prefixes.set(this.#prefix, this.#resolve(token.value ?? ''));
      this.#expects = 'subject';
    } else if (this.#expects === 'base IRI') {
      this.#base = token.value ?? '';
      this.#expects = 'subject';
    } else if (this.#expects === 'subject') {
      this.#subject = this.#idOf(token);
      if (this.#subject !== undefined) remember(this.#subjects, this.#subject, token.line);
      this.#expects = 'predicate';
    } else if (this.#expects === 'predicate') {
      remember(this.#statements, `${this.#subject} ${this.#idOf(token)}`, token.line);
      this.#expects = 'object';
    }
  }

  #idOf(token: Token): string | undefined {
    if (token.type === 'IRI') return this.#resolve(token.value ?? '');
    if (token.type === 'blank') return `_:${token.value}`;
    if (token.type === 'prefixed') return `${this.#prefixes.get(token.prefix ?? '') ?? ''}${token.value}`;
    return undefined;
  }

  #resolve(iri: string): string {
    if (this.#base === '' || /^[a-z][a-z0-9+.-]*:/i.test(iri)) return iri;
    try {
      return new URL(iri, this.#base).href;
    } catch {
      return iri;
    }
  }
}

function remember(lines: Map<string, number>, key: string, line: number): void {
  if (!lines.has(key)) lines.set(key, line);
}
