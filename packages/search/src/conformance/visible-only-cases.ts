import { isCodedError } from '@cairn/errors';
import { type ConformanceCase, type ConformanceLevel, casesOf } from '@cairn/errors/conformance';
import { type JsonObject, redactDocument, type Viewer } from '@cairn/security';
import type { DocumentChange, SearchDocument, SearchIndex } from '../port/search-index.ts';
import {
  correctionRequests,
  documentRequests,
  explainRequests,
  facetRequests,
  searchRequests,
  stateRequests,
  typeaheadRequests,
} from './requests.ts';
import { ensureEqual, NOBODY, PUBLIC, SECRET, type SearchIndexHarness } from './sample.ts';

const INDICES = ['search', 'other'];

/** The words of what is hidden: each stands in every hidden document, field, list item and entity, and nowhere else. */
const VIEWERS: readonly (readonly [viewer: Viewer, hiddenWords: readonly string[]])[] = [
  [PUBLIC, ['hollow', 'buried']],
  [SECRET, ['buried']],
  [NOBODY, ['normal', 'hollow', 'buried']],
];

const NESTED: readonly JsonObject[] = [
  {
    types: ['http://example.org/Berth'],
    representationValue: 'B-7 buried',
    securityLabels: { defaults: 'clearance=TS' },
  },
];
const ENTITIES: readonly JsonObject[] = [
  { text: 'Hollow', category: 'http://example.org/Thing', mentions: [], securityLabels: { defaults: 'clearance=S' } },
];

/** The same documents under each label: whatever a request asks for, there are hidden ones that match as well. */
const CHANGES: readonly Put[] = Object.entries({
  open: '*',
  normal: 'clearance=O',
  hollow: 'clearance=S',
  buried: 'clearance=TS',
}).flatMap(([word, label], rank) => documentsOf(word, label, rank));

type Put = Extract<DocumentChange, { type: 'put' }>;

/** Documents that hold a word, seen by whom a label permits, with parts that fewer may see. */
function documentsOf(word: string, label: string, rank: number): Put[] {
  const common = {
    notes: [`wrecks lie here ${word}`, 'hollow harbour wrecks', 'buried harbour lighthouse'],
    isIdentifiedBy: [{ types: ['http://example.org/Berth'], representationValue: `B-7 ${word}` }, ...NESTED],
    entities: [{ text: 'Wall', category: 'http://example.org/Thing', uri: `${word}:wall`, mentions: [] }, ...ENTITIES],
    securityLabels: { defaults: label, notes: ['', 'clearance=S', 'clearance=TS'] },
  };
  const survey = {
    uri: `${word}:survey`,
    primaryName: `Harbour survey ${word}`,
    content: `The survey of the old harbour found three wrecks and a lighthouse, ${word}.`,
    types: ['http://example.org/Mission'],
    start: `202${rank}-03-01`,
    depth: 12 - rank,
    ...common,
  };
  const repairs = {
    uri: `${word}:repairs`,
    primaryName: `Harbour repairs ${word}`,
    content: `Repairs of the harbour wall ${word}, a lighthouse and wrecks, wrecks. <b>Danger</b>`,
    types: ['http://example.org/Mission', 'http://example.org/Repair'],
    start: `201${9 - rank}-01-20`,
    depth: 3,
    ...common,
  };
  const state = { ...survey, uri: `${word}:state`, isState: true, about: 'open:survey', depth: rank };
  const other = { ...survey, uri: `${word}:other`, isState: true, about: ['open:survey', 'open:repairs'] };
  return [...putsTo('search', [survey, repairs, state]), ...putsTo('other', [other])];
}

const IDS = CHANGES.map(({ document }) => document.uri);
/** A document that everyone sees, one that some see, one that nobody sees and one that is not there. */
const SOME_IDS = ['open:survey', 'hollow:survey', 'buried:survey', 'none:survey'];

function putsTo(index: string, documents: readonly SearchDocument[]): Put[] {
  return documents.map((document) => ({ type: 'put', index, document }));
}

/** The changes as a viewer sees them. */
function visibleTo(viewer: Viewer): Put[] {
  return CHANGES.flatMap((change) => {
    const document = redactDocument(change.document, viewer, { showSecurityLabels: true });
    return document === undefined ? [] : [{ ...change, document: document as SearchDocument }];
  });
}

interface Question {
  readonly request: unknown;
  readonly ask: (index: SearchIndex, viewer: Viewer) => Promise<unknown>;
}

type Ask<Request> = (index: SearchIndex, viewer: Viewer, request: Request) => Promise<unknown>;

function questions<Request>(requests: readonly Request[], ask: Ask<Request>): Question[] {
  return requests.map((request) => ({ request, ask: (index, viewer) => ask(index, viewer, request) }));
}

