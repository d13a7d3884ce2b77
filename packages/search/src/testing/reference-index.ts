import { CodedError } from '@cairn/errors';
import { type JsonValue, redactDocument, type Viewer } from '@cairn/security';
import { getAnalyzer } from '../analysis/analyzer.ts';
import { type QueryTerm, readQueryText, toQueryTerms } from '../analysis/query-terms.ts';
import { takesPosition } from '../analysis/token-kind.ts';
import { countPhrase } from '../execution/phrase-frequency.ts';
import type { SynonymRow } from '../mapping/configuration.ts';
import { compileFieldSelection } from '../mapping/field-selection.ts';
import { compileIndexMapping } from '../mapping/index-mapping.ts';
import { fromKeywordTerm, type IndexedValue, isTextTerm, toIndexedValue, toKeywordTerms } from '../mapping/value.ts';
import type { Tier } from '../plan/plan.ts';
import { toRangeSpans } from '../plan/range-spans.ts';
import { toQuery } from '../plan/request-query.ts';
import type {
  DocumentChange,
  Fuzziness,
  LikeOptions,
  ScoreBoost,
  SearchDocument,
  SearchRequest,
} from '../port/search-index.ts';
import { LENGTH_OF_BYTE, toLengthByte } from '../postings/length-norm.ts';
import type { Clause, Query, WildcardPart } from '../query/query.ts';
import { toBigramText } from '../query/wildcard.ts';

interface Token {
  readonly term: string;
  readonly position: number;
  /** True when it has the position of another and adds nothing to the length, as the whole of a compound does. */
  readonly isWhole?: boolean;
  /** As it is written. */
  readonly word?: string;
}

interface FieldValue extends IndexedValue {
  readonly path: string;
  readonly tokens: readonly Token[];
}

interface VisibleDocument {
  readonly id: string;
  readonly values: readonly FieldValue[];
}

/** Scores by id, and whether the query is stop words alone. */
interface Answer {
  readonly scores: ReadonlyMap<string, number>;
  readonly isStopWord: boolean;
}

type Weigh = (path: string) => number;

const mapping = compileIndexMapping('reference');
const SYNONYM_WEIGHT = 0.8;
const english = getAnalyzer('en');
const simple = getAnalyzer('simple');

/** Reference for one search index: reads every document for every clause. */
export class ReferenceIndex {
  readonly documents: Map<string, SearchDocument> = new Map();
  readonly #synonyms: readonly SynonymRow[];

  constructor(synonyms: readonly SynonymRow[] = []) {
    this.#synonyms = synonyms;
  }

  apply(changes: readonly DocumentChange[]): void {
    for (const change of changes) {
      if (change.type === 'put') this.documents.set(change.document.uri, change.document);
      else this.documents.delete(change.id);
    }
  }

  search(viewer: Viewer, request: SearchRequest): { results: { id: string; score: number }[]; maybeMore: boolean } {
    const documents = this.#visible(viewer);
    const { query, type = 'query', limit = 100, offset = 1 } = request;
    const { fuzziness = type === 'as-you-type' ? 'auto' : 0 } = request;
    const evaluation = new Evaluation(documents, this.#synonyms, fuzziness, request.queryFields);
    const isLike = type === 'like' || type === 'like-document';
    const answer =
      type === 'as-you-type'
        ? evaluation.asYouType(query)
        : evaluation.evaluate(isLike ? evaluation.toLikeness(query, type, request.like) : toQuery(query, type), 1);
    const rank = (scores: ReadonlyMap<string, number>) =>
      documents
        .filter((document) => scores.has(document.id) && passes(document, request))
        .map((document) => ({ id: document.id, score: boosted(scores.get(document.id) ?? 0, document, request) }))
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
    const { feedback } = request;
    const first = rank(answer.scores);
    const ranked = feedback === undefined ? first : rank(evaluation.withFeedback(answer.scores, first, request));
    return { results: ranked.slice(offset - 1, offset - 1 + limit), maybeMore: ranked.length >= offset + limit };
  }

  #visible(viewer: Viewer): VisibleDocument[] {
    const documents: VisibleDocument[] = [];
    for (const document of this.documents.values()) {
      const redacted = redactDocument(document, viewer);
      if (redacted?.['uri'] === undefined) continue;
      documents.push({ id: document.uri, values: [...walk(redacted, '')] });
    }
    return documents;
  }
}

