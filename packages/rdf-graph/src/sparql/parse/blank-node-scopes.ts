import { symbolOf } from './grammar.ts';

/** A group, or something else in braces, that is being read. */
interface Frame {
  /** The basic graph pattern that is being read in it; 0 where it is data or a template. */
  pattern: number;
  /** After EXISTS the pattern around it goes on, for a filter does not end one. */
  readonly isFilter: boolean;
}

const OPEN = symbolOf('{');
const CLOSE = symbolOf('}');
const LABEL = symbolOf('BLANK_NODE_LABEL');
const EXISTS = symbolOf('EXISTS');
const BIND = symbolOf('BIND');
const TEMPLATES = ['CONSTRUCT', 'INSERT', 'DELETE', 'INSERTDATA', 'DELETEDATA'].map(symbolOf);

/** A label of a blank node stands in one basic graph pattern of a query or operation (SPARQL 1.1, 19.6). */
export class BlankNodeScopes {
  #frames: Frame[] = [];
  #labels = new Map<string, number>();
  #patterns = 0;
  #before = 0;

  /** Takes the next token. @throws where a label stands in a second pattern */
  take(symbol: number, token: string): void {
    if (symbol === OPEN) this.#open();
    else if (symbol === CLOSE) this.#close();
    else if (symbol === BIND) this.#endPattern();
    else if (symbol === LABEL) this.#use(token, this.#innermost()?.pattern ?? 0);
    this.#before = symbol;
  }

  #innermost(): Frame | undefined {
    return this.#frames[this.#frames.length - 1];
  }

  #endPattern(): void {
    const frame = this.#innermost();
    if (frame !== undefined) frame.pattern &&= ++this.#patterns;
  }

  /** Begins the next operation of an update. */
  restart(): void {
    this.#labels = new Map();
  }

  #open(): void {
    const isTemplate = TEMPLATES.includes(this.#before) || this.#innermost()?.pattern === 0;
    this.#frames.push({ pattern: isTemplate ? 0 : ++this.#patterns, isFilter: this.#before === EXISTS });
  }

  #close(): void {
    const closed = this.#frames.pop();
    if (closed?.isFilter === false) this.#endPattern();
  }

  #use(label: string, pattern: number): void {
    if (pattern === 0) return;
    const first = this.#labels.get(label) ?? pattern;
    if (first !== pattern) throw new Error(`${label} stands in two groups; use a variable`);
    this.#labels.set(label, pattern);
  }
}
