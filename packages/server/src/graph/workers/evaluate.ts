import { nextTurn } from '@cairn/events';
import { openSharedDataset } from '@cairn/rdf-graph';
import { createViewerOfNothing } from '@cairn/security';
import { viewOntology } from '../../ontology/view.ts';
import { readOntology } from '../../ontology/visible-ontology.ts';
import { graphBody } from '../graph-body.ts';
import { type Evaluated, resultAnswer, withCharset } from '../result-answer.ts';
import { shaclReport } from '../shacl-report.ts';
import type { GraphTask, OntologyTask, QueryTask, ShaclTask, Task } from './protocol.ts';

// A snapshot was taken for its viewer; nobody is asked again what may be seen.
const viewer = createViewerOfNothing();

const nowMs = () => performance.now();

/** Evaluates a task in this thread. @throws what the evaluation throws */
export async function evaluate(task: Task, signal: AbortSignal): Promise<Evaluated> {
  if (task.kind === 'query') return evaluateQuery(task, signal);
  if (task.kind === 'shacl') return validateShapes(task, signal);
  return task.kind === 'graph' ? readGraph(task) : viewVisible(task);
}

async function evaluateQuery(
  { kind: _, user, text, snapshot, prefixes, accept, timeLimitMs, budget, ...evaluation }: QueryTask,
  signal: AbortSignal,
): Promise<Evaluated> {
  const result = await openSharedDataset(snapshot, { nowMs }).query(viewer, text, {
    ...evaluation,
    budget: { ...budget, timeLimitMs },
    random: Math.random,
    signal,
    nextTurn: () => nextTurn(user),
  });
  return resultAnswer(result, accept, prefixes);
}

function validateShapes(task: ShaclTask, signal: AbortSignal): Promise<Evaluated> {
  const { user, snapshot, prefixes, timeLimitMs } = task;
  const dataset = snapshot === undefined ? undefined : openSharedDataset(snapshot, { prefixes, nowMs });
  return shaclReport(task, dataset, viewer, { signal, timeLimitMs, nowMs, nextTurn: () => nextTurn(user) });
}

function readGraph({ snapshot, which, format }: GraphTask): Evaluated {
  return {
    headers: { 'Content-Type': withCharset(format.contentType), Vary: 'Accept' },
    body: graphBody(openSharedDataset(snapshot), viewer, which, format),
  };
}

async function viewVisible({ snapshot, stylePredicate, question }: OntologyTask): Promise<Evaluated> {
  const ontology = await readOntology(openSharedDataset(snapshot), viewer, stylePredicate);
  return {
    headers: { 'Content-Type': 'application/json' },
    body: whole(JSON.stringify(viewOntology(ontology, question))),
  };
}

async function* whole(text: string): AsyncGenerator<string> {
  yield text;
}
