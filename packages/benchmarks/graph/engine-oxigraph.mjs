import oxigraph from 'oxigraph';
import { KNOWS, person } from './data.mjs';

export async function open(text) {
  const store = new oxigraph.Store();
  store.load(text, { format: 'application/n-triples' });
  return {
    async query(sparql) {
      const names = [];
      const rows = [];
      for (const solution of store.query(sparql)) {
        if (names.length === 0) names.push(...solution.keys());
        rows.push([...solution.values()]);
      }
      return rows;
    },
    twoHop(from, to) {
      let quads = 0;
      const knows = oxigraph.namedNode(KNOWS);
      for (let i = from; i < to; i++) {
        for (const first of store.match(oxigraph.namedNode(person(i)), knows)) {
          quads++;
          quads += store.match(first.object, knows).length;
        }
      }
      return quads;
    },
    async insert(quads) {
      for (const { subject, predicate, object } of quads) store.add(oxigraph.quad(subject, predicate, object));
    },
    async update(sparql) {
      store.update(sparql);
    },
    toQuad: ([s, p, o]) => oxigraph.quad(oxigraph.namedNode(s), oxigraph.namedNode(p), oxigraph.namedNode(o)),
  };
}
