import { DataFactory } from 'n3';
import { expect, it } from 'vitest';
import { createOntologyModel } from '../model/ontology-model.ts';
import { SUB_CLASS_OF } from '../model/vocabulary.ts';
import { withSubclasses } from './subclasses.ts';

const { namedNode, quad } = DataFactory;
const edges = ['b a', 'c a', 'd b', 'd c', 'x y', 'y x'].map((edge) => edge.split(' ') as [string, string]);
const ontology = createOntologyModel(
  edges.map(([child, parent]) => quad(namedNode(child), namedNode(SUB_CLASS_OF), namedNode(parent))),
);

it('withSubclasses follows every path down, each class once, cycles included', () => {
  expect(withSubclasses(ontology, ['a'])).toEqual(['a', 'b', 'c', 'd']);
  expect(withSubclasses(ontology, ['x', 'unknown'])).toEqual(['x', 'unknown', 'y']);
  expect(withSubclasses(ontology, [])).toEqual([]);
});
