import { createViewer } from '@cairn/security';
import { expect, it } from 'vitest';
import { withVisibleLabels } from './visible-labels.ts';

const viewer = createViewer({ attributes: { clearance: ['O'], nationality: ['GBR'] } });

it('withVisibleLabels keeps of the alternatives of a field those that permit the reader', () => {
  const document = {
    uri: 'u:e',
    literals: { name: ['a', 'b'], securityLabels: { name: ['clearance=O | nationality=DEU', 'nationality=GBR'] } },
    securityLabels: {
      types: 'nationality=DEU|clearance=O|nationality=GBR',
      start: 'clearance=O & (a | nationality=GBR)',
    },
  };
  expect(withVisibleLabels(document, viewer)).toEqual({
    uri: 'u:e',
    literals: { name: ['a', 'b'], securityLabels: { name: ['clearance=O', 'nationality=GBR'] } },
    securityLabels: { types: 'clearance=O|nationality=GBR', start: 'clearance=O & (a | nationality=GBR)' },
  });
});

it('withVisibleLabels leaves the label of a whole document as it was written', () => {
  const document = { uri: 'u:d', content: 'text', securityLabels: { defaults: 'nationality=DEU | nationality=GBR' } };
  expect(withVisibleLabels(document, viewer)).toEqual(document);
});