function* walk(value: JsonValue, path: string): Generator<FieldValue> {
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) yield* walk(item, path);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, nested] of Object.entries(value)) {
      yield* walk(nested as JsonValue, path === '' ? key : `${path}.${key}`);
    }
  } else if (value !== null) {
    const indexed = toIndexedValue(value as string, mapping.field(path));
    const tokens: Token[] = [];
    const { text } = indexed ?? {};
    if (text !== undefined) {
      english.analyze(text, (term, position, start, end, kind) => {
        const isWhole = !takesPosition(kind);
        // The whole of a compound may be the term of its last part.
        if (isWhole && tokens.some((token) => token.term === term && token.position === position)) return;
        tokens.push({ term, position, isWhole, word: text.slice(start, end) });
      });
    }
    yield { ...indexed, path, tokens };
  }
}

class Evaluation {
  readonly #documents: readonly VisibleDocument[];
  readonly #synonyms: readonly SynonymRow[];
  #fuzziness: Fuzziness;
  readonly #defaultFields: readonly string[];

  constructor(
    documents: readonly VisibleDocument[],
    synonyms: readonly SynonymRow[],
    fuzziness: Fuzziness,
    defaultFields: readonly string[] = ['primaryName^2', '*'],
  ) {
    this.#documents = documents;
    this.#synonyms = synonyms;
    this.#fuzziness = fuzziness;
    this.#defaultFields = defaultFields;
  }

