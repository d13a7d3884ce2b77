import { isCodedError } from '@cairn/errors';
import type { ConformanceCase } from '@cairn/errors/conformance';
import { createViewer, createViewerOfEverything, createViewerOfNothing, type Viewer } from '@cairn/security';
import type { ChangeSet, GraphDataset, LabelledQuad, QuadPattern, QueryResult } from '../graph/port/graph-dataset.ts';
import { writeQuad } from '../rdf/term-writer.ts';
import { namedNode, quad, typedLiteral } from '../rdf/terms.ts';
import { xsd } from '../rdf/vocabulary.ts';

/** Implementation that the cases run against. */
export interface GraphDatasetHarness {
  /** An empty dataset. */
  readonly open: () => Promise<GraphDataset>;
  /** For durable ones: flushes and closes a dataset, then opens what it stored. Without it those laws are not tried. */
  readonly reopen?: (dataset: GraphDataset) => Promise<GraphDataset>;
  /** Called once after the case, also when it failed. */
  readonly dispose?: () => Promise<void>;
}

export type GraphDatasetCase = ConformanceCase<GraphDatasetHarness>;

/** Sees what is labelled for everyone or `clearance=O`. */
export const LOW: Viewer = createViewer({ attributes: { clearance: ['O'] } });
/** Sees `clearance=S` and what is for everyone. */
export const HIGH: Viewer = createViewer({ attributes: { clearance: ['S'] } });
export const EVERYTHING: Viewer = createViewerOfEverything();
export const NOTHING: Viewer = createViewerOfNothing();

/** A quad of short names in the default graph: `:s :p number`, under a label. */
export function row(s: string, p: string, o: number, label: string): LabelledQuad {
  const object = typedLiteral(String(o), xsd.integer);
  return { quad: quad(namedNode(`http://e/${s}`), namedNode(`http://e/${p}`), object), label };
}

export function adding(...additions: readonly LabelledQuad[]): ChangeSet {
  return { deletions: [], additions };
}

export function deleting(...deletions: readonly LabelledQuad[]): ChangeSet {
  return { deletions, additions: [] };
}

export async function update(dataset: GraphDataset, viewer: Viewer, text: string, label = '*'): Promise<ChangeSet> {
  const change = await dataset.evaluateUpdate(viewer, `PREFIX : <http://e/> ${text}`, { label });
  await dataset.apply([change]);
  return change;
}

export async function answer(dataset: GraphDataset, viewer: Viewer, text: string): Promise<string[]> {
  return linesOf(await dataset.query(viewer, `PREFIX : <http://e/> ${text}`));
}

/** The solutions or quads of a result. @throws an error for a boolean */
export function streamOf(result: QueryResult): AsyncIterable<unknown> {
  if (result.type === 'boolean') throw new Error('expected solutions or quads, got a boolean');
  return result.type === 'quads' ? result.quads : result.solutions;
}

/** A result as sorted lines. */
export async function linesOf(result: QueryResult): Promise<string[]> {
  const lines: string[] = [];
  if (result.type === 'boolean') lines.push(String(result.value));
  else if (result.type === 'quads') for await (const one of result.quads) lines.push(writeQuad(one));
  else {
    for await (const solution of result.solutions) {
      lines.push(result.variables.map((name) => solution.get(name)?.value ?? '-').join(' '));
    }
  }
  return lines.sort();
}

/** A change set as sorted lines. */
export function showChange({ deletions, additions }: ChangeSet): string[] {
  const show = (sign: string) => (one: LabelledQuad) => `${sign} ${one.label} ${writeQuad(one.quad)}`;
  return [...deletions.map(show('-')), ...additions.map(show('+'))].sort();
}

/** The quads of a pattern that a viewer sees, as sorted lines. */
export async function matchedLines(dataset: GraphDataset, viewer: Viewer, pattern?: QuadPattern): Promise<string[]> {
  const lines: string[] = [];
  for await (const one of dataset.match(viewer, pattern)) lines.push(writeQuad(one));
  return lines.sort();
}

/** Everything stored, with its labels, as sorted lines. */
export async function contentOf(dataset: GraphDataset): Promise<string[]> {
  const lines: string[] = [];
  for await (const { quad: one, label } of dataset.matchLabelled()) lines.push(`${label} ${writeQuad(one)}`);
  return lines.sort();
}

/** Compares by JSON text. @throws an error with both when they differ */
export function ensureEqual(actual: unknown, expected: unknown, what: string): void {
  const [have, want] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (have !== want) throw new Error(`${what}: expected ${want}, got ${have}`);
}

/** @throws an error unless a call rejects with this code */
export async function ensureRefused(call: () => Promise<unknown>, code: string, what: string): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (isCodedError(error) && error.code === code) return;
    throw new Error(`${what}: expected ${code}, got ${String(error)}`, { cause: error });
  }
  throw new Error(`${what}: expected ${code}, got an answer`);
}
