import { type CodedError, checkText } from '@cairn/errors';
import { labelSyntaxError, labelTooDeep, labelTooLong } from './errors.ts';
import {
  type Label,
  type LabelExpression,
  type LabelRelation,
  type LabelTest,
  MAX_LABEL_DEPTH,
  MAX_LABEL_LENGTH,
} from './label.ts';
import { type TokenKind, TokenReader } from './tokens.ts';

const WHOLE_LABELS: Readonly<Partial<Record<TokenKind, Label>>> = {
  '*': Object.freeze({ kind: 'everyone' }),
  '!': Object.freeze({ kind: 'nobody' }),
};

/**
 * Parses a security label. The empty string is the empty list.
 *
 * Throws `ERR_LABEL_SYNTAX` (invalid, with position and expectation) when the text does not follow the grammar, and
 * `ERR_LABEL_TOO_LARGE` beyond {@link MAX_LABEL_LENGTH} or {@link MAX_LABEL_DEPTH}, and `ERR_ARGUMENT` when it is not
 * text. Cost: O(length).
 */
export function parseLabel(text: string): Label {
  checkText(text, 'a label');
  if (text.length > MAX_LABEL_LENGTH) throw labelTooLong(text.length);
  return new LabelParser(text).parse();
}

class LabelParser {
  readonly #tokens: TokenReader;
  #depth = 0;
  #deepest = 0;

  constructor(text: string) {
    this.#tokens = new TokenReader(text);
  }

  parse(): Label {
    const whole = WHOLE_LABELS[this.#tokens.kind];
    if (whole !== undefined) return this.#whole(whole);
    if (this.#at('end')) return Object.freeze({ kind: 'list', items: Object.freeze([]) });
    if (this.#at(',')) throw this.#badList('begin');
    const items = this.#separated(',', () => this.#listItem());
    if (!this.#at('end')) throw this.#unexpected(['&', '|', ',', 'the end']);
    if (items.length === 1) return items[0];
    if (this.#deepest + 1 > MAX_LABEL_DEPTH) throw labelTooDeep();
    return Object.freeze({ kind: 'list', items: Object.freeze(items) });
  }

  #whole(label: Label): Label {
    this.#tokens.next();
    if (!this.#at('end')) throw this.#unexpected(['the end']);
    return label;
  }

  #listItem(): LabelExpression {
    if (this.#at('end')) throw this.#badList('end');
    return this.#any();
  }

  #any(): LabelExpression {
    const items = this.#separated('|', () => this.#all());
    return group('any', items);
  }

  #all(): LabelExpression {
    const items = this.#separated('&', () => this.#operand());
    return group('all', items);
  }

  #separated(separator: '&' | '|' | ',', read: () => LabelExpression): LabelExpression[] {
    const items = [read()];
    while (this.#at(separator)) {
      this.#tokens.next();
      items.push(read());
    }
    return items;
  }

  #operand(): LabelExpression {
    if (this.#at('(')) return this.#parentheses();
    if (this.#at('text')) return this.#test();
    throw this.#unexpected(['an attribute', '(']);
  }

  #parentheses(): LabelExpression {
    if (++this.#depth > MAX_LABEL_DEPTH) throw labelTooDeep();
    this.#deepest = Math.max(this.#deepest, this.#depth);
    this.#tokens.next();
    const inner = this.#any();
    if (!this.#at(')')) throw this.#unexpected([')', '&', '|']);
    this.#tokens.next();
    this.#depth--;
    return inner;
  }

  #test(): LabelTest {
    const attribute = this.#tokens.value;
    if (attribute === '') {
      throw labelSyntaxError(this.#tokens.text, this.#tokens.start, 'an attribute must have a name', ['an attribute']);
    }
    this.#tokens.next();
    const { kind } = this.#tokens;
    if (kind !== '=' && kind !== '!=') return test(attribute, '=', 'true');
    this.#tokens.next();
    if (!this.#at('text')) throw this.#unexpected(['a value']);
    const { value } = this.#tokens;
    this.#tokens.next();
    return test(attribute, kind, value);
  }

  #badList(where: 'begin' | 'end'): CodedError {
    const { text, start } = this.#tokens;
    return labelSyntaxError(text, start, `a list must not ${where} with a comma`, ['an attribute', '(']);
  }

  #at(kind: TokenKind): boolean {
    return this.#tokens.kind === kind;
  }

  #unexpected(expected: readonly string[]): CodedError {
    const { text, start, kind } = this.#tokens;
    const found = kind === 'end' ? 'the label ends' : `unexpected ${kind === 'text' ? 'word, number or string' : kind}`;
    const aside = kind === '*' || kind === '!' ? `; ${kind} stands only as the whole label` : '';
    return labelSyntaxError(text, start, `${found}${aside}; expected ${expected.join(' or ')}`, expected);
  }
}

function test(attribute: string, relation: LabelRelation, value: string): LabelTest {
  return Object.freeze({ kind: 'test', attribute, relation, value });
}

function group(kind: 'all' | 'any', items: LabelExpression[]): LabelExpression {
  return items.length === 1 ? items[0] : Object.freeze({ kind, items: Object.freeze(items) });
}
