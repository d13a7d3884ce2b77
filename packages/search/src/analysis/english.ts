import lunr from 'lunr';

type LunrToken = Parameters<typeof lunr.stemmer>[0];

/** lunr's functions read a token only through these two; a string per call would cost a Token each. */
const probe = {
  text: '',
  update(change: (text: string) => string): unknown {
    this.text = change(this.text);
    return this;
  },
  toString(): string {
    return this.text;
  },
};

/** The Porter stem of a lower-case English word. */
export function stemEnglish(word: string): string {
  probe.text = word;
  lunr.stemmer(probe as unknown as LunrToken);
  return probe.text;
}

/** Whether a lower-case word is one of lunr's English stop words. */
export function isEnglishStopWord(word: string): boolean {
  probe.text = word;
  return lunr.stopWordFilter(probe as unknown as LunrToken) === undefined;
}
