import type { JsonValue } from '@cairn/security';
import { getAnalyzer } from '../analysis/analyzer.ts';
import { TokenScanner } from '../analysis/token-scanner.ts';
import type { IndexMapping } from '../mapping/index-mapping.ts';
import { VALUE_GAP } from '../postings/positions.ts';
import type { SegmentState } from '../segment/segment-state.ts';
import { readStoredDocument } from '../segment/stored-documents.ts';
import { checksum } from './checksum.ts';

/** Raised whenever analysis or mapping reads the same text in another way. */
const ANALYSIS_VERSION = 3;

/** Raised whenever postings and their bounds mean something else. */
const POSTINGS_LAYOUT = 3;

/** The layout before, whose postings mean the same except those of overlong texts. */
const LAYOUT_WITHOUT_LONG_TEXTS = 2;

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
 * Returns a fingerprint of all that the stored form depends on, in three parts: the layout of postings; labels;
 * analyzers, mapping, Unicode and ICU. Segments of another fingerprint must be built anew.
 */
export function indexFingerprint(mapping: IndexMapping): string {
  const simple = getAnalyzer('simple');
  const terms: string[] = [];
  for (const sample of SAMPLES) simple.analyze(sample, (term) => terms.push(term));
  const letters = YOUNG_LETTERS.map((codePoint) => /\p{L}/u.test(String.fromCodePoint(codePoint)));
  const analyzers = mapping.analyzers.map(({ name }) => name);
  const reading = digest([ANALYSIS_VERSION, analyzers, terms, letters, mapping.signature]);
  return [POSTINGS_LAYOUT, digest([mapping.defaultLabel ?? null]), reading].join('-');
}

/**
 * Returns true if segments of one fingerprint may answer until those of another are built: their layout means the same,
 * and so does who may see what. Yields where it may pause.
 */
export function* mayAnswerFor(
  fingerprint: string,
  wanted: string,
  states: readonly SegmentState[],
): Generator<void, boolean> {
  const [layout, labels] = fingerprint.split('-');
  const [wantedLayout, wantedLabels] = wanted.split('-');
  if (labels !== wantedLabels) return false;
  if (layout === wantedLayout) return true;
  return layout === String(LAYOUT_WITHOUT_LONG_TEXTS) && !(yield* holdsOverlongText(states));
}

function digest(parts: readonly unknown[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  return checksum(bytes).toString(16).padStart(8, '0');
}

/** Documents that are looked at between two chances to pause. */
const DOCUMENTS_PER_STEP = 4096;

/**
 * Returns true if segments of the layout before hold a text of so many words that its positions are wrong there: those
 * past the first 2^20 words of a value were one, and phrases reached from a value of nearly as many into the next. Only
 * documents of as many bytes are read. Yields where it may pause.
 */
function* holdsOverlongText(states: readonly SegmentState[]): Generator<void, boolean> {
  for (const { segment } of states) {
    const { stored, documentCount } = segment;
    for (let document = 0; document < documentCount; document++) {
      if (document % DOCUMENTS_PER_STEP === DOCUMENTS_PER_STEP - 1) yield;
      if (stored.offset[document + 1] - stored.offset[document] < VALUE_GAP) continue;
      if (hasOverlongText(readStoredDocument(stored, document))) return true;
      yield;
    }
  }
  return false;
}

function hasOverlongText(value: JsonValue): boolean {
  if (typeof value === 'string') return value.length >= VALUE_GAP && hasManyWords(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasOverlongText);
}

function hasManyWords(text: string): boolean {
  const scanner = new TokenScanner();
  scanner.open(text);
  for (let count = 0; scanner.next(); count++) if (count >= VALUE_GAP) return true;
  return false;
}