  evaluate(query: Query, boost: number): Answer {
    switch (query.type) {
      case 'boolean':
        return this.#boolean(query, boost);
      case 'boost':
        return this.evaluate(query.query, boost * query.boost);
      case 'all':
        return this.#constant(boost, () => true);
      case 'document':
        return { scores: new Map([[query.id, 0]]), isStopWord: false };
      case 'exists':
        return this.#constant(boost, ({ path, text, keyword }) => {
          if (text === undefined && keyword === undefined) return false;
          return this.#selection(query.field)(path) > 0 || path.startsWith(`${query.field}.`);
        });
      case 'term':
        return this.#text(query.text, 0, query.field, boost, this.#fuzziness);
      case 'phrase':
        return this.#text(query.text, query.slop, query.field, boost);
      case 'wildcard':
        return this.#wildcard(query.parts, query.field, boost);
      case 'regexp': {
        const pattern = new RegExp(`^(?:${query.pattern})$`, 'u');
        return this.#pattern(pattern, pattern, query.field, boost);
      }
      case 'fuzzy':
        return this.#fuzzy(query.text, query.distance, query.field, boost);
      case 'range': {
        const weigh = this.#selection(query.field);
        const spans = toRangeSpans(query.lower, query.upper);
        return this.#constant(boost, (value) => weigh(value.path) > 0 && isInRange(value, spans));
      }
    }
  }

  /** The words of a text, or of the visible text of a document, that are frequent in it and rare elsewhere. */
  toLikeness(query: string, type: 'like' | 'like-document', like: LikeOptions = {}): Query {
    const { maxTerms = 25, minTermFrequency = 1, maxDocumentFrequency = Number.POSITIVE_INFINITY } = like;
    const { minDocumentFrequency = type === 'like' ? 1 : 2 } = like;
    const weigh = this.#selection(undefined);
    const liked = type === 'like' ? { values: [...walk(query, 'text')] } : this.#find(query);
    const values = type === 'like' ? liked.values : liked.values.filter(({ path }) => weigh(path) > 0);
    const clauses = this.#weighWords(values, weigh)
      .filter(({ frequency, documents }) => {
        return frequency >= minTermFrequency && documents >= minDocumentFrequency && documents <= maxDocumentFrequency;
      })
      .slice(0, maxTerms)
      .map(({ text }): Clause => ({ occur: 'should', query: { type: 'term', text } }));
    if (type === 'like-document' && clauses.length > 0)
      clauses.push({ occur: 'mustNot', query: { type: 'document', id: query } });
    return { type: 'boolean', clauses };
  }

  /** The words of some values, the best first: frequent in them and rare among all documents. */
  #weighWords(values: readonly FieldValue[], weigh: Weigh) {
    const tokens = values.flatMap((value) => value.tokens).filter(({ isWhole }) => isWhole !== true);
    return [...new Set(tokens.map(({ term }) => term))]
      .map((term) => {
        const same = tokens.filter((token) => token.term === term);
        const documents = this.#documents.filter((document) => {
          return total(document, weigh, (value) => value.tokens.filter((token) => token.term === term).length) > 0;
        }).length;
        const weight = same.length * this.#idf(documents);
        return { term, text: same[0]?.word ?? '', frequency: same.length, documents, weight };
      })
      .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
  }

  /** Scores with those of the best words of the first documents. */
  withFeedback(
    scores: ReadonlyMap<string, number>,
    ranked: readonly { readonly id: string }[],
    { query, type = 'query', feedback = {} }: SearchRequest,
  ): ReadonlyMap<string, number> {
    const { documents = 10, terms = 10, weight = 0.4 } = feedback;
    const weigh = this.#selection(undefined);
    const values = ranked.slice(0, documents).flatMap(({ id }) => this.#find(id).values);
    const words = this.#weighWords(
      values.filter(({ path, tokens }) => weigh(path) > 0 && tokens.length > 0),
      weigh,
    ).slice(0, terms);
    const isRead = type === 'query' || type === 'term' || type === 'phrase';
    const factor = (weight * (isRead ? heaviest(toQuery(query, type)) || 1 : 1)) / (words[0]?.weight ?? 1);
    const raised = new Map(scores);
    for (const word of words) {
      const own = this.#words([{ term: word.term, position: 0 }], 0, weigh, factor * word.weight);
      for (const [id, score] of raised) raised.set(id, score + (own.get(id) ?? 0));
    }
    return raised;
  }

  #find(id: string): VisibleDocument {
    const document = this.#documents.find((candidate) => candidate.id === id);
    if (document !== undefined) return document;
    throw new CodedError({ code: 'ERR_NO_DOCUMENT', kind: 'not-found', message: 'there is no document with this id' });
  }

  #boolean(query: Extract<Query, { type: 'boolean' }>, boost: number): Answer {
    const answers = query.clauses.map(({ occur, query: clause }) => {
      const outer = this.#fuzziness;
      if (occur === 'mustNot') this.#fuzziness = 0;
      const answer = this.evaluate(clause, boost);
      this.#fuzziness = outer;
      return { occur, ...answer };
    });
    const isStopWord = answers.length > 0 && answers.every((answer) => answer.isStopWord);
    const must = answers.filter((answer) => answer.occur === 'must' && !answer.isStopWord);
    const mustNot = answers.filter(({ occur }) => occur === 'mustNot');
    const optional = answers.filter((answer) => !must.includes(answer) && !mustNot.includes(answer));
    const should = [...optional, ...this.#neighbours(query.clauses, boost)];
    const needsShould = must.length === 0 && (should.length > 0 || mustNot.length === 0);
    const scores = new Map<string, number>();
    for (const { id } of this.#documents) {
      if (!must.every((answer) => answer.scores.has(id)) || mustNot.some((answer) => answer.scores.has(id))) continue;
      if (needsShould && !should.some((answer) => answer.scores.has(id))) continue;
      let sum = 0;
      for (const answer of [...must, ...should]) sum += answer.scores.get(id) ?? 0;
      scores.set(id, sum);
    }
    return { scores, isStopWord };
  }

  /** Of each run of words side by side the synonyms of terms that are of several of them. */
  #neighbours(clauses: readonly Clause[], boost: number): Answer[] {
    const answers: Answer[] = [];
    for (let start = 0; start < clauses.length; ) {
      const field = fieldOf(clauses[start]);
      const words: string[] = [];
      for (const { occur, query } of clauses.slice(start)) {
        if (occur !== 'should' || query.type !== 'term' || query.field !== field) break;
        words.push(query.text);
      }
      const clauseAt = words.flatMap((word, clause) => Array.from({ length: word.length + 1 }, () => clause));
      const { terms } = readQueryText(english, words.join(' '));
      for (const { first, end, target } of this.#places(terms)) {
        if (clauseAt[terms[first].start] === clauseAt[terms[end - 1].start]) continue;
        const scores = this.#words(target, 0, this.#selection(field), boost * SYNONYM_WEIGHT, terms.slice(first, end));
        answers.push({ scores, isStopWord: false });
      }
      start += Math.max(words.length, 1);
    }
    return answers;
  }

  /** Every place of terms where the terms of a synonym row stand, with what they stand for. */
  *#places(
    terms: readonly QueryTerm[],
    from = 0,
  ): Generator<{ readonly first: number; readonly end: number; readonly target: readonly QueryTerm[] }> {
    const places = (list: readonly QueryTerm[]): string => {
      return JSON.stringify(list.map(({ term, position }) => [term, position - list[0].position]));
    };
    const read = (texts: readonly string[]): QueryTerm[][] => {
      return texts.map((text) => toQueryTerms(english, text)).filter(({ length }) => length > 0);
    };
    for (let first = from; first < terms.length; first++) {
      for (let end = first + 1; end <= terms.length; end++) {
        const sought = places(terms.slice(first, end));
        for (const row of this.#synonyms) {
          const { from: sources, to } = isOneWay(row) ? row : { from: row, to: row };
          for (const source of read(sources).map(places)) {
            if (source !== sought) continue;
            for (const target of read(to)) if (places(target) !== source) yield { first, end, target };
          }
        }
      }
    }
  }

  *#variants(terms: readonly QueryTerm[], from = 0): Generator<readonly QueryTerm[]> {
    for (const { first, end, target } of this.#places(terms, from)) {
      const shift = terms[first].position - target[0].position;
      const moved = target[target.length - 1].position + shift - terms[end - 1].position;
      const replaced = [
        ...terms.slice(0, first),
        ...target.map(({ term, position }) => ({ term, position: position + shift })),
        ...terms.slice(end).map(({ term, position }) => ({ term, position: position + moved })),
      ];
      yield replaced;
      yield* this.#variants(replaced, first + target.length);
    }
  }

  /** Scores by the synonyms of a text, each once for each reading that it stands for. */
  #synonymParts(text: string, slop: number, weigh: Weigh, boost: number): ReadonlyMap<string, number>[] {
    const keyOf = (terms: readonly QueryTerm[]): string => {
      return JSON.stringify(terms.map(({ term, position }) => [term, position]));
    };
    const { readings } = readQueryText(english, text);
    const known = new Set(readings.map(keyOf));
    const found = new Map<string, ReadonlyMap<string, number>>();
    for (const reading of readings) {
      for (const variant of [...this.#variants(reading)].slice(0, 64)) {
        const key = `${keyOf(variant)} ${JSON.stringify(reading.map(({ term }) => term))}`;
        if (known.has(keyOf(variant)) || found.has(key)) continue;
        found.set(key, this.#words(variant, slop, weigh, boost * SYNONYM_WEIGHT, reading));
      }
    }
    return [...found.values()];
  }

  #text(text: string, slop: number, field: string | undefined, boost: number, fuzziness: Fuzziness = 0): Answer {
    const weigh = this.#selection(field);
    const { readings } = readQueryText(english, text);
    const parts: ReadonlyMap<string, number>[] = readings.map((words) => {
      if (fuzziness === 0 || words.length !== 1) return this.#words(words, slop, weigh, boost);
      return this.#tiers(this.#nearTiers(words[0].term, fuzziness, weigh), weigh, boost);
    });
    parts.push(...this.#synonymParts(text, slop, weigh, boost));
    for (const term of toKeywordTerms(text)) parts.push(this.#keyword(term, weigh, boost));
    if (field !== undefined) {
      const { numbers, instants } = toRangeSpans({ value: text, inclusive: true }, { value: text, inclusive: true });
      const spans = { numbers, instants, keywords: undefined, terms: undefined };
      parts.push(this.#constant(boost, (value) => weigh(value.path) > 0 && isInRange(value, spans)).scores);
    }
    const isExact = field !== undefined && !field.includes('*') && mapping.field(field).type === 'keyword';
    return { scores: sum(parts), isStopWord: readings.length === 0 && !isExact };
  }

  /** `instead` are the terms whose rarity bounds that of the words, which are looked for instead. */
  #words(
    words: readonly Token[],
    slop: number,
    weigh: Weigh,
    boost: number,
    instead?: readonly QueryTerm[],
  ): Map<string, number> {
    const frequencyOf = (document: VisibleDocument, searched: readonly Token[]): number => {
      return total(document, weigh, ({ tokens }) => countMatches(tokens, searched, slop));
    };
    const rarityOf = (terms: readonly Token[]): number => {
      const having = (term: Token): number => this.#documents.filter((one) => frequencyOf(one, [term]) > 0).length;
      return terms.reduce((all, term) => all + this.#idf(having(term)), 0);
    };
    const weight = Math.min(rarityOf(words), instead === undefined ? Number.POSITIVE_INFINITY : rarityOf(instead));
    return this.#score(weight * boost, (document) => frequencyOf(document, words), weigh);
  }

  #keyword(term: string, weigh: Weigh, boost: number): Map<string, number> {
    const frequencyOf = (document: VisibleDocument): number => {
      return total(document, weigh, ({ keyword, isMirror }) => (keyword === term && isMirror !== true ? 1 : 0));
    };
    const idf = this.#idf(this.#documents.filter((document) => frequencyOf(document) > 0).length);
    return this.#score(idf * boost, frequencyOf, undefined);
  }

  #score(
    weight: number,
    frequencyOf: (document: VisibleDocument) => number,
    weigh: Weigh | undefined,
  ): Map<string, number> {
    const lengthOf = (document: VisibleDocument): number => {
      if (weigh === undefined) return 0;
      return total(document, weigh, ({ tokens }) => tokens.filter(({ isWhole }) => isWhole !== true).length);
    };
    const average = this.#documents.reduce((all, document) => all + lengthOf(document), 0) / this.#documents.length;
    const scores = new Map<string, number>();
    for (const document of this.#documents) {
      const frequency = frequencyOf(document);
      if (frequency === 0) continue;
      const length = LENGTH_OF_BYTE[toLengthByte(lengthOf(document))];
      const saturation = 1.2 * (1 - 0.75 + 0.75 * (average > 0 ? length / average : 1));
      scores.set(document.id, weight / (1 + saturation / frequency));
    }
    return scores;
  }

  #idf(frequency: number): number {
    return Math.log(1 + (this.#documents.length - frequency + 0.5) / (frequency + 0.5));
  }

  #selection(field: string | undefined): Weigh {
    return compileFieldSelection(field === undefined ? this.#defaultFields : [field]).weigh;
  }

  #constant(boost: number, test: (value: FieldValue) => boolean): Answer {
    const matching = this.#documents.filter(({ values }) => values.some(test));
    return { scores: new Map(matching.map(({ id }) => [id, boost])), isStopWord: false };
  }

  #pattern(folded: RegExp, exact: RegExp, field: string | undefined, boost: number): Answer {
    const weigh = this.#selection(field);
    const inText = this.#constant(
      boost,
      ({ path, tokens }) => weigh(path) > 0 && tokens.some(({ term }) => folded.test(term)),
    );
    const inKeyword = this.#constant(boost, ({ path, keyword, isMirror }) => {
      return weigh(path) > 0 && isMirror !== true && keyword !== undefined && exact.test(keyword);
    });
    return { scores: sum([inText.scores, inKeyword.scores]), isStopWord: false };
  }

  #wildcard(parts: readonly WildcardPart[], field: string | undefined, boost: number): Answer {
    const { scores } = this.#pattern(toRegExp(parts, true), toRegExp(parts, false), field, boost);
    const text = toBigramText(parts);
    if (text === undefined) return { scores, isStopWord: false };
    const { readings } = readQueryText(english, text);
    const inText = readings.map((words) => this.#words(words, 0, this.#selection(field), boost));
    const synonyms = this.#synonymParts(text, 0, this.#selection(field), boost);
    return { scores: sum([scores, ...inText, ...synonyms]), isStopWord: false };
  }

  #fuzzy(text: string, distance: number, field: string | undefined, boost: number): Answer {
    const weigh = this.#selection(field);
    const words = toQueryTerms(english, text);
    const parts: ReadonlyMap<string, number>[] = [];
    if (words.length > 1) parts.push(this.#words(words, 0, weigh, boost));
    if (words.length === 1) {
      const word = words[0].term;
      for (const term of this.#near(word, distance, weigh)) {
        const similarity = 1 - editDistance(word, term) / ([...word].length + 1);
        parts.push(this.#words([{ term, position: 0 }], 0, weigh, boost * similarity));
      }
    }
    parts.push(this.#keyword(toKeywordTerms(text)[0], weigh, boost));
    return { scores: sum(parts), isStopWord: false };
  }

  /** All words but the last as words, and the last as a word or a prefix. */
  asYouType(text: string): Answer {
    const weigh = this.#selection(undefined);
    const typed = toQueryTerms(simple, text);
    const last = typed.at(-1);
    if (last === undefined) return { scores: new Map(), isStopWord: false };
    const words = toQueryTerms(english, text);
    const before = words.filter(({ position }) => position < last.position);
    const required = before.map(({ term }) => {
      return this.#tiers(this.#nearTiers(term, this.#fuzziness, weigh), weigh, 1);
    });
    const whole = words.find(({ position }) => position === last.position)?.term;
    const prefixed = [...this.#termsIn(weigh)].filter((term) => term.startsWith(last.term) && term !== whole);
    const [exact, ...near] = this.#nearTiers(whole ?? last.term, this.#fuzziness, weigh);
    const others = near.map((tier) => ({ ...tier, terms: tier.terms.filter((term) => !prefixed.includes(term)) }));
    const prefixes = { terms: prefixed, floor: 0.25, ceiling: 0.5 };
    const final = this.#tiers([...(whole === undefined ? [] : [exact]), prefixes, ...others], weigh, 1);
    const isOptional = whole === undefined && required.length > 0;
    const clauses = isOptional ? required : [...required, final];
    const inAll = [...clauses[0].keys()].filter((id) => clauses.every((scores) => scores.has(id)));
    const found = sum([...required, final]);
    const terms = toKeywordTerms(text.trim());
    const values = this.#constant(1, ({ path, keyword, isMirror }) => {
      return weigh(path) > 0 && isMirror !== true && keyword !== undefined && terms.includes(keyword);
    });
    const scores = sum([new Map(inAll.map((id) => [id, found.get(id) ?? 0])), values.scores]);
    return { scores, isStopWord: false };
  }

  #termsIn(weigh: Weigh): Set<string> {
    const terms = new Set<string>();
    for (const { values } of this.#documents) {
      for (const { path, tokens } of values) if (weigh(path) > 0) for (const { term } of tokens) terms.add(term);
    }
    return terms;
  }

  #nearTiers(word: string, fuzziness: Fuzziness, weigh: Weigh): Tier[] {
    const length = [...word].length;
    const most = fuzziness !== 'auto' ? fuzziness : length < 4 ? 0 : length < 8 ? 1 : 2;
    const near = this.#near(word, most, weigh).filter((term) => [...term][0] === [...word][0]);
    const at = (distance: number): string[] => near.filter((term) => editDistance(word, term) === distance);
    return [
      { terms: [word], floor: 0.5, ceiling: 1 },
      { terms: at(1), floor: 0.125, ceiling: 0.25 },
      { terms: at(2), floor: 0, ceiling: 0.125 },
    ];
  }

  /** The first tier that a document has any term of says what it scores; the first that is there at all, the weight. */
  #tiers(tiers: readonly Tier[], weigh: Weigh, boost: number): Map<string, number> {
    const frequencyOf = (document: VisibleDocument, terms: readonly string[]): number => {
      return total(document, weigh, ({ tokens }) => tokens.filter(({ term }) => terms.includes(term)).length);
    };
    const countOf = (term: string): number => {
      return this.#documents.filter((document) => frequencyOf(document, [term]) > 0).length;
    };
    const best = tiers.map(({ terms }) => Math.max(0, ...terms.map(countOf))).find((count) => count > 0) ?? 0;
    const weight = this.#idf(best) * boost;
    const scores = new Map<string, number>();
    for (const { terms, floor, ceiling } of tiers.toReversed()) {
      const shares = this.#score(ceiling - floor, (document) => frequencyOf(document, terms), weigh);
      for (const [id, share] of shares) scores.set(id, weight * (floor + share));
    }
    return scores;
  }

  #near(word: string, distance: number, weigh: Weigh): string[] {
    return [...this.#termsIn(weigh)]
      .filter((term) => editDistance(word, term) <= distance)
      .sort((a, b) => editDistance(word, a) - editDistance(word, b) || (a < b ? -1 : 1));
  }
}

