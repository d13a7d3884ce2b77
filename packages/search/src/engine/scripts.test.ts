import { createViewerOfEverything } from '@cairn/security';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SearchEngine } from './engine.ts';
import { openSearchIndex } from './open-search-index.ts';

const viewer = createViewerOfEverything();

const TEXTS: Readonly<Record<string, string>> = {
  tower: '東京タワーは月面に見える。',
  capital: '中華人民共和国の首都は北京市です',
  half: 'ｶﾞﾗｽとﾃﾞｰﾀ',
  thai: 'ประเทศไทยมีความสวยงาม',
  german: 'Die Straße nach Łódź und Ærø',
  russian: 'Новогодняя ёлка',
  arabic: 'كِتَابٌ جَمِيلٌ في المدرسة',
  hebrew: 'שָׁלוֹם עולם',
  turkish: 'İSTANBUL ve Isparta',
  greek: 'Ὀδυσσεύς ἄνθρωπος ΛΌΓΟΣ',
  wide: 'Ｆｕｌｌ　ｗｉｄｔｈ',
};

let index: SearchEngine;
beforeAll(async () => {
  index = await openSearchIndex({ indices: [{ name: 'texts', defaultLabel: '*' }] });
  const documents = Object.entries(TEXTS).map(([uri, content]) => ({ uri, content }));
  await index.apply(documents.map((document) => ({ type: 'put', index: 'texts', document })));
});

async function find(query: string, type: 'query' | 'term' | 'phrase' = 'query'): Promise<string[]> {
  const { results } = await index.search(viewer, { query, type, limit: 10 });
  return results.map(({ id }) => id);
}

async function mark(query: string): Promise<unknown> {
  const { results } = await index.search(viewer, { query, highlight: { preTag: '[', postTag: ']' } });
  return results.map(({ highlighted }) => highlighted?.['content']);
}

describe('a text in Chinese characters or kana', () => {
  it('is found by any part of it, wherever a dictionary has words begin', async () => {
    for (const part of ['東京', '京タ', '東京タワー', '月', '月面に', 'タワーは月']) {
      expect([part, await find(part)]).toEqual([part, ['tower']]);
    }
    expect(await find('華人')).toEqual(['capital']);
    expect(await find('京')).toEqual(['tower', 'capital']);
    expect(await find('京東')).toEqual([]);
    expect(await find('タ東')).toEqual([]);
  });

  it('is found whatever spaces are written, by a phrase, by any of its pairs, and by wildcards', async () => {
    expect(await find('"東京 タワー"')).toEqual(['tower']);
    expect(await find('東京 AND 月面')).toEqual(['tower']);
    expect(await find('京都 東京', 'term')).toEqual(['tower']);
    expect(await find('東京タ*')).toEqual(['tower']);
    expect(await find('*人民共和*')).toEqual(['capital']);
    expect(await find('北*')).toEqual(['capital']);
    expect(await find('ガラス')).toEqual(['half']);
    expect(await find('データ')).toEqual(['half']);
  });

  it('is marked as far as it was matched', async () => {
    expect(await mark('東京タワー')).toEqual(['[東京タワー]は月面に見える。']);
    expect(await mark('京タ 月')).toEqual(['東[京タ]ワーは[月]面に見える。']);
    expect(await mark('ガラス')).toEqual(['[ｶﾞﾗｽ]とﾃﾞｰﾀ']);
  });
});

describe('a text in Thai', () => {
  it('is found and marked by its words', async () => {
    expect(await find('สวยงาม')).toEqual(['thai']);
    expect(await mark('ประเทศไทย')).toEqual(['[ประเทศไทย]มีความสวยงาม']);
  });
});

describe('a word with letters that readers type otherwise', () => {
  it.each([
    ['strasse', 'german'],
    ['lodz', 'german'],
    ['aero', 'german'],
    ['елка', 'russian'],
    ['ЁЛКИ', 'russian'],
    ['كتاب', 'arabic'],
    ['المدرسه', 'arabic'],
    ['שלום', 'hebrew'],
    ['istanbul', 'turkish'],
    ['ısparta', 'turkish'],
    ['ISPARTA', 'turkish'],
    ['οδυσσευσ', 'greek'],
    ['λογος', 'greek'],
    ['full width', 'wide'],
  ])('is found by %s', async (query, id) => {
    const language = /[а-яё]/i.test(query) ? 'ru' : 'en';
    const own = await openSearchIndex({
      indices: [{ name: 'texts', defaultLabel: '*', fields: { content: { language } } }],
    });
    await own.apply([{ type: 'put', index: 'texts', document: { uri: id, content: TEXTS[id] } }]);
    const { results } = await own.search(viewer, { query, type: 'phrase' });
    expect(results.map((result) => result.id)).toEqual([id]);
  });

  it('is explained by the form that is compared and what was written', async () => {
    const explained = await index.explain(viewer, { query: 'Straße', id: 'german' });
    expect(JSON.stringify(explained)).toContain(String.raw`text \"strass\" for \"Straße\"`);
    const plain = await index.explain(viewer, { query: 'und', id: 'german' });
    expect(JSON.stringify(plain)).toContain(String.raw`text \"und\": weight`);
  });
});
