// Seeded documents and names, so that every run measures the same work.

/** Numbers in [0, 1) from a seed: mulberry32. */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const SYLLABLES = 'ka re mo ti su na lo vi po da gre fal tor min sel'.split(' ');

function createWords(count, random) {
  const words = new Set();
  while (words.size < count) {
    const length = 1 + Math.floor(random() * 4);
    words.add(Array.from({ length }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join(''));
  }
  return [...words];
}

/** Names of one to three words, as N-Triples with a type each. */
export function createNames(count, random) {
  const words = createWords(2000, random);
  const pick = () => words[Math.floor(random() * words.length)];
  const names = Array.from({ length: count }, (_, at) => `${pick()} ${pick()}${at % 3 === 0 ? ` ${pick()}` : ''}`);
  const triples = names.flatMap((name, at) => [
    `<https://example.org/id/${at}> <http://www.w3.org/2000/01/rdf-schema#label> "${name}" .`,
    `<https://example.org/id/${at}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://example.org/Thing> .`,
  ]);
  return { names, ntriples: triples.join('\n') };
}

/** Texts of some hundred words with a Zipf-like distribution; every twentieth word begins a name. */
export function createTexts(count, names, random) {
  const words = createWords(20_000, random);
  const pick = () => words[Math.floor(words.length * random() ** 3)];
  return Array.from({ length: count }, () => {
    const length = 200 + Math.floor(random() * 300);
    const text = Array.from({ length }, () => (random() < 0.02 ? names[Math.floor(random() * names.length)] : pick()));
    return text.join(' ');
  });
}
