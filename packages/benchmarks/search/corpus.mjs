// Documents and queries made from a seed: the same for every engine.

/** Reproducible random numbers from 0 up to, not including, 1. */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const CONSONANTS = 'bdfgklmnprtvz';
const VOWELS = 'aeiou';

/** A made-up word that no stemmer changes and no stop list holds; distinct for distinct ranks. */
function makeWord(rank) {
  let text = '';
  let rest = rank;
  for (let i = 0; i < 2 || rest > 0; i++) {
    text += CONSONANTS[rest % CONSONANTS.length];
    rest = Math.floor(rest / CONSONANTS.length);
    text += VOWELS[rest % VOWELS.length];
    rest = Math.floor(rest / VOWELS.length);
  }
  return `${text}k`;
}

const VOCABULARY = 180_000;
const words = Array.from({ length: VOCABULARY }, (_, rank) => makeWord(rank));

/** The word of a rank of frequency; 0 is the most frequent. */
export const wordOfRank = (rank) => words[rank];

/** A rank by Zipf's law: rank r about as often as 1 / (r + 3). */
function randomRank(random) {
  return Math.min(VOCABULARY - 1, Math.floor(3 * (((VOCABULARY + 3) / 3) ** random() - 1)));
}

const CATEGORIES = Array.from({ length: 40 }, (_, i) => `category-${i}`);
const COUNTRIES = ['GBR', 'USA', 'CAN', 'AUS', 'NZL', 'FRA', 'DEU', 'ITA', 'ESP', 'NLD'];
const GROUPS = Array.from({ length: 60 }, (_, i) => `g${i}`);

/** About 700 distinct labels, of which the benchmark's viewer permits about half. */
function makeLabel(random) {
  const country = COUNTRIES[Math.floor(random() * COUNTRIES.length)];
  const group = GROUPS[Math.floor(random() ** 2 * GROUPS.length)];
  return random() < 0.5 ? `nationality=${country}` : `nationality=${country}|group=${group}`;
}

/** Attributes of the viewer of the benchmark. */
export const VIEWER_ATTRIBUTES = {
  nationality: ['GBR', 'USA', 'CAN', 'FRA'],
  group: GROUPS.filter((_, i) => i % 2 === 0),
};

/** Attributes of a viewer who sees every document: its answers are compared with those of engines without permission. */
export const ALL_ATTRIBUTES = { nationality: COUNTRIES, group: GROUPS };

/** Documents of about 134 words. */
export function* makeDocuments(count, seed = 1) {
  const random = createRandom(seed);
  for (let i = 0; i < count; i++) {
    const sentence = (length) => Array.from({ length }, () => words[randomRank(random)]).join(' ');
    yield {
      uri: `http://example.org/document/${i}`,
      primaryName: sentence(3 + Math.floor(random() * 4)),
      content: sentence(80 + Math.floor(random() * 98)),
      category: CATEGORIES[Math.floor(random() ** 2 * CATEGORIES.length)],
      start: new Date(Date.UTC(1990, 0, 1) + Math.floor(random() * 11_000) * 86_400_000).toISOString().slice(0, 10),
      size: Math.floor(random() * 10_000),
      securityLabels: { defaults: makeLabel(random) },
    };
  }
}

/** Thirty queries of each class, as words; how each engine writes them is its own affair. */
export function makeQueries(seed = 2) {
  const random = createRandom(seed);
  const between = (low, high) => words[low + Math.floor(random() * (high - low))];
  const many = (make) => Array.from({ length: 30 }, make);
  return {
    rare: many(() => [between(20_000, 60_000)]),
    common: many(() => [between(10, 60)]),
    or: many(() => [between(5, 60), between(60, 400), between(400, 2000)]),
    and: many(() => [between(5, 60), between(5, 100), between(60, 400)]),
    phrase: many(() => pickPhrase(random)),
    prefix: many(() => [between(200, 4000).slice(0, 4)]),
    fuzzy: many(() => [swapLetter(between(500, 20_000))]),
    range: many(() => [between(10, 60)]),
    facet: many(() => [between(10, 60)]),
  };
}

/** Two neighbours of the first documents, neither of them among the most frequent words. */
function pickPhrase(random) {
  phraseSource ??= [...makeDocuments(200)].map(({ content }) => content.split(' '));
  while (true) {
    const text = phraseSource[Math.floor(random() * phraseSource.length)];
    const at = Math.floor(random() * (text.length - 1));
    const pair = text.slice(at, at + 2);
    if (pair.every((word) => words.indexOf(word) > 20)) return pair;
  }
}

let phraseSource;

function swapLetter(word) {
  return `${word.slice(0, 2)}x${word.slice(3)}`;
}
