import { isCodedError } from '@cairn/errors';
import { type Evaluation, type GraphDataset, StoreDataset } from '@cairn/rdf-graph';
import type { HttpAnswer } from '../http/message.ts';
import type { Context } from '../routing/context.ts';
import { type ResultAnswer, resultAnswer } from './result-answer.ts';
import type { QueryTask } from './workers/protocol.ts';

/** Longer texts are not even parsed on the main thread, in UTF-16 units. */
const MAX_SHORT_TEXT = 4_096;

/** Longer answers are not gathered here but streamed from a worker, in UTF-16 units. */
const MAX_SHORT_ANSWER = 1 << 22;

/** Work of the expressions of one solution here: nobody else gets a turn meanwhile. About ten milliseconds. */
const MAX_SHORT_WORK = 1_000_000;

/**
 * The answer of a query: here when it takes a moment, else from a worker thread, so that nobody waits for it. A query
 * that turns out to be long begins anew there; nothing of it has been sent yet.
 */
export async function answerQuery(
  context: Context,
  dataset: GraphDataset,
  text: string,
  evaluation: Evaluation,
): Promise<HttpAnswer> {
  const { queryWorkers, observeEngine } = context.services;
  if (queryWorkers === undefined || !(dataset instanceof StoreDataset))
    return evaluateHere(context, dataset, text, evaluation);
  const startedMs = performance.now();
  const { shortQueryMs } = context.configuration.graph;
  if (shortQueryMs > 0 && text.length <= MAX_SHORT_TEXT && !queryWorkers.longTexts.has(text)) {
    const answer = await tryHere(context, dataset, text, evaluation);
    if (answer !== undefined) {
      observeEngine('sparql', 'short query', performance.now() - startedMs);
      return answer;
    }
  }
  const task = await toTask(context, dataset, text, evaluation);
  const answer = await queryWorkers.answer(task, context.signal);
  const ended = (isWhole: boolean): void => {
    const durationMs = performance.now() - startedMs;
    observeEngine('sparql', 'heavy query', durationMs);
    queryWorkers.longTexts.note(text, !isWhole || durationMs > shortQueryMs);
  };
  return { status: 200, ...answer, body: watched(answer.body, ended) };
}

async function evaluateHere(
  { viewer, request }: Context,
  dataset: GraphDataset,
  text: string,
  evaluation: Evaluation,
): Promise<ResultAnswer> {
  const result = await dataset.query(viewer, text, evaluation);
  return resultAnswer(result, request.header('accept'), await dataset.prefixes(viewer));
}

/** The whole answer, or `undefined` when it is not complete after the time of a short query. */
async function tryHere(
  context: Context,
  dataset: GraphDataset,
  text: string,
  evaluation: Evaluation,
): Promise<HttpAnswer | undefined> {
  const { shortQueryMs, timeLimitMs } = context.configuration.graph;
  const isOnlyTry = shortQueryMs >= timeLimitMs;
  const limitMs = isOnlyTry ? timeLimitMs : shortQueryMs;
  const startedMs = performance.now();
  try {
    const maxSolutionWork = isOnlyTry ? undefined : MAX_SHORT_WORK;
    const budget = { ...evaluation.budget, timeLimitMs: limitMs, maxSolutionWork };
    const answer = await evaluateHere(context, dataset, text, { ...evaluation, budget });
    let body = '';
    for await (const piece of answer.body) {
      // Writing takes its time as well, and the evaluation does not see it.
      if (!isOnlyTry && (performance.now() - startedMs > limitMs || body.length > MAX_SHORT_ANSWER)) return undefined;
      body += piece;
    }
    return { ...answer, body };
  } catch (error) {
    if (isCodedError(error) && TOO_LONG.has(error.code) && !isOnlyTry) return undefined;
    throw error;
  }
}

const TOO_LONG: ReadonlySet<string> = new Set(['ERR_TIME_LIMIT', 'ERR_QUERY_WORK']);

/** A body that says when it ended, and whether to its end. */
async function* watched(body: AsyncIterable<string>, ended: (isWhole: boolean) => void): AsyncGenerator<string> {
  let isWhole = false;
  try {
    yield* body;
    isWhole = true;
  } finally {
    ended(isWhole);
  }
}

async function toTask(
  { user, viewer, request, configuration }: Context,
  dataset: StoreDataset,
  text: string,
  { baseIri, defaultGraphs, namedGraphs, nowMs, budget }: Evaluation,
): Promise<QueryTask> {
  const { timeLimitMs } = configuration.graph;
  return {
    kind: 'query',
    user: user.name,
    dataset: dataset.name,
    ...{ text, baseIri, defaultGraphs, namedGraphs, nowMs, timeLimitMs },
    budget: budget ?? {},
    prefixes: await dataset.prefixes(viewer),
    snapshot: dataset.snapshot(viewer).share(),
    accept: request.header('accept'),
  };
}
