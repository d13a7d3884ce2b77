import { nextTurn } from '@cairn/events';
import { type IJsonLdParserOptions, JsonLdParser } from 'jsonld-streaming-parser';
import { ContextBudget } from './json-ld-contexts.ts';

/** Values that are read between two turns of the event loop; each takes about 50 microseconds. */
const VALUES_PER_TURN = 50;

/** Entries of contexts, taken over or new, between two turns. */
const ENTRIES_PER_TURN = 2_000;

/** Buffered quads that are written between two turns. */
const QUADS_PER_TURN = 4_096;

type Keys = readonly (string | number)[];

/** A value that waits until the contexts of the document are known. */
interface WaitingValue {
  readonly job: () => Promise<void>;
  readonly keys: Keys;
  readonly depth: number;
}

interface ParsingContext {
  readonly unaliasedKeywordCacheStack: unknown[];
  readonly unidentifiedValuesBuffer: (unknown[] | undefined)[];
  readonly unidentifiedGraphsBuffer: (unknown[] | undefined)[];
  readonly annotationsBuffer: (unknown[] | undefined)[];
  readonly literalStack: unknown[];
  readonly jsonLiteralStack: unknown[];
  parseContext(context: unknown, parent?: object, ...rest: readonly unknown[]): Promise<unknown>;
}

interface KeywordReader {
  unaliasKeyword(key: unknown, keys: Keys, depth: number, disableCache: boolean): Promise<unknown>;
}

/**
 * The library's parser that lets other events through between values, bounds contexts, and finds the types of a node in
 * one look: the library compares each value that waits with each type that does.
 */
export class SteppedJsonLdParser extends JsonLdParser {
  readonly #check: () => void;
  #values = 0;

  /** @param check called before each value; what it throws ends the parse */
  constructor(options: IJsonLdParserOptions, check: () => void) {
    super(options);
    this.#check = check;
    const parsing = this.#parsing;
    const contexts = new ContextBudget();
    const parse = parsing.parseContext.bind(parsing);
    let entries = 0;
    parsing.parseContext = async (context, parent, ...rest) => {
      entries += contexts.spend(context, parent);
      if (entries > ENTRIES_PER_TURN) {
        await nextTurn();
        entries = 0;
      }
      return parse(context, parent, ...rest);
    };
  }

  get #parsing(): ParsingContext {
    return Reflect.get(this, 'parsingContext') as ParsingContext;
  }

  override async newOnValueJob(...args: Parameters<JsonLdParser['newOnValueJob']>): Promise<void> {
    if (++this.#values % VALUES_PER_TURN === 0) await nextTurn();
    this.#check();
    return super.newOnValueJob(...args);
  }

  /** Writes long buffers in parts; the library clears what is at the depth after each. */
  override async flushBuffer(depth: number, keys: unknown[]): Promise<void> {
    const parsing = this.#parsing;
    for (const name of ['unidentifiedValuesBuffer', 'unidentifiedGraphsBuffer'] as const) {
      const buffer = parsing[name][depth];
      if (buffer === undefined || buffer.length <= QUADS_PER_TURN) continue;
      await this.#flushParts(name, buffer, depth, keys);
    }
    await super.flushBuffer(depth, keys);
  }

  async #flushParts(
    name: 'unidentifiedValuesBuffer' | 'unidentifiedGraphsBuffer',
    buffer: readonly unknown[],
    depth: number,
    keys: unknown[],
  ): Promise<void> {
    const parsing = this.#parsing;
    const stacks = [
      parsing.unidentifiedValuesBuffer,
      parsing.unidentifiedGraphsBuffer,
      parsing.annotationsBuffer,
      parsing.literalStack,
      parsing.jsonLiteralStack,
    ];
    const kept = stacks.map((stack) => [...stack]);
    const restore = (): void => stacks.forEach((stack, i) => void stack.splice(0, stack.length, ...kept[i]));
    const last = Math.floor((buffer.length - 1) / QUADS_PER_TURN) * QUADS_PER_TURN;
    for (let at = 0; at < last; at += QUADS_PER_TURN) {
      for (const stack of [parsing.unidentifiedValuesBuffer, parsing.unidentifiedGraphsBuffer]) delete stack[depth];
      delete parsing.annotationsBuffer[depth];
      parsing[name][depth] = buffer.slice(at, at + QUADS_PER_TURN);
      await super.flushBuffer(depth, keys);
      restore();
      await nextTurn();
      this.#check();
    }
    parsing[name][depth] = buffer.slice(last);
  }

  protected override async executeBufferedJobs(): Promise<void> {
    const contextJobs = Reflect.get(this, 'contextJobs') as readonly (readonly (() => Promise<void>)[] | undefined)[];
    for (const jobs of contextJobs) for (const job of jobs ?? []) await job();
    this.#parsing.unaliasedKeywordCacheStack.splice(0);
    const types = new TypeTree();
    const others: WaitingValue[] = [];
    for (const waiting of Reflect.get(this, 'contextAwaitingJobs') as readonly WaitingValue[]) {
      if (++this.#values % VALUES_PER_TURN === 0) await nextTurn();
      if (await this.#isType(waiting)) types.add(waiting);
      else others.push(waiting);
    }
    for (const value of others) {
      for (const type of types.take(value.keys)) await type.job();
      await value.job();
    }
  }

  /** Returns true if a value is one of `@type` or of its array. */
  async #isType({ keys, depth }: WaitingValue): Promise<boolean> {
    const reader = Reflect.get(this, 'util') as KeywordReader;
    if ((await reader.unaliasKeyword(keys[depth], keys, depth, true)) === '@type') return true;
    return (
      typeof keys[depth] === 'number' &&
      (await reader.unaliasKeyword(keys[depth - 1], keys, depth - 1, true)) === '@type'
    );
  }
}

/** The types of a node and of those in it, each taken once, before the values of the node. */
class TypeTree {
  readonly #types: WaitingValue[] = [];
  readonly #branches = new Map<string | number, TypeTree>();

  add(type: WaitingValue): void {
    let branch: TypeTree = this;
    for (const key of type.keys.slice(0, -1)) {
      const next = branch.#branches.get(key) ?? new TypeTree();
      branch.#branches.set(key, next);
      branch = next;
    }
    branch.#types.push(type);
  }

  /** The types of the nodes on the way to a value, the outermost first. */
  take(keys: Keys): WaitingValue[] {
    const taken = this.#types.splice(0);
    let branch: TypeTree | undefined = this;
    for (const key of keys) {
      branch = branch.#branches.get(key);
      if (branch === undefined) return taken;
      taken.push(...branch.#types.splice(0));
    }
    return taken;
  }
}
