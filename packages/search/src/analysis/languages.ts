import { stemmer as stemDanish } from '@orama/stemmers/danish';
import { stemmer as stemDutch } from '@orama/stemmers/dutch';
import { stemmer as stemFinnish } from '@orama/stemmers/finnish';
import { stemmer as stemFrench } from '@orama/stemmers/french';
import { stemmer as stemGerman } from '@orama/stemmers/german';
import { stemmer as stemItalian } from '@orama/stemmers/italian';
import { stemmer as stemNorwegian } from '@orama/stemmers/norwegian';
import { stemmer as stemPortuguese } from '@orama/stemmers/portuguese';
import { stemmer as stemRussian } from '@orama/stemmers/russian';
import { stemmer as stemSpanish } from '@orama/stemmers/spanish';
import { stemmer as stemSwedish } from '@orama/stemmers/swedish';
import { stemmer as stemUkrainian } from '@orama/stemmers/ukrainian';
import { stopwords as danish } from '@orama/stopwords/danish';
import { stopwords as dutch } from '@orama/stopwords/dutch';
import { stopwords as finnish } from '@orama/stopwords/finnish';
import { stopwords as french } from '@orama/stopwords/french';
import { stopwords as german } from '@orama/stopwords/german';
import { stopwords as italian } from '@orama/stopwords/italian';
import { stopwords as norwegian } from '@orama/stopwords/norwegian';
import { stopwords as portuguese } from '@orama/stopwords/portuguese';
import { stopwords as russian } from '@orama/stopwords/russian';
import { stopwords as spanish } from '@orama/stopwords/spanish';
import { stopwords as swedish } from '@orama/stopwords/swedish';
import { stopwords as ukrainian } from '@orama/stopwords/ukrainian';
import lunr from 'lunr';
import { fold } from './folding.ts';

interface Language {
  readonly stem: (word: string) => string;
  readonly isStopWord: (word: string) => boolean;
  /** True when marks are folded before the stemmer sees the word; stemmers of languages with marks want them. */
  readonly foldsFirst: boolean;
}

/** One for all calls: a Token for each word would cost as much as its stem. */
const token = new lunr.Token('', {});
let given = '';
const takeGiven = (): string => given;

function tokenOf(word: string): lunr.Token {
  given = word;
  return token.update(takeGiven);
}

const english: Language = {
  stem: (word) => lunr.stemmer(tokenOf(word)).toString(),
  isStopWord: (word) => lunr.stopWordFilter(tokenOf(word)) === undefined,
  foldsFirst: true,
};

/** Languages by ISO 639-1 code. */
export const LANGUAGES: ReadonlyMap<string, Language> = new Map([
  ['en', english],
  ['da', language(stemDanish, danish)],
  ['nl', language(stemDutch, dutch)],
  ['fi', language(stemFinnish, finnish)],
  ['fr', language(stemFrench, french)],
  ['de', language(stemGerman, german)],
  ['it', language(stemItalian, italian)],
  ['no', language(stemNorwegian, norwegian)],
  ['pt', language(stemPortuguese, portuguese)],
  ['ru', language(stemRussian, russian, { foldsFirst: true })],
  ['es', language(stemSpanish, spanish)],
  ['sv', language(stemSwedish, swedish)],
  ['uk', language(stemUkrainian, ukrainian)],
]);

function language(stem: (word: string) => string, stopWords: readonly string[], { foldsFirst = false } = {}): Language {
  const words = new Set(foldsFirst ? stopWords.map(fold) : stopWords);
  return { stem, isStopWord: (word) => words.has(word), foldsFirst };
}