function isOneWay(row: SynonymRow): row is Exclude<SynonymRow, readonly string[]> {
  return !Array.isArray(row);
}

function fieldOf({ query }: Clause): string | undefined {
  return query.type === 'term' ? query.field : undefined;
}

/** A score, raised by the values of its document. */
function boosted(score: number, { values }: VisibleDocument, { boosts = [], nowMs }: SearchRequest): number {
  return boosts.reduce((product, boost) => {
    const raises = values.map((value) => (value.path === boost.field ? raiseOf(value, boost, nowMs) : 0));
    return product * (1 + Math.max(0, ...raises));
  }, score);
}

function raiseOf({ number, isDate = false }: FieldValue, boost: ScoreBoost, nowMs: number | undefined): number {
  if (number === undefined) return 0;
  const { weight = 1 } = boost;
  if (boost.type === 'value') {
    const x = (boost.factor ?? 1) * Math.max(0, number);
    return isDate ? 0 : weight * { log1p: Math.log1p(x), linear: x, reciprocal: 1 / (1 + x) }[boost.curve];
  }
  const { origin, scale, offset = 0 } = boost;
  if (isDate !== (typeof origin === 'string')) return 0;
  const at = origin === 'now' ? nowMs : typeof origin === 'string' ? Date.parse(origin) : origin;
  const unit = typeof scale === 'string' ? Number(scale.slice(0, -1)) * 86_400_000 : scale;
  const distance = Math.max(0, Math.abs(number - (at ?? Number.NaN)) - Number(offset)) / unit;
  const { curve } = boost;
  return (
    weight * { exp: 0.5 ** distance, gauss: 0.5 ** (distance * distance), linear: Math.max(0, 1 - distance / 2) }[curve]
  );
}

