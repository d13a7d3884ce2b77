import { QueryEngine } from '@comunica/query-sparql-rdfjs';
import { DataFactory, Parser, Store } from 'n3';
import { KNOWS, person } from './data.mjs';

export async function open(text) {
  const store = new Store(new Parser({ format: 'N-Triples' }).parse(text));
  const engine = new QueryEngine();
  const context = { sources: [store], destination: store };
  return {
    async query(sparql) {
      const bindings = await (await engine.queryBindings(sparql, context)).toArray();
      return bindings.map((solution) => [...solution].map(([, term]) => term));
    },
    twoHop(from, to) {
      let quads = 0;
      const knows = DataFactory.namedNode(KNOWS);
      for (let i = from; i < to; i++) {
        for (const first of store.match(DataFactory.namedNode(person(i)), knows)) {
          quads++;
          for (const _ of store.match(first.object, knows)) quads++;
        }
      }
      return quads;
    },
    async insert(quads) {
      store.addQuads(quads.map(({ subject, predicate, object }) => DataFactory.quad(subject, predicate, object)));
    },
    async update(sparql) {
      await engine.queryVoid(sparql, context);
    },
  };
}
