import { RE2JS } from 're2js';
import { ExpressionError } from './expression-error.ts';

/** The most steps of one match or replacement, of about ten nanoseconds. */
export const MAX_REGEX_STEPS = 5_000_000;

/** The most instructions of a compiled pattern. */
const MAX_PROGRAM = 4_096;

/** Counting would take longer than so many steps. */
const FEW_STEPS = 65_536;

/** Cost of compiling an instruction. */
const STEPS_PER_INSTRUCTION = 1_000;

/** The longest pattern, in UTF-16 units. */
const MAX_PATTERN_LENGTH = 8_192;

interface TextInput {
  step(position: number): number;
}

type Execute = (input: TextInput, ...more: readonly unknown[]) => unknown;

/** The part of re2js's engine through which every match goes; `doExecuteNFA` is its slowest way. */
interface Engine {
  executeEngine: Execute;
  doExecuteNFA: Execute;
}

/**
 * A pattern in the syntax of RE2, whose steps over a text are counted: linear time in the text is too long where the
 * pattern is large, and a replacement is quadratic. Where it cannot be long, an engine runs that counts nothing.
 */
export class CountedRegex {
  readonly #source: string;
  readonly #flags: number;
  readonly #quick: RE2JS;
  #counting: RE2JS | undefined;
  readonly #size: number;
  #steps = 0;
  #weight = 1;

  /** @throws ExpressionError for a pattern that is too large; what RE2JS throws for one that is none. */
  constructor(source: string, flags: number) {
    if (source.length > MAX_PATTERN_LENGTH || sizeOf(source) > MAX_PROGRAM) {
      throw new ExpressionError(`a pattern of more than ${MAX_PROGRAM} instructions`);
    }
    this.#source = source;
    this.#flags = flags;
    this.#quick = RE2JS.compile(source, flags);
    this.#size = this.#quick.programSize();
  }

  get compilation(): number {
    return STEPS_PER_INSTRUCTION * this.#size;
  }

  /** The steps of the last match or replacement. */
  get steps(): number {
    return this.#steps;
  }

  /** True when any part of a text matches. @throws ExpressionError when it takes too many steps. */
  test(text: string): boolean {
    return this.#engineFor(text.length).test(text);
  }

  /**
   * Runs work over a text, which may count more. `most` is how often at most an instruction is looked at.
   * @throws ExpressionError when it takes too many steps.
   */
  counted<Result>(most: number, work: (regex: RE2JS, spend: (steps: number) => void) => Result): Result {
    return work(this.#engineFor(most), (steps) => this.#spend(steps));
  }

  #engineFor(most: number): RE2JS {
    this.#steps = 0;
    if (most * this.#size <= FEW_STEPS) return this.#quick;
    this.#counting ??= this.#createCounting();
    return this.#counting;
  }

  #createCounting(): RE2JS {
    const regex = RE2JS.compile(this.#source, this.#flags);
    const engine: Engine = regex.re2() as Engine;
    const execute = engine.executeEngine.bind(engine);
    const executeNfa = engine.doExecuteNFA.bind(engine);
    // A match may begin with clearing what the one before noted down.
    engine.executeEngine = (input, ...more) => {
      this.#spend(this.#size);
      this.#weight = 1;
      return execute(this.#countingSteps(input), ...more);
    };
    // Each step goes on with as many threads as there are instructions.
    engine.doExecuteNFA = (input, ...more) => {
      this.#weight = this.#size;
      return executeNfa(input, ...more);
    };
    return regex;
  }

  #countingSteps(input: TextInput): TextInput {
    const step = input.step.bind(input);
    input.step = (position) => {
      this.#spend(this.#weight);
      return step(position);
    };
    return input;
  }

  #spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_REGEX_STEPS) throw new ExpressionError(`a match takes more than ${MAX_REGEX_STEPS} steps`);
  }
}

const COUNT = /\{(\d+)(,(\d*))?\}/y;

/** About how many instructions a pattern compiles to: characters, where counts multiply what is before them. */
function sizeOf(source: string): number {
  const outer: number[] = [];
  let size = 0;
  let last = 0;
  for (let at = 0; at < source.length; at++) {
    const character = source[at];
    COUNT.lastIndex = at;
    const count = character === '{' ? COUNT.exec(source) : null;
    if (count !== null) {
      const times = Math.max(Number(count[1]), count[3] ? Number(count[3]) : Number(count[1]) + 1);
      size += last * times;
      last *= times + 1;
      at += count[0].length - 1;
    } else if (character === '(') {
      outer.push(size);
      size = 0;
      last = 0;
    } else if (character === ')') {
      last = size + 2;
      size = (outer.pop() ?? 0) + last;
    } else {
      at = atomEnd(source, at);
      last = 1;
      size += 1;
    }
  }
  return outer.reduce((sum, one) => sum + one, size);
}

/** Where the escape, class or character that begins here ends. */
function atomEnd(source: string, start: number): number {
  if (source[start] === '\\') {
    const braced = /\\[pPx]\{[^}]*\}/y;
    braced.lastIndex = start;
    return start + (braced.exec(source)?.[0].length ?? 2) - 1;
  }
  if (source[start] !== '[') return start;
  let at = start + (source[start + 1] === '^' ? 2 : 1);
  if (source[at] === ']') at++;
  for (; at < source.length && source[at] !== ']'; at++) if (source[at] === '\\') at++;
  return at;
}