function total(document: VisibleDocument, weigh: Weigh, count: (value: FieldValue) => number): number {
  return document.values.reduce((all, value) => all + weigh(value.path) * count(value), 0);
}

function countMatches(tokens: readonly Token[], words: readonly Token[], slop: number): number {
  const positionsOf = (term: string): number[] => {
    return tokens.filter((token) => token.term === term).map(({ position }) => position);
  };
  if (slop > 0 && words.length > 1) {
    const offsets = words.map(({ position }) => position);
    const positions = words.map(({ term }) => positionsOf(term));
    return countPhrase(positions, offsets, slop);
  }
  const base = words[0];
  return positionsOf(base.term).filter((start) => {
    return words.every(({ term, position }) => positionsOf(term).includes(start + position - base.position));
  }).length;
}

function sum(parts: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const scores = new Map<string, number>();
  for (const part of parts) for (const [id, score] of part) scores.set(id, (scores.get(id) ?? 0) + score);
  return scores;
}

function isInRange(value: FieldValue, spans: ReturnType<typeof toRangeSpans>): boolean {
  const { keyword, number, isDate, isMirror, tokens } = value;
  const span = isDate === true ? spans.instants : spans.numbers;
  if (number !== undefined) return span !== undefined && number >= span.first && number <= span.last;
  const { keywords, terms } = spans;
  if (keyword !== undefined && isMirror !== true && isTextTerm(keyword)) {
    return keywords !== undefined && isBetween(fromKeywordTerm(keyword), keywords);
  }
  return terms !== undefined && tokens.some(({ term }) => isBetween(term, terms));
}

