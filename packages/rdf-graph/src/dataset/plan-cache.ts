import { CodedError } from '@cairn/errors';
import type { Snapshot } from '../graph/store/snapshot.ts';
import { parseSparql, type Syntax } from '../sparql/parse/parser.ts';
import { PlanningWork } from '../sparql/plan/planning-work.ts';
import { StoreStatistics } from '../sparql/plan/store-statistics.ts';
import { slicesWithinStack, withinStack } from '../sparql/query/depth.ts';
import { type CompiledQuery, compileQuery, type PreparedQuery, prepareQuery } from '../sparql/query/prepare.ts';

/** How many texts are remembered. */
const MAX_TEXTS = 512;

/** Longer texts are not remembered. */
const MAX_TEXT_LENGTH = 1 << 16;

interface FindOptions {
  /** The syntax of the text where the caller has it. */
  readonly parsed?: Syntax | undefined;
  /** Work that the expressions of one solution may take; limits planning too. */
  readonly maxSolutionWork?: number | undefined;
}

interface Entry {
  readonly query: PreparedQuery;
  compiled: CompiledQuery | undefined;
  size: number;
}

/**
 * Parsed queries and their plans by text, from the second time a text comes: texts that never come again would only
 * keep the garbage collector busy. A plan is made anew when the data has grown or shrunk by a quarter.
 */
export class PlanCache {
  readonly #seen = new Set<string>();
  readonly #entries = new Map<string, Entry>();

  /** Returns true if a text is remembered and need not be parsed. */
  has(text: string, baseIri: string | undefined): boolean {
    return this.#entries.has(keyOf(text, baseIri));
  }

  /**
   * The query of a text and its plan, made in slices where they are not remembered. Costs the same work either way.
   * @throws `ERR_SPARQL_SYNTAX` (invalid), also for an update; `ERR_QUERY_WORK` (exhausted)
   */
  *find(
    text: string,
    baseIri: string | undefined,
    snapshot: Snapshot,
    { parsed, maxSolutionWork }: FindOptions = {},
  ): Generator<void, { query: PreparedQuery; compiled: CompiledQuery }> {
    const key = keyOf(text, baseIri);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = {
        query: withinStack(() => prepareQuery(asQuery(parsed ?? parseSparql(text, baseIri)))),
        compiled: undefined,
        size: 0,
      };
      this.#remember(key, entry);
    }
    const size = snapshot.runs.reduce((sum, run) => sum + run.size, 0);
    const { query, compiled } = entry;
    const work = new PlanningWork(maxSolutionWork);
    if (compiled !== undefined && Math.abs(size - entry.size) * 4 <= entry.size) {
      work.spend(compiled.work);
      return { query, compiled };
    }
    entry.compiled = yield* slicesWithinStack(compileQuery(query, new StoreStatistics(snapshot), work));
    entry.size = size;
    return { query, compiled: entry.compiled };
  }

  #remember(key: string, entry: Entry): void {
    if (key.length > MAX_TEXT_LENGTH) return;
    if (this.#seen.delete(key)) {
      makeRoom(this.#entries);
      this.#entries.set(key, entry);
    } else {
      makeRoom(this.#seen);
      this.#seen.add(key);
    }
  }
}

function keyOf(text: string, baseIri: string | undefined): string {
  return baseIri === undefined ? text : `${baseIri}\n${text}`;
}

/** Drops the oldest where there are as many as there may be. */
function makeRoom(known: Map<string, unknown> | Set<string>): void {
  if (known.size < MAX_TEXTS) return;
  for (const oldest of known.keys()) {
    known.delete(oldest);
    return;
  }
}

function asQuery(syntax: Syntax): Extract<Syntax, { type: 'query' }> {
  if (syntax.type === 'query') return syntax;
  throw wrongForm('a query (SELECT, ASK, CONSTRUCT or DESCRIBE); got an update');
}

/** The update that was parsed. @throws `ERR_SPARQL_SYNTAX` (invalid) for a query. */
export function asUpdate(syntax: Syntax): Extract<Syntax, { type: 'update' }> {
  if (syntax.type === 'update') return syntax;
  // The parser gives an empty text no type: it is an update without operations.
  if (!('queryType' in syntax)) return { type: 'update', prefixes: {}, updates: [] };
  throw wrongForm('an update; got a query');
}

function wrongForm(expected: string): CodedError {
  return new CodedError({ code: 'ERR_SPARQL_SYNTAX', kind: 'invalid', message: `the text must be ${expected}` });
}
