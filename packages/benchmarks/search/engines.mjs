// Each engine behind the same few functions, loaded only in the process that measures it.

const RANGE = ['2000-01-01', '2004-12-31'];

async function createCairn() {
  const { openSearchIndex } = await import('@cairn/search');
  const { createViewer } = await import('@cairn/security');
  const { createMemoryBlobStore } = await import('@cairn/events');
  const { VIEWER_ATTRIBUTES, ALL_ATTRIBUTES } = await import('./corpus.mjs');
  const viewer = createViewer({ attributes: VIEWER_ATTRIBUTES });
  const everyone = createViewer({ attributes: ALL_ATTRIBUTES });
  const blobs = createMemoryBlobStore();
  let index = await openSearchIndex({ indices: ['search'], blobs, nowMs: () => performance.now() });
  const put = (document) => ({ type: 'put', index: 'search', document });
  const find = async (query, more = {}) => (await index.searchIds(viewer, { query, limit: 10, ...more })).results;
  const findAll = async (query, more = {}) => {
    const ids = [];
    for (let offset = 1; ; offset += 1000) {
      const { results, maybeMore } = await index.searchIds(everyone, { query, limit: 1000, offset, ...more });
      for (const { id } of results) ids.push(id);
      if (!maybeMore) return ids;
    }
  };
  const range = { range: { start: RANGE[0], end: RANGE[1], fields: ['start'] } };
  return {
    matches: {
      rare: ([a]) => findAll(a),
      or: (w) => findAll(w.join(' ')),
      and: (w) => findAll(w.join(' AND ')),
      range: ([a]) => findAll(a, range),
    },
    async add(documents) {
      let batch = [];
      for (const document of documents) {
        batch.push(put(document));
        if (batch.length < 20_000) continue;
        await index.apply(batch);
        batch = [];
      }
      if (batch.length > 0) await index.apply(batch);
    },
    /** Merging is part of indexing, but it can wait for a quiet hour. */
    settle: () => index.compact(),
    rare: ([a]) => find(a),
    common: ([a]) => find(a),
    or: (w) => find(w.join(' ')),
    and: (w) => find(w.join(' AND ')),
    phrase: (w) => find(`"${w.join(' ')}"`),
    prefix: ([a]) => find(`${a}*`),
    fuzzy: ([a]) => find(`${a}~1`),
    range: ([a]) => find(a, range),
    facet: ([query]) => index.facets(viewer, { query, facet: 'category', sampleSize: 1000 }),
    documents: async ([query]) => (await index.search(viewer, { query, limit: 10 })).results,
    highlighted: async ([query]) => (await index.search(viewer, { query, limit: 10, highlight: true })).results,
    update: (document) => index.apply([put(document)]),
    remove: (id) => index.apply([{ type: 'delete', index: 'search', id }]),
    storedBytes: () => index.statistics()[0].storedBytes,
    save: () => index.flush(),
    async reopen() {
      index = await openSearchIndex({ indices: ['search'], blobs, nowMs: () => performance.now() });
      return (await find('bobok')).length;
    },
  };
}

async function createMiniSearch() {
  const { default: MiniSearch } = await import('minisearch');
  const options = { idField: 'uri', fields: ['primaryName', 'content'], storeFields: ['category', 'start'] };
  let index = new MiniSearch(options);
  let saved;
  const top = (query, more) => index.search(query, more).slice(0, 10);
  const inRange = ({ start }) => start >= RANGE[0] && start <= RANGE[1];
  const all = (query, more) => index.search(query, more).map(({ id }) => id);
  return {
    matches: {
      rare: ([a]) => all(a),
      or: (w) => all(w.join(' ')),
      and: (w) => all(w.join(' '), { combineWith: 'AND' }),
      range: ([a]) => all(a, { filter: inRange }),
    },
    add: (documents) => index.addAll([...documents]),
    rare: ([a]) => top(a),
    common: ([a]) => top(a),
    or: (w) => top(w.join(' ')),
    and: (w) => top(w.join(' '), { combineWith: 'AND' }),
    prefix: ([a]) => top(a, { prefix: true }),
    fuzzy: ([a]) => top(a, { fuzzy: 1 }),
    range: ([a]) => top(a, { filter: inRange }),
    facet: ([a]) => countBy(index.search(a).slice(0, 1000), ({ category }) => category),
    update: (document) => index.replace(document),
    remove: (id) => index.discard(id),
    save: () => {
      saved = JSON.stringify(index);
    },
    reopen: () => {
      index = MiniSearch.loadJSON(saved, options);
      return top('bobok').length;
    },
  };
}

async function createLunr() {
  const { default: lunr } = await import('lunr');
  const stored = new Map();
  let index;
  let saved;
  const top = (query) => index.search(query).slice(0, 10);
  const all = (query) => index.search(query).map(({ ref }) => ref);
  const inRange = (id) => stored.get(id).start >= RANGE[0] && stored.get(id).start <= RANGE[1];
  return {
    matches: {
      rare: ([a]) => all(a),
      or: (w) => all(w.join(' ')),
      and: (w) => all(w.map((word) => `+${word}`).join(' ')),
      range: ([a]) => all(a).filter(inRange),
    },
    add(documents) {
      index = lunr(function () {
        this.ref('uri');
        this.field('primaryName');
        this.field('content');
        for (const document of documents) {
          stored.set(document.uri, { category: document.category, start: document.start });
          this.add(document);
        }
      });
    },
    rare: ([a]) => top(a),
    common: ([a]) => top(a),
    or: (w) => top(w.join(' ')),
    and: (w) => top(w.map((word) => `+${word}`).join(' ')),
    prefix: ([a]) => top(`${a}*`),
    fuzzy: ([a]) => top(`${a}~1`),
    range: ([a]) => all(a).filter(inRange).slice(0, 10),
    facet: ([a]) => countBy(index.search(a).slice(0, 1000), ({ ref }) => stored.get(ref).category),
    save: () => {
      saved = JSON.stringify(index);
    },
    reopen: () => {
      index = lunr.Index.load(JSON.parse(saved));
      return top('bobok').length;
    },
  };
}

async function createFlexSearch() {
  const { default: FlexSearch } = await import('flexsearch');
  const index = new FlexSearch.Document({
    document: { id: 'uri', index: ['primaryName', 'content'], store: ['category', 'start'] },
  });
  const ids = (query, limit = 10, more = {}) => {
    return [...new Set(index.search(query, { limit, ...more }).flatMap(({ result }) => result))].slice(0, limit);
  };
  const stored = (id) => index.get(id);
  return {
    add(documents) {
      for (const document of documents) index.add(document);
    },
    rare: ([a]) => ids(a),
    common: ([a]) => ids(a),
    or: (w) => ids(w.join(' '), 10, { suggest: true }),
    and: (w) => ids(w.join(' ')),
    range: ([a]) =>
      ids(a, 100_000)
        .filter((id) => stored(id).start >= RANGE[0] && stored(id).start <= RANGE[1])
        .slice(0, 10),
    facet: ([a]) => countBy(ids(a, 1000), (id) => stored(id).category),
    update: (document) => index.update(document),
    remove: (id) => index.remove(id),
  };
}

function countBy(items, keyOf) {
  const counts = new Map();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return [...counts];
}

/** Factories by name; the first is ours. */
export const ENGINES = {
  cairn: createCairn,
  minisearch: createMiniSearch,
  flexsearch: createFlexSearch,
  lunr: createLunr,
};