type Ends = NonNullable<ReturnType<typeof toRangeSpans>['terms']>;

function isBetween(text: string, { lower, upper }: Ends): boolean {
  const isAbove = lower === undefined || text > lower.value || (lower.inclusive && text === lower.value);
  return isAbove && (upper === undefined || text < upper.value || (upper.inclusive && text === upper.value));
}

/** The largest weight of a clause that may match. */
function heaviest(query: Query): number {
  if (query.type === 'boost') return query.boost * heaviest(query.query);
  if (query.type !== 'boolean') return 1;
  return Math.max(
    0,
    ...query.clauses.filter(({ occur }) => occur !== 'mustNot').map((clause) => heaviest(clause.query)),
  );
}

function passes({ values }: VisibleDocument, { typeFilter, range }: SearchRequest): boolean {
  if (typeFilter !== undefined) {
    const { values: types, mode = 'any' } = typeFilter;
    const isPath = (path: string): boolean => {
      return (mode !== 'identifier' && path === 'types') || (mode !== 'entity' && path.endsWith('.types'));
    };
    if (!values.some(({ path, keyword }) => isPath(path) && keyword !== undefined && types.includes(keyword)))
      return false;
  }
  if (range === undefined || range.fields.length === 0) return true;
  const bound = (value: string | undefined) => (value === undefined ? undefined : { value, inclusive: true });
  const spans = toRangeSpans(bound(range.start), bound(range.end));
  return values.some((value) => range.fields.includes(value.path) && isInRange(value, spans));
}

function toRegExp(parts: readonly WildcardPart[], isFolded: boolean): RegExp {
  const sources = parts.map((part) => {
    if (part.type !== 'text') return part.type === 'any' ? '.*' : '.';
    const text = isFolded ? (simple.toTerm(part.text) ?? part.text) : part.text;
    return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  });
  return new RegExp(`^${sources.join('')}$`, 'su');
}

/** Optimal string alignment, by the whole matrix. */
export function editDistance(a: string, b: string): number {
  const x = [...a];
  const y = [...b];
  const rows: number[][] = [Array.from({ length: y.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= x.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= y.length; j++) {
      const change = rows[i - 1][j - 1] + (x[i - 1] === y[j - 1] ? 0 : 1);
      let least = Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, change);
      if (i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1])
        least = Math.min(least, rows[i - 2][j - 2] + 1);
      rows[i].push(least);
    }
  }
  return rows[x.length][y.length];
}
