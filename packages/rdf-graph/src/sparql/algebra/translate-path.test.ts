import { createViewerOfEverything } from '@cairn/security';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../conformance/assertions.ts';
import { openGraphDataset } from '../../dataset/open.ts';

const viewer = createViewerOfEverything();
const DATA = 'INSERT DATA { <e:a> <e:p> <e:b> . <e:b> <e:q> <e:c> . <e:c> a <e:a> }';

async function opened() {
  const dataset = await openGraphDataset({ name: 'paths' });
  await dataset.apply([await dataset.evaluateUpdate(viewer, DATA, { label: '*' })]);
  return dataset;
}

/** Every production of paths in the grammar of SPARQL 1.1, 88 to 96. */
const { path } = fc.letrec<{ path: string; alternative: string; sequence: string; element: string; primary: string }>(
  (tie) => ({
    path: tie('alternative'),
    alternative: fc.array(tie('sequence'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('|')),
    sequence: fc.array(tie('element'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
    element: fc
      .tuple(fc.constantFrom('', '', '^'), tie('primary'), fc.constantFrom('', '', '?', '*', '+'))
      .map((parts) => parts.join('')),
    primary: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('<e:p>', '<e:q>', 'a'),
      fc
        .array(fc.constantFrom('<e:p>', '^<e:q>', 'a', '^a'), { maxLength: 3 })
        .chain((set) => fc.constantFrom(`!(${set.join('|')})`, ...(set.length === 1 ? [`!${set[0]}`] : []))),
      tie('path').map((inner) => `(${inner})`),
    ),
  }),
);

describe('property paths', () => {
  it('answers every production of the grammar', async () => {
    const dataset = await opened();
    const ends = fc.constantFrom('?s', '<e:a>', '_:b', '[]');
    await fc.assert(
      fc.asyncProperty(path, ends, ends, async (text, subject, object) => {
        await linesOf(await dataset.query(viewer, `SELECT * { ${subject} ${text} ${object} }`));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['!()', 3],
    ['(!())', 3],
    ['^!()', 3],
    ['!(^<e:p>)', 2],
    ['!()/!()', 3],
    ['!()+', 9],
    ['<e:p>|!()', 4],
  ])('matches any predicate where nothing is excluded: %s', async (text, count) => {
    const dataset = await opened();
    expect((await linesOf(await dataset.query(viewer, `SELECT ?s ?o { ?s ${text} ?o }`))).length).toBe(count);
    const update = `INSERT { ?s <e:x> ?o } WHERE { ?s ${text} ?o }`;
    await dataset.evaluateUpdate(viewer, update, { label: '*' });
  });
});
