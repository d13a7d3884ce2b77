import { isCodedError } from '@cairn/errors';
import { createViewer, type Viewer } from '@cairn/security';
import type * as RDF from '@rdfjs/types';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../conformance/assertions.ts';
import type { ChangeSet, LabelledQuad } from '../graph/port/graph-dataset.ts';
import { randomData } from '../oracles/testing/differential/data.ts';
import { randomQuery } from '../oracles/testing/differential/query-generator.ts';
import { type Choices, createChoices } from '../oracles/testing/differential/random.ts';
import { writeQuad } from '../rdf/term-writer.ts';
import { openGraphDataset } from './open.ts';
import type { StoreDataset } from './store-dataset.ts';

const CASES = process.env['CAIRN_LONG'] === undefined ? 5000 : 20_000;
const LABELS = ['a=1', 'b=1', 'a=1&b=1', 'c=1|b=1', '*', '!', 'broken ('];
const NAMES = ['a', 'b', 'c', 'd'];

function randomViewer(choices: Choices): Viewer {
  const attributes = Object.fromEntries(NAMES.filter(() => choices.chance(0.4)).map((name) => [name, ['1']]));
  return createViewer({ attributes });
}

function labelled(choices: Choices, quads: readonly RDF.Quad[]): LabelledQuad[] {
  return quads.flatMap((quad) => {
    const count = choices.chance(0.25) ? 2 : 1;
    return Array.from({ length: count }, () => ({ quad, label: choices.pick(LABELS) }));
  });
}

/** The additions in a few change sets, so that the data lie in several runs. */
async function fill(choices: Choices, dataset: StoreDataset, additions: readonly LabelledQuad[]): Promise<void> {
  const cut = choices.below(additions.length + 1);
  await dataset.apply([{ deletions: [], additions: additions.slice(0, cut) }]);
  await dataset.apply([{ deletions: [], additions: additions.slice(cut) }]);
}

async function openCase(choices: Choices): Promise<{ viewer: Viewer; full: StoreDataset; visible: StoreDataset }> {
  const viewer = randomViewer(choices);
  const additions = labelled(choices, randomData(choices));
  const [full, visible] = [await openGraphDataset({ name: 'full' }), await openGraphDataset({ name: 'visible' })];
  await fill(choices, full, additions);
  await fill(
    choices,
    visible,
    additions.filter(({ label }) => viewer.permits(label ?? '')),
  );
  return { viewer, full, visible };
}

async function answer(dataset: StoreDataset, viewer: Viewer, query: string): Promise<string[]> {
  try {
    return await linesOf(await dataset.query(viewer, query, { budget: { maxRows: 2000 } }));
  } catch (error) {
    return [`error ${String((error as { code?: string }).code)}`];
  }
}

const IRI = (name: string): string => `<http://e/${name}>`;

function randomUpdate(choices: Choices): string {
  const node = () => IRI(choices.pick(['a', 'b', 'c', 'd']));
  const link = () => IRI(choices.pick(['p', 'q', 'r']));
  const triple = () => `${node()} ${link()} ${choices.chance(0.7) ? node() : choices.below(3)}`;
  const place = (text: string) => (choices.chance(0.3) ? `GRAPH ${IRI(choices.pick(['g', 'h']))} { ${text} }` : text);
  const operation = () =>
    choices.oneOf(
      () => `INSERT DATA { ${place(`${triple()} . ${triple()}`)} }`,
      () => `DELETE DATA { ${place(`${triple()} . ${triple()}`)} }`,
      () => `DELETE WHERE { ${place(`?s ${link()} ?o`)} }`,
      () => `DELETE { ?s ${link()} ?o } INSERT { ?o ${link()} ?s } WHERE { ${place(`?s ${link()} ?o`)} }`,
      () => `INSERT { ?s ${link()} ?n } WHERE { { SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?s } }`,
      () =>
        `${choices.pick(['COPY', 'MOVE', 'ADD'])} ${choices.pick(['', 'SILENT'])} ${choices.pick([IRI('g'), 'DEFAULT'])} TO ${IRI('h')}`,
      () => `CLEAR ${choices.pick(['DEFAULT', 'NAMED', 'ALL', `GRAPH ${IRI('g')}`])}`,
      () => `CREATE SILENT GRAPH ${IRI('g')}`,
    );
  return Array.from({ length: 1 + choices.below(3) }, operation).join(' ; ');
}

/** The change of an update; none where a graph to copy is not there, with the code of that refusal. */
async function changeOf(...given: [StoreDataset, Viewer, string, string]): Promise<ChangeSet & { code?: string }> {
  const [dataset, viewer, text, label] = given;
  try {
    return await dataset.evaluateUpdate(viewer, text, { label });
  } catch (error) {
    if (!isCodedError(error) || error.code !== 'ERR_NO_GRAPH') throw error;
    return { deletions: [], additions: [], code: error.code };
  }
}

function show({ deletions, additions }: ChangeSet): string[] {
  const line = (sign: string) => (one: LabelledQuad) => `${sign} ${one.label} ${writeQuad(one.quad)}`;
  return [...deletions.map(line('-')), ...additions.map(line('+'))].sort();
}

describe('hidden quads', () => {
  it(`change no answer (${CASES} random cases)`, async () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const choices = createChoices(seed);
      const { viewer, full, visible } = await openCase(choices);
      const text = randomQuery(choices);
      expect(await answer(full, viewer, text), `seed ${seed}: ${text}`).toEqual(await answer(visible, viewer, text));
    }
  });

  it(`change no update, and are not changed by one (${CASES} random cases)`, async () => {
    for (let seed = 1; seed <= CASES; seed++) {
      const choices = createChoices(seed * 7919);
      const { viewer, full, visible } = await openCase(choices);
      const text = randomUpdate(choices);
      const label = choices.pick(LABELS);
      const [change, expected] = await Promise.all(
        [full, visible].map((dataset) => changeOf(dataset, viewer, text, label)),
      );
      expect(change.code, `seed ${seed}: ${text}`).toBe(expected.code);
      expect(show(change), `seed ${seed}: ${text}`).toEqual(show(expected));
      const hidden = async () => {
        const lines: string[] = [];
        for await (const one of full.matchLabelled())
          if (!viewer.permits(one.label ?? '')) lines.push(show({ deletions: [], additions: [one] })[0]);
        return lines.sort();
      };
      const before = await hidden();
      await full.apply([{ ...change, additions: change.additions.filter((one) => viewer.permits(one.label ?? '')) }]);
      expect(await hidden(), `seed ${seed}: ${text}`).toEqual(before);
    }
  });
});
