import { createViewer, createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { openGraphDataset } from '../../dataset/open.ts';

const everything = createViewerOfEverything();
const nobody = createViewer({ attributes: { b: ['1'] } });

async function opened() {
  const dataset = await openGraphDataset({ name: 'managed' });
  const data = 'INSERT DATA { GRAPH <urn:h> { <urn:a> <urn:p> 1 } }';
  await dataset.apply([await dataset.evaluateUpdate(everything, data, { label: '*' })]);
  const hidden = 'INSERT DATA { GRAPH <urn:hidden> { <urn:a> <urn:p> 1 } }';
  await dataset.apply([await dataset.evaluateUpdate(everything, hidden, { label: 'a=1' })]);
  return dataset;
}

describe.each(['COPY', 'MOVE', 'ADD'])('%s', (operation) => {
  it.each([
    ['is not there', '<urn:misspelt>', everything],
    ['the writer sees nothing of', '<urn:hidden>', nobody],
  ] as const)(
    'refuses a graph that %s, and leaves the other one as it is where it is SILENT',
    async (_, source, viewer) => {
      const dataset = await opened();
      const run = (silent: string) =>
        dataset.evaluateUpdate(viewer, `${operation} ${silent} ${source} TO <urn:h>`, { label: 'b=1' });
      await expect(run('')).rejects.toMatchObject({ code: 'ERR_NO_GRAPH', kind: 'not-found' });
      expect(await run('SILENT')).toEqual({ deletions: [], additions: [] });
    },
  );

  it('takes the default graph, which is always there', async () => {
    const dataset = await opened();
    const { deletions } = await dataset.evaluateUpdate(everything, `${operation} DEFAULT TO <urn:h>`, { label: '*' });
    expect(deletions.length).toBe(operation === 'ADD' ? 0 : 1);
  });
});
