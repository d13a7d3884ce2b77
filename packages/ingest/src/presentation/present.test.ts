import { createViewerOfEverything } from '@cairn/security';
import { describe, expect, it } from 'vitest';
import { UNTYPED_CATEGORY } from '../entities/named-entity.ts';
import { presentDocument } from './present.ts';

const viewer = createViewerOfEverything();

const entity = (text: string, start: number, more: object = {}) => ({
  text,
  category: 'urn:c',
  mentions: [{ field: 'content', start, end: start + text.length }],
  ...more,
});

describe('a presented document', () => {
  it('has one name, start and end, the preferred', () => {
    const document = {
      uri: 'urn:a',
      primaryName: ['Apollo 11', 'Аполлон-11'],
      start: ['1969'],
      isIdentifiedBy: [{ instance: 'urn:n', representationValue: ['AS-506', '506'] }],
      securityLabels: { primaryName: ['*', 'a'], start: ['b'] },
    };
    expect(presentDocument(document, viewer)).toEqual({
      uri: 'urn:a',
      primaryName: 'Apollo 11',
      start: '1969',
      isIdentifiedBy: [{ instance: 'urn:n', representationValue: 'AS-506' }],
      securityLabels: { primaryName: '*', start: 'b' },
    });
  });

  it('has the longest of overlapping mentions, and no entity without one', () => {
    const entities = [entity('New', 0), entity('New York', 0), entity('York Times', 4), entity('Times', 9)];
    expect(presentDocument({ entities }, viewer)).toEqual({ entities: [entity('New York', 0), entity('Times', 9)] });
  });

  it('has a thing once at one place, with its type when that is known', () => {
    const untyped = entity('Eagle', 4, { uri: 'urn:e', category: UNTYPED_CATEGORY });
    const typed = entity('Eagle', 4, { uri: 'urn:e' });
    const other = entity('Eagle', 4, { uri: 'urn:f' });
    expect(presentDocument({ entities: [untyped, typed, typed, other] }, viewer)).toEqual({ entities: [typed, other] });
  });

  it('is otherwise as it was', () => {
    const document = { uri: 'urn:d', primaryName: 'Report', entities: [{ text: 'no places' }] };
    expect(presentDocument(document, viewer)).toEqual(document);
  });
});
