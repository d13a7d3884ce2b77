import type { SearchDocument } from '@cairn/search';
import { describe, expect, it } from 'vitest';
import { applyCorrection, type Correction } from './correction.ts';

const place = (start: number) => ({ field: 'content', start, end: start + 5 });
const entity = (category: string, label: string, ...starts: number[]) => ({
  text: 'Eagle',
  category,
  mentions: starts.map(place),
  securityLabels: { defaults: label },
});
const document = (...entities: ReturnType<typeof entity>[]): SearchDocument => ({
  uri: 'urn:d',
  entities,
  securityLabels: { defaults: '*' },
});
const correction: Correction = {
  documentUri: 'urn:d',
  entityText: 'Eagle',
  entityCategory: 'urn:bird',
  resolvedEntityUri: 'urn:lm-5',
  resolvedCategory: 'urn:module',
  labels: ['*'],
};

describe('a correction of a document', () => {
  it('gives matching entities the resolved IRI and category', () => {
    expect(applyCorrection(document(entity('urn:bird', '*', 4)), correction)?.['entities']).toEqual([
      { ...entity('urn:module', '*', 4), uri: 'urn:lm-5' },
    ]);
  });

  it('merges entities of the same text and the resolved category', () => {
    const before = document(entity('urn:module', '*', 9), entity('urn:bird', '*', 4), entity('urn:ship', '*', 20));
    expect(applyCorrection(before, correction)?.['entities']).toEqual([
      { ...entity('urn:module', '*', 4, 9), uri: 'urn:lm-5' },
      entity('urn:ship', '*', 20),
    ]);
  });

  it('leaves entities that the corrector does not see', () => {
    expect(applyCorrection(document(entity('urn:bird', 'a', 4)), correction)).toBeUndefined();
    const both = document(entity('urn:bird', 'a', 4), entity('urn:bird', '*', 4));
    expect(applyCorrection(both, correction)?.['entities']).toEqual([
      entity('urn:bird', 'a', 4),
      { ...entity('urn:module', '*', 4), uri: 'urn:lm-5' },
    ]);
  });

  it('keeps labels apart when it merges', () => {
    const before = document(entity('urn:bird', 'a', 4), entity('urn:bird', '*', 9));
    const after = applyCorrection(before, { ...correction, labels: ['a', '*'] })?.['entities'];
    expect(after).toEqual([
      { ...entity('urn:module', 'a', 4), uri: 'urn:lm-5' },
      { ...entity('urn:module', '*', 9), uri: 'urn:lm-5' },
    ]);
  });

  it('changes nothing the second time', () => {
    const once = applyCorrection(document(entity('urn:bird', '*', 4)), correction)!;
    expect(applyCorrection(once, correction)).toBeUndefined();
  });
});
