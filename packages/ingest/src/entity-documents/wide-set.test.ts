import { expect, it } from 'vitest';
import { WideSet } from './wide-set.ts';

it('holds each text once, however many they are', () => {
  const set = new WideSet();
  const texts = Array.from({ length: 50_000 }, (_, i) => `urn:entity:${i % 30_000}`);
  for (const text of texts) set.add(text);
  const held = [...set];
  expect([held.length, set.size]).toEqual([30_000, 30_000]);
  expect(new Set(held)).toEqual(new Set(texts));
  expect(texts.every((text) => set.has(text))).toBe(true);
  expect(set.has('urn:entity:30000')).toBe(false);
});

it('gives a few thousand texts in the order in which they came', () => {
  const set = new WideSet();
  const texts = Array.from({ length: 8000 }, (_, i) => `${(i * 7919) % 8000}`);
  for (const text of texts) set.add(text);
  expect([...set]).toEqual(texts);
});

it('spreads texts of one form over many sets, none of which is large', () => {
  const original = Set.prototype.add;
  let largest = 0;
  Set.prototype.add = function add(value) {
    original.call(this, value);
    largest = Math.max(largest, this.size);
    return this;
  };
  try {
    for (const form of [(i: number) => `https://example.org/thing/${i}`, (i: number) => `urn:${i}#it`]) {
      const set = new WideSet();
      for (let i = 0; i < 400_000; i++) set.add(form(i));
    }
  } finally {
    Set.prototype.add = original;
  }
  expect(largest).toBeLessThan(20_000);
});