/** Every operation that reads, by the law that it has to keep. */
const QUESTIONS: Readonly<Record<string, readonly Question[]>> = {
  'search gives': questions(searchRequests, (index, viewer, request) => index.search(viewer, request)),
  'typeahead suggests': questions(typeaheadRequests, (index, viewer, request) => index.typeahead(viewer, request)),
  'facets counts': questions(facetRequests, (index, viewer, request) => index.facets(viewer, request)),
  'states gives': [SOME_IDS, ['open:survey', 'open:repairs']].flatMap((ids) =>
    questions(stateRequests(ids), (index, viewer, request) => index.states(viewer, request)),
  ),
  'getDocument and getDocuments give': questions(documentRequests, async (index, viewer, request) => {
    const all = await index.getDocuments(viewer, IDS, request);
    return [all, ...(await Promise.all(SOME_IDS.map((id) => index.getDocument(viewer, id, request))))];
  }),
  'explain says': SOME_IDS.flatMap((id) =>
    questions(explainRequests(id), (index, viewer, request) => index.explain(viewer, request)),
  ),
  // What is to be stored holds what is hidden: it is for no viewer.
  'correctEntity gives': SOME_IDS.flatMap((uri) =>
    questions(
      correctionRequests(uri),
      async (index, viewer, request) => (await index.correctEntity(viewer, request))?.document,
    ),
  ),
};

/** An answer as JSON, or the error instead of it: its message too is an answer. */
async function answerOf({ ask }: Question, index: SearchIndex, viewer: Viewer): Promise<string> {
  try {
    return JSON.stringify((await ask(index, viewer)) ?? null);
  } catch (error) {
    if (!isCodedError(error)) throw error;
    return JSON.stringify({ code: error.code, kind: error.kind, message: error.message });
  }
}

/** Asks the same of an index that holds everything and of one that holds what the viewer may see. */
async function compare(
  { open }: SearchIndexHarness,
  asked: readonly Question[],
  compareAnswers: (answer: string, expected: string, hiddenWords: readonly string[], what: string) => void,
): Promise<void> {
  const full = await open(INDICES);
  await full.apply(CHANGES);
  for (const [viewer, hiddenWords] of VIEWERS) {
    const alone = await open(INDICES);
    await alone.apply(visibleTo(viewer));
    for (const question of asked) {
      const [answer, expected] = [await answerOf(question, full, viewer), await answerOf(question, alone, viewer)];
      if (answer !== expected) compareAnswers(answer, expected, hiddenWords, JSON.stringify(question.request));
    }
    await alone.close();
  }
  await full.close();
}

/** Takes every hidden word that an answer holds and the other does not for a leak: echoes of the request are in both. */
function ensureNothingHidden(answer: string, expected: string, hiddenWords: readonly string[], what: string): void {
  const shown = hiddenWords.filter((word) => countOf(answer, word) > countOf(expected, word));
  ensureEqual(shown, [], `hidden words in the answer to ${what}`);
  ensureEqual(answer === 'null', expected === 'null', `nothing is there for ${what}`);
  ensureEqual(idsOf(answer), idsOf(expected), `results of ${what}`);
}

function countOf(text: string, word: string): number {
  return text.toLowerCase().split(word).length;
}

/** The results of a whole list in order of id. Of a page the ranks decide what is on it, and they may differ in `core`. */
function idsOf(answer: string): readonly string[] {
  const { results = [], limit, offset } = (JSON.parse(answer) ?? {}) as Partial<Listed>;
  if (offset !== 1 || limit === 2) return [];
  return results.map(({ id }) => id).sort();
}

interface Listed {
  readonly limit: number;
  readonly offset: number;
  readonly results: readonly { readonly id: string }[];
}

function lawsOf(
  level: ConformanceLevel,
  nameOf: (operation: string) => string,
  compareAnswers: typeof ensureNothingHidden,
): readonly ConformanceCase<SearchIndexHarness>[] {
  const bodies = Object.entries(QUESTIONS).map(
    ([operation, asked]) =>
      [nameOf(operation), (harness: SearchIndexHarness) => compare(harness, asked, compareAnswers)] as const,
  );
  return casesOf(level, Object.fromEntries(bodies));
}

/** The law that no shape of any request shows, finds or refuses what is hidden. */
export const hiddenNowhereCases: readonly ConformanceCase<SearchIndexHarness>[] = lawsOf(
  'core',
  (operation) => `${operation} nothing that is hidden, whatever members its request has`,
  ensureNothingHidden,
);

/** The law that an answer over all data is the answer over visible data, for every shape of request. */
export const visibleOnlyCases: readonly ConformanceCase<SearchIndexHarness>[] = lawsOf(
  'non-interference',
  (operation) => `${operation} over everything what it does over visible data, whatever members its request has`,
  (answer, expected, _, what) => ensureEqual(answer, expected, what),
);
