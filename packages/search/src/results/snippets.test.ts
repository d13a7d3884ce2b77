import { createViewer, createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { getAnalyzer } from '../analysis/analyzer.ts';
import { openSearchIndex } from '../engine/open-search-index.ts';
import type { SearchDocument, SearchRequest } from '../port/search-index.ts';
import { Random } from '../testing/random.ts';
import { toFragmentSpan } from './fragment-span.ts';

const EVERYTHING = createViewerOfEverything();

async function snippetsOf(
  document: Omit<SearchDocument, 'uri'>,
  request: SearchRequest,
): Promise<Readonly<Record<string, readonly string[]>> | undefined> {
  const index = await openSearchIndex({ indices: ['search'] });
  await index.apply([{ type: 'put', index: 'search', document: { uri: 'a', ...document } }]);
  const { results } = await index.search(EVERYTHING, { snippets: true, ...request });
  await index.close();
  expect(results).toHaveLength(1);
  return results[0]?.snippets;
}

const FILLER = 'Nothing of note was seen that day. ';
const LOG = `${FILLER.repeat(20)}The diver found an anchor near the wreck. ${FILLER.repeat(20)}An anchor, an anchor! ${FILLER.repeat(20)}The wreck lies deep.`;

describe('snippets', () => {
  it('come best first: by distinct terms, then by matches, then by place', async () => {
    const snippets = await snippetsOf({ body: LOG }, { query: 'wreck anchor', snippets: { length: 60 } });
    expect(snippets).toEqual({
      body: [
        'The diver found an <em>anchor</em> near the <em>wreck</em>.',
        'An <em>anchor</em>, an <em>anchor</em>! Nothing of note was seen that day.',
        'Nothing of note was seen that day. The <em>wreck</em> lies deep.',
      ],
    });
  });

  it('do not begin with the mark behind a word', async () => {
    const body = `${'word '.repeat(60)}, then a kestrel ${'more '.repeat(60)}`;
    const snippets = await snippetsOf({ body }, { query: 'kestrel', snippets: { length: 26 } });
    expect(snippets).toEqual({ body: ['then a <em>kestrel</em> more more'] });
  });

  it('begin and end where words do when a sentence is too long', async () => {
    const body = `${'word '.repeat(60)}kestrel ${'more '.repeat(60)}`;
    const snippets = await snippetsOf({ body }, { query: 'kestrel', snippets: { length: 40 } });
    expect(snippets).toEqual({ body: ['word word word <em>kestrel</em> more more more'] });
  });

  it('keep a phrase whole', async () => {
    const body = `harbour ${'x '.repeat(30)}old ${'x '.repeat(8)}old harbour wall ${'y '.repeat(40)}`;
    const request = { query: '"old harbour wall"', snippets: { length: 20, fragments: 1 } };
    expect(await snippetsOf({ body }, request)).toEqual({ body: ['x <em>old</em> <em>harbour</em> <em>wall</em> y'] });
  });

  it('cut a phrase that does not fit', async () => {
    const body = `old ${'harbour '.repeat(2)}${'x '.repeat(30)}wall ${'y '.repeat(40)}`;
    const snippets = await snippetsOf({ body }, { query: '"old wall"~40', snippets: { length: 20 } });
    expect(snippets?.['body']).toHaveLength(2);
  });

  it('are taken from lists and nested objects, by path, whatever parts come back', async () => {
    const document = { notes: ['no', 'a kestrel'], parts: [{ name: 'kestrel' }], title: 'Kestrel' };
    const snippets = await snippetsOf(document, { query: 'kestrel', fields: ['uri'] });
    expect(snippets).toEqual({
      notes: ['a <em>kestrel</em>'],
      'parts.name': ['<em>kestrel</em>'],
      title: ['<em>Kestrel</em>'],
    });
    const some = await snippetsOf(document, { query: 'kestrel', snippets: { fields: ['parts', 'no*'] } });
    expect(Object.keys(some ?? {})).toEqual(['notes', 'parts.name']);
  });

  it('are escaped, with the tags that were asked for', async () => {
    const snippets = await snippetsOf(
      { body: '<b>kestrel</b> & co' },
      { query: 'kestrel', snippets: { preTag: '[', postTag: ']' } },
    );
    expect(snippets).toEqual({ body: ['&lt;b&gt;[kestrel]&lt;/b&gt; &amp; co'] });
  });

  it('are absent where no text matches', async () => {
    expect(await snippetsOf({ year: 5, title: 'x' }, { query: '*:*' })).toBeUndefined();
    expect(await snippetsOf({ title: 'x' }, { query: 'title:x', snippets: { fields: ['uri'] } })).toBeUndefined();
  });

  it('show nothing that is hidden', async () => {
    const index = await openSearchIndex({ indices: ['search'] });
    const securityLabels = { defaults: '*', notes: ['*', '!'] };
    const document = { uri: 'a', notes: ['a kestrel', 'the secret kestrel'], securityLabels };
    await index.apply([{ type: 'put', index: 'search', document }]);
    const viewer = createViewer({ attributes: {} });
    const { results } = await index.search(viewer, { query: 'kestrel', snippets: true });
    expect(results[0]?.snippets).toEqual({ notes: ['a <em>kestrel</em>'] });
    await index.close();
  });

  it.each<[snippets: unknown, message: string]>([
    [{ fragments: 21 }, 'snippets.fragments must be 1 to 20; got 21'],
    [{ length: 19 }, 'snippets.length must be 20 to 1000; got 19'],
    [{ fields: 'a' }, 'snippets.fields must be a list of texts'],
    [{ preTag: 5 }, 'snippets.preTag must be a text; got 5'],
    [5, 'snippets must be an object; got 5'],
  ])('are refused when they are none: %j', async (snippets, message) => {
    const request = { query: 'x', snippets: snippets as never };
    await expect(snippetsOf({ body: 'x' }, request)).rejects.toThrow(message);
  });
});

interface Form {
  readonly start: number;
  readonly end: number;
  readonly term: string;
}

/** The forms that a highlighted text has between brackets. */
function formsIn(highlighted: string): Form[] {
  let length = 0;
  return highlighted.split('[').flatMap((piece, i) => {
    const start = length;
    length += piece.replace(']', '').length;
    const form = piece.split(']')[0] ?? '';
    const term = getAnalyzer('en').toTerm(form) ?? '';
    return i === 0 ? [] : [{ start, end: start + form.length, term }];
  });
}

/** Weighs every run of forms that fits, and takes the best of those left, again and again. */
function naiveSnippets(text: string, forms: readonly Form[], length: number, most: number): string[] {
  const runs = forms.map(({ start }, i) => {
    const run = forms.slice(i).filter((form, j) => j === 0 || form.end - start <= length);
    return { start, end: Math.max(...run.map((form) => form.end)), run };
  });
  const coverage = ({ run }: (typeof runs)[number]): number => new Set(run.map(({ term }) => term)).size;
  const ranked = runs.sort((a, b) => coverage(b) - coverage(a) || b.run.length - a.run.length || a.start - b.start);
  const chosen: { start: number; end: number }[] = [];
  for (const { start, end } of ranked) {
    if (chosen.length === most || chosen.some((other) => start < other.end && end > other.start)) continue;
    const before = chosen.filter((other) => other.end <= start).map((other) => other.end);
    const behind = chosen.filter((other) => other.start >= end).map((other) => other.start);
    const bounds = { start: Math.max(0, ...before), end: Math.min(text.length, ...behind) };
    chosen.push(toFragmentSpan(text, { start, end }, length, bounds));
  }
  return chosen.map(({ start, end }) => {
    const within = forms.filter((form) => form.start >= start && form.end <= end);
    let at = start;
    const pieces = within.map((form) => {
      const piece = `${text.slice(at, form.start)}[${text.slice(form.start, form.end)}]`;
      at = form.end;
      return piece;
    });
    return pieces.join('') + text.slice(at, end);
  });
}

describe('snippets of random texts', () => {
  const WORDS = ['moon', 'landing', 'crew', 'of', 'rover', 'dust', 'and', 'x', '月面着陸', 'été'];
  const ENDS = [' ', ' ', ' ', ' ', '. ', '! ', ',\n'];

  it('are those of the naive reference, within their length, and parts of the text', async () => {
    const index = await openSearchIndex({ indices: ['search'] });
    for (let seed = 1; seed <= 400; seed++) {
      const random = new Random(seed);
      // Stretches without matches now and then, so that some matches are far apart.
      const body = random
        .list(1, 160, () => (random.chance(0.05) ? 'far away '.repeat(random.below(20)) : random.pick(WORDS)))
        .map((word) => word + random.pick(ENDS))
        .join('');
      await index.apply([{ type: 'put', index: 'search', document: { uri: 'a', body } }]);
      const [fragments, length] = [1 + random.below(4), 20 + random.below(60)];
      const tags = { preTag: '[', postTag: ']' };
      const query = random.pick(['moon', 'moon crew', 'landing dust rover', 'm* rover']);
      const { results } = await index.search(EVERYTHING, {
        query: `body:(${query})`,
        highlight: tags,
        snippets: { ...tags, fragments, length },
      });
      const [result] = results;
      if (result === undefined) continue;
      const forms = formsIn(String(result.highlighted?.['body']));
      const snippets = result.snippets?.['body'] ?? [];
      expect(snippets, `seed ${seed}`).toEqual(naiveSnippets(body, forms, length, fragments));
      for (const snippet of snippets) {
        const plain = snippet.replaceAll(/[[\]]/g, '');
        expect(plain.length).toBeLessThanOrEqual(length);
        expect(plain.trim()).toBe(plain);
        expect(body).toContain(plain);
      }
    }
    await index.close();
  }, 60_000);

  const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

  it('never cut a character in two', async () => {
    const body = `${'𝔘𝔫𝔦'.repeat(40)} kestrel ${'😀'.repeat(60)}`;
    for (let length = 20; length < 60; length++) {
      const snippets = await snippetsOf({ body }, { query: 'kestrel', snippets: { length } });
      for (const snippet of snippets?.['body'] ?? []) expect(snippet).not.toMatch(HALF);
    }
    const long = await snippetsOf({ body }, { query: `body:𝔘𝔫𝔦*`, snippets: { length: 21 } });
    for (const snippet of long?.['body'] ?? []) expect(snippet).not.toMatch(HALF);
  });
});
