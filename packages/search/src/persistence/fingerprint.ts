import { getAnalyzer } from '../analysis/analyzer.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { checksum } from './checksum.ts';

/** Raised whenever analysis or mapping reads the same text in another way. */
const ANALYSIS_VERSION = 1;

/** Raised whenever postings and their bounds mean something else. */
const POSTINGS_LAYOUT = 2;

/** Texts that a change of Unicode or ICU would read differently. */
const SAMPLES: readonly string[] = [
  'ประเทศไทยมีความสวยงาม',
  '日本語のテキストを分割する',
  '中文分词需要词典支持',
  'ភាសាខ្មែរ',
  'ﬁﬂ ⅷ Ａｂｃ ÅNGSTRÖM İstanbul ΌΣΟΣ',
];

/** Letters that Unicode 14, 15, 15.1, 16 and 17 brought. */
const YOUNG_LETTERS: readonly number[] = [0x1df00, 0x1e4d0, 0x2ebf0, 0x105c0, 0x11db0];

/**
 * What the stored form of an index depends on: analyzers, mapping, Unicode and ICU. Segments of another fingerprint
 * must be built anew.
 */
export function indexFingerprint(mapping: IndexMapping): string {
  const simple = getAnalyzer('simple');
  const terms: string[] = [];
  for (const sample of SAMPLES) simple.analyze(sample, (term) => terms.push(term));
  const letters = YOUNG_LETTERS.map((codePoint) => /\p{L}/u.test(String.fromCodePoint(codePoint)));
  const analyzers = mapping.analyzers.map(({ name }) => name);
  const text = JSON.stringify([ANALYSIS_VERSION, POSTINGS_LAYOUT, analyzers, terms, letters, mapping.signature]);
  return checksum(new TextEncoder().encode(text)).toString(16).padStart(8, '0');
}
