import fc from 'fast-check';
import { DataFactory } from 'n3';
import { describe, expect, it } from 'vitest';
import { createOntologyModel, type OntologyModel } from '../model/ontology-model.ts';
import { DEFAULT_STYLE_PREDICATE, RDF_TYPE, SUB_CLASS_OF } from '../model/vocabulary.ts';
import { goodStyle } from '../testing/styles.ts';
import { localNameOf, toFallbackText } from './fallback-text.ts';
import { nearestAncestors } from './nearest-ancestors.ts';
import { toFlatStyle } from './resolved-style.ts';
import { createStyleResolver } from './style-resolver.ts';

const { namedNode, literal, quad } = DataFactory;
const NS = 'https://example.org/o#';

/** A model out of classes with their parents; a style is marked by its shape. */
function model(classes: Record<string, { parents?: string[]; shape?: string; name?: string }>): OntologyModel {
  const quads = Object.entries(classes).flatMap(([name, { parents = [], shape, name: label }]) => {
    const subject = namedNode(NS + name);
    const style = goodStyle();
    const json = JSON.stringify({ ...style, defaultStyles: { ...style.defaultStyles, shape } });
    return [
      quad(subject, namedNode(RDF_TYPE), namedNode('http://www.w3.org/2002/07/owl#Class')),
      ...parents.map((parent) => quad(subject, namedNode(SUB_CLASS_OF), namedNode(NS + parent))),
      ...(shape === undefined ? [] : [quad(subject, namedNode(DEFAULT_STYLE_PREDICATE), literal(json))]),
      ...(label === undefined
        ? []
        : [quad(subject, namedNode('http://www.w3.org/2000/01/rdf-schema#label'), literal(label))]),
    ];
  });
  return createOntologyModel(quads);
}

describe('a resolved style', () => {
  const empty = createOntologyModel([]);

  it.each(['dark', 'light'] as const)('cannot be written into, as its colours are those of all: %s', (theme) => {
    const ontology = model({ Root: { shape: 'ellipse' }, Child: { parents: ['Root'] } });
    const resolver = createStyleResolver(ontology, { inherit: true });
    for (const resolved of [createStyleResolver(empty).resolve('urn:x'), resolver.resolve(`${NS}Root`)]) {
      const before = JSON.stringify(resolved);
      expect(Reflect.set(resolved[theme], 'color', '#000000')).toBe(false);
      expect(Reflect.set(resolved, theme, {})).toBe(false);
      expect(JSON.stringify(resolved)).toBe(before);
    }
  });
});

describe('createStyleResolver', () => {
  const family = model({
    Root: { shape: 'ellipse' },
    Left: { parents: ['Root'], shape: 'diamond', name: 'Left side' },
    Right: { parents: ['Root'] },
    Child: { parents: ['Right', 'Left'] },
    Broken: { parents: ['Left'], shape: 'blob' },
    Orphan: {},
  });

  it('leaves a class without a style of its own to the defaults unless it may inherit', () => {
    const plain = createStyleResolver(family);
    expect(plain.resolve(`${NS}Child`)).toMatchObject({
      source: undefined,
      shape: 'ellipse',
      dark: { backgroundColor: '#121212', color: '#DDDDDD' },
      iconFallbackText: 'C',
      alt: 'Child',
    });
    expect(plain.resolve(`${NS}Left`)).toMatchObject({
      source: `${NS}Left`,
      shape: 'diamond',
      alt: 'Left side',
      iconFallbackText: 'LS',
    });
  });

  it('inherits from the nearest styled ancestor, and treats an invalid style as none', () => {
    const resolver = createStyleResolver(family, { inherit: true });
    const sources = Object.fromEntries(
      resolver.resolveAll().map(({ classUri, source }) => [classUri.slice(NS.length), source?.slice(NS.length)]),
    );
    expect(sources).toEqual({
      Root: 'Root',
      Left: 'Left',
      Right: 'Root',
      Child: 'Left',
      Broken: 'Left',
      Orphan: undefined,
    });
  });

  it('gives readers one theme as a flat record', () => {
    expect(toFlatStyle(createStyleResolver(family).resolve(`${NS}IDontExist`), 'light')).toEqual({
      classUri: `${NS}IDontExist`,
      backgroundColor: '#121212',
      color: '#DDDDDD',
      iconFallbackText: 'IDE',
      alt: 'IDontExist',
      shape: 'ellipse',
      faUnicode: undefined,
      faIcon: undefined,
    });
  });
});

describe('nearestAncestors', () => {
  /** The naive reference: breadth-first upwards from one node, parents in ascending order within a level. */
  function distances(parents: ReadonlyMap<string, readonly string[]>, start: string): Map<string, number> {
    const found = new Map([[start, 0]]);
    let level = [start];
    for (let distance = 1; level.length > 0; distance++) {
      level = level.flatMap((node) => parents.get(node) ?? []).filter((node) => !found.has(node));
      for (const node of level) found.set(node, distance);
    }
    return found;
  }

  it('finds a target at the least distance in any graph, cycles included', () => {
    const node = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
    fc.assert(
      fc.property(fc.array(fc.tuple(node, node)), fc.uniqueArray(node), (edges, targets) => {
        const parents = new Map<string, string[]>();
        for (const [child, parent] of edges) parents.set(child, [...(parents.get(child) ?? []), parent]);
        const nearest = nearestAncestors(parents, new Set(targets));
        for (const start of 'abcdefg') {
          const reach = distances(parents, start);
          const best = Math.min(...targets.map((target) => reach.get(target) ?? Number.POSITIVE_INFINITY));
          const chosen = nearest.get(start);
          expect(chosen === undefined ? Number.POSITIVE_INFINITY : reach.get(chosen)).toBe(best);
        }
      }),
    );
  });

  it('goes by the smaller name where two are as near', () => {
    const parents = new Map([
      ['x', ['m', 'k']],
      ['m', ['a']],
      ['k', ['z']],
    ]);
    expect(nearestAncestors(parents, new Set(['a', 'z'])).get('x')).toBe('z');
  });
});

describe('toFallbackText', () => {
  it('takes up to three initials', () => {
    const cases = {
      IDontExist: 'IDE',
      person: 'P',
      'Command and service module': 'CAS',
      USSHornet: 'UH',
      'été du ciel': 'ÉDC',
      '': '',
      '--': '',
      東京タワー: '東',
    };
    expect(Object.fromEntries(Object.keys(cases).map((name) => [name, toFallbackText(name)]))).toEqual(cases);
  });
});

describe('localNameOf', () => {
  it('is what follows the namespace', () => {
    expect([`${NS}A`, 'https://example.org/a/B%20c', 'urn:x', 'https://example.org/a#'].map(localNameOf)).toEqual([
      'A',
      'B c',
      'urn:x',
      'https://example.org/a#',
    ]);
  });
});
