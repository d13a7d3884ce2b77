import lunr from 'lunr';

/** One for all calls: a Token for each word would cost as much as its stem. */
const token = new lunr.Token('', {});
let given = '';
const takeGiven = (): string => given;

function tokenOf(word: string): lunr.Token {
  given = word;
  return token.update(takeGiven);
}

export function stemEnglish(word: string): string {
  return lunr.stemmer(tokenOf(word)).toString();
}

export function isEnglishStopWord(word: string): boolean {
  return lunr.stopWordFilter(tokenOf(word)) === undefined;
}
