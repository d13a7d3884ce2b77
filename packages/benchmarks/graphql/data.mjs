/** IRIs of the benchmark. */
export const HUB = 'http://e/hub';
const TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';

/** Numbers in [0, 1), the same each time: mulberry32. */
function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * N-Triples: a hub with `relations` relations over 10 predicates, each other end with one of 20 types, a name and 3
 * relations to others.
 */
export function createTriples(relations) {
  const random = createRandom(7);
  const node = () => `<http://e/n${Math.floor(random() * relations)}>`;
  const lines = [`<${HUB}> <${TYPE}> <http://e/Hub> .`, `<${HUB}> <http://e/name> "Hub" .`];
  for (let i = 0; i < relations; i++) {
    const subject = `<http://e/n${i}>`;
    lines.push(`<${HUB}> <http://e/p${i % 10}> ${subject} .`);
    lines.push(`${subject} <${TYPE}> <http://e/T${Math.floor(random() ** 2 * 20)}> .`);
    lines.push(`${subject} <http://e/name> "Name ${i}" .`);
    for (let k = 0; k < 3; k++) lines.push(`${subject} <http://e/q${k}> ${node()} .`);
  }
  return `${lines.join('\n')}\n`;
}

const hops = (depth, limit) =>
  depth === 0 ? 'uri' : `uri outRels(limit: ${limit}) { predicate range { ${hops(depth - 1, limit)} } }`;

/** The operations, by name: a document and the node that it is asked of, which may change with each call. */
export const OPERATIONS = {
  'entity with types and properties': [
    '{ uri types { uri } properties { predicate value } }',
    (call) => `http://e/n${(call * 7919) % 50_000}`,
  ],
  'hub: first page of 50': ['{ outRels(limit: 50) { predicate range { uri } } }', () => HUB],
  'hub: page 1001': ['{ outRels(limit: 50, offset: 50001) { predicate range { uri } } }', () => HUB],
  'hub: counts': ['{ relCounts { outRels properties types } }', () => HUB],
  'hub: facets': ['{ relFacets { outRels { types { uri count } predicates { uri count } } } }', () => HUB],
  'two hops from the hub, 20 x 20': [`{ ${hops(2, 20)} }`, () => HUB],
  'three hops from a node': [`{ ${hops(3, 20)} }`, (call) => `http://e/n${(call * 104_729) % 50_000}`],
};
