import { createViewer } from '@cairn/security';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openHouse } from '../testing/house.ts';
import { IS_LONG, PROPERTY_TIMEOUT_MS } from '../testing/runs.ts';

const RUNS = IS_LONG ? 2000 : 25;

const viewer = createViewer({ attributes: { x: ['true'], z: ['true'] } });
const LABELS = ['*', 'x', 'y', 'x&y', 'y|z', 'z'];

const words = (minLength: number, maxLength: number) => fc.array(fc.constantFrom('aa', 'bb'), { minLength, maxLength });
const subject = fc.constantFrom('ex:s1', 'ex:s2', 'ex:s3');
const node = fc.constantFrom('ex:n1', 'ex:n2');
const text = words(1, 3).map((list) => JSON.stringify(list.join(' ')));

/** Statements of every kind that the mapping knows. */
const statement = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(subject, fc.constantFrom('rdfs:label', 'skos:prefLabel', 'skos:altLabel'), text) },
  { weight: 2, arbitrary: fc.tuple(subject, fc.constant('a'), fc.constantFrom('ex:T1', 'ex:T2', 'ies:State')) },
  fc.tuple(subject, fc.constantFrom('ies:isIdentifiedBy', 'ies:hasName'), node),
  fc.tuple(node, fc.constant('ies:representationValue'), text),
  fc.tuple(node, fc.constant('a'), fc.constantFrom('ex:T1', 'ex:T2')),
  fc.tuple(subject, fc.constant('ies:isStateOf'), subject),
  fc.tuple(subject, fc.constant('rdfs:comment'), text),
);
const labelled = fc.record({
  triple: statement,
  label: fc.constantFrom(...LABELS),
  isLate: fc.boolean(),
});
const document = fc.record({ words: words(4, 8), label: fc.constantFrom(...LABELS) });
const data = fc.record({
  statements: fc.array(labelled, { minLength: 5, maxLength: 25 }),
  documents: fc.array(document, { minLength: 1, maxLength: 4 }),
});
type Data = typeof data extends fc.Arbitrary<infer Value> ? Value : never;

/** Everything that the viewer can learn about what was stored. */
async function answersOver({ statements, documents }: Data): Promise<unknown> {
  const house = await openHouse({}, { reannotation: { automatic: true, restMs: 0 } });
  const everything = createViewer({ attributes: { x: ['true'], y: ['true'], z: ['true'] } });
  const say = async (late: boolean): Promise<void> => {
    for (const { triple, label, isLate } of statements) {
      if (isLate === late) await house.load(`${triple.join(' ')} .`, label);
    }
  };
  await say(false);
  for (const { words: list, label } of documents) await house.upload({ 'd.txt': list.join(' ') }, label, everything);
  await say(true);
  await house.ingest.settle();
  const { search } = house.ingest;
  const answers = [
    await search.search(viewer, { query: '*:*', limit: 1000 }),
    await search.search(viewer, { query: 'aa OR bb', highlight: true }),
    await search.typeahead(viewer, { query: 'b' }),
    await search.facets(viewer, { query: '*:*', facet: 'types' }),
    await search.states(viewer, { ids: ['https://example.org/id/s1', 'https://example.org/id/s2'] }),
  ];
  await house.ingest.stop();
  return JSON.stringify(answers, undefined, 1);
}

describe('what a viewer finds', () => {
  it('does not depend on a hidden label of a name that they see by another', async () => {
    const visible = [
      { triple: ['ex:s2', 'rdfs:label', '"aa"'], label: 'z', isLate: false },
      { triple: ['ex:s2', 'skos:prefLabel', '"aa"'], label: 'z', isLate: false },
    ] as Data['statements'];
    const hidden = [{ triple: ['ex:s2', 'rdfs:label', '"aa"'], label: 'x&y', isLate: false }] as Data['statements'];
    const answers = await answersOver({ statements: [...visible, ...hidden], documents: [] });
    expect(answers).toBe(await answersOver({ statements: visible, documents: [] }));
  });

  it('is what they would find if only what they may see had ever been stored', {
    timeout: PROPERTY_TIMEOUT_MS,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(data, async ({ statements, documents }) => {
        const visible = {
          statements: statements.filter(({ label }) => viewer.permits(label)),
          documents: documents.filter(({ label }) => viewer.permits(label)),
        };
        expect(await answersOver({ statements, documents })).toBe(await answersOver(visible));
      }),
      { numRuns: RUNS },
    );
  });
});
