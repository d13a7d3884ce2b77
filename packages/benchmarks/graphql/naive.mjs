// The same schema by graphql-js with resolvers that ask an N3 Store, as one writes them first; no labels are looked at.
import { readFileSync } from 'node:fs';
import { createPlatformSchema } from '@cairn/rdf-graph/graphql';
import { buildSchema, execute, parse, validate } from 'graphql';
import { DataFactory, Parser, Store } from 'n3';
import { serve } from './measure.mjs';

const start = performance.now();
const TYPE = DataFactory.namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#type');
const store = new Store(new Parser({ format: 'application/n-triples' }).parse(readFileSync(process.argv[2], 'utf8')));
const schema = buildSchema(createPlatformSchema().sdl);
const key = ({ predicate, object }) => `<${predicate.value}> <${object.value}>`;
const byKey = (a, b) => (key(a) < key(b) ? -1 : 1);
const relations = (node) =>
  store.getQuads(node, null, null, null).filter(({ object }) => object.termType !== 'Literal');
const page = (list, { limit, offset }) => list.slice(offset - 1, offset - 1 + limit);

function count(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const facets = [...counts].map(([uri, n]) => ({ uri, shortUri: uri, count: n }));
  return facets.sort((a, b) => b.count - a.count || (a.uri < b.uri ? -1 : 1));
}

function toNode(term) {
  return {
    uri: term.value,
    types: (args) =>
      page(
        store.getObjects(term, TYPE, null).sort((a, b) => (a.value < b.value ? -1 : 1)),
        args,
      ).map(toNode),
    properties: (args) =>
      page(
        store
          .getQuads(term, null, null, null)
          .filter(({ object }) => object.termType === 'Literal')
          .sort(byKey),
        args,
      ).map(({ predicate, object }) => ({ predicate: predicate.value, value: object.value })),
    outRels: (args) =>
      page(relations(term).sort(byKey), args).map(({ predicate, object }) => ({
        predicate: predicate.value,
        range: () => toNode(object),
      })),
    relCounts: {
      outRels: () => relations(term).length,
      properties: () =>
        store.getQuads(term, null, null, null).filter(({ object }) => object.termType === 'Literal').length,
      types: () => store.countQuads(term, TYPE, null, null),
    },
    relFacets: {
      outRels: {
        types: () =>
          count(
            relations(term).flatMap(({ object }) => store.getObjects(object, TYPE, null).map(({ value }) => value)),
          ),
        predicates: () => count(relations(term).map(({ predicate }) => predicate.value)),
      },
    },
  };
}

const rootValue = { node: ({ uri }) => toNode(DataFactory.namedNode(uri)) };
const documents = new Map();

function documentOf(query) {
  const known = documents.get(query);
  if (known !== undefined) return known;
  const document = parse(query);
  const errors = validate(schema, document);
  if (errors.length > 0) throw errors[0];
  documents.set(query, document);
  return document;
}

serve(
  async (query, variableValues) => execute({ schema, document: documentOf(query), rootValue, variableValues }),
  performance.now() - start,
);
