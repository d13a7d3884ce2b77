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

it('withVisibleLabels neither writes to a document nor copies one that shows no labels', () => {
  const plain = { uri: 'u:d', isIdentifiedBy: [{ uri: 'u:i' }], literals: { name: ['a'] } };
  expect(withVisibleLabels(plain, viewer)).toBe(plain);
  const text =
    '{"__proto__":{"securityLabels":{"a":["clearance=O | nationality=DEU"]}},"list":[1,{"securityLabels":{"b":"clearance=S|nationality=GBR"}}]}';
  const document = JSON.parse(text);
  const shown = withVisibleLabels(document, viewer);
  expect(JSON.stringify(shown)).toBe(
    '{"__proto__":{"securityLabels":{"a":["clearance=O"]}},"list":[1,{"securityLabels":{"b":"nationality=GBR"}}]}',
  );
  expect(JSON.stringify(document)).toBe(text);
});
