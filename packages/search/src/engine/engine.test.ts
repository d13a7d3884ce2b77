import { createViewer } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import type { SearchDocument } from '../port/search-index.ts';
import { openSearchIndex } from './open-search-index.ts';

const viewer = createViewer({ attributes: { clearance: ['O'] } });
const secret = createViewer({ attributes: { clearance: ['O', 'S'] } });

const documents: SearchDocument[] = [
  {
    uri: 'http://example.org/apollo-11',
    primaryName: 'Apollo 11',
    types: ['http://example.org/Mission'],
    content: 'The first landing of people on the Moon, by the astronauts Armstrong and Aldrin.',
    start: '1969-07-16',
    crew: 3,
    notes: ['public note', 'hidden treasure'],
    securityLabels: { defaults: 'clearance=O', notes: ['', 'clearance=S'] },
  },
  {
    uri: 'http://example.org/apollo-13',
    primaryName: 'Apollo 13',
    types: ['http://example.org/Mission'],
    content: 'A landing that was cancelled. Crew came back safely; running on reserves.',
    start: '1970-04-11',
    crew: 3,
    securityLabels: { defaults: 'clearance=O' },
  },
  {
    uri: 'http://example.org/luna-9',
    primaryName: 'Luna 9',
    content: 'Landing on the Moon without people <b>',
    start: '1966-01-31',
    securityLabels: { defaults: 'clearance=S' },
  },
];

async function open() {
  const index = await openSearchIndex({ indices: ['search'] });
  await index.apply(documents.map((document) => ({ type: 'put', index: 'search', document })));
  return index;
}

async function ids(query: string, who = secret): Promise<string[]> {
  const index = await open();
  const { results } = await index.search(who, { query });
  return results.map(({ id }) => id.slice('http://example.org/'.length));
}

describe('search engine', () => {
  it('finds documents by analysed words, best first', async () => {
    expect(await ids('moon')).toEqual(['luna-9', 'apollo-11']);
    expect(await ids('moon', viewer)).toEqual(['apollo-11']);
    expect(await ids('run')).toEqual(['apollo-13']);
    expect(await ids('landing AND people')).toHaveLength(2);
  });
  it('asks for no stop word, in a named field either', async () => {
    expect(await ids('+content:the +content:moon')).toEqual(await ids('+content:moon'));
    expect(await ids('+content:moon')).not.toEqual([]);
  });
  it('answers each kind of clause', async () => {
    expect(await ids('"landing of people"')).toEqual(['apollo-11']);
    expect(await ids('"people landing"~3')).toContain('apollo-11');
    expect(await ids('primaryName:apollo -13')).toEqual(['apollo-11']);
    expect(await ids('start:[1966 TO 1969]')).toHaveLength(2);
    expect(await ids('crew:>2')).toHaveLength(2);
    expect(await ids('armstong~1')).toEqual(['apollo-11']);
    expect(await ids('astro*')).toEqual(['apollo-11']);
    expect(await ids('_exists_:crew')).toHaveLength(2);
    expect(await ids('/lun./')).toEqual(['luna-9']);
    expect(await ids('nofield:x')).toEqual([]);
    expect(await ids('*:*')).toHaveLength(3);
    expect(await ids('"http://example.org/apollo-11"')).toEqual(['apollo-11']);
    expect(await ids('http://example.org/apollo-11')).toEqual(['apollo-11']);
  });
  it('never finds hidden values', async () => {
    expect(await ids('treasure', viewer)).toEqual([]);
    expect(await ids('treasure')).toEqual(['apollo-11']);
    expect(await ids('"note hidden"')).toEqual([]);
  });
  it('suggests by unstemmed prefix', async () => {
    const index = await open();
    const { results, type } = await index.typeahead(viewer, { query: 'apollo 1' });
    expect(results.map(({ id }) => id)).toHaveLength(2);
    expect(type).toBe('phrase');
  });
  it('highlights, facets, explains, gets', async () => {
    const index = await open();
    const { results } = await index.search(secret, { query: 'moon "without people"', highlight: true });
    expect(results[0].highlighted?.['content']).toBe(
      'Landing on the <em>Moon</em> <em>without</em> <em>people</em> &lt;b&gt;',
    );
    const facets = await index.facets(viewer, { query: '*:*', facet: 'types' });
    expect(facets.results).toEqual([{ value: 'http://example.org/Mission', count: 2, percentage: 1 }]);
    expect(await index.getDocument(viewer, 'http://example.org/luna-9')).toBeUndefined();
    expect(await index.getDocument(viewer, 'http://example.org/apollo-11')).toMatchObject({ notes: ['public note'] });
    const explanation = await index.explain(secret, { query: 'moon', id: 'http://example.org/luna-9' });
    expect(explanation?.value).toBe((await index.search(secret, { query: 'moon' })).results[0].score);
  });
  it('replaces and deletes', async () => {
    const index = await open();
    await index.apply([{ type: 'delete', index: 'search', id: 'http://example.org/apollo-11' }]);
    expect((await index.search(secret, { query: 'moon' })).results).toHaveLength(1);
    await index.apply([{ type: 'put', index: 'search', document: { ...documents[1], content: 'moon' } }]);
    expect((await index.search(viewer, { query: 'moon' })).results).toHaveLength(1);
    expect((await index.search(viewer, { query: 'reserves' })).results).toHaveLength(0);
  });
});
