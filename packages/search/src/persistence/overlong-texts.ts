import type { JsonValue } from '@cairn/security';
import { TokenScanner } from '../analysis/token-scanner.ts';
import { VALUE_GAP } from '../postings/positions.ts';
import type { SegmentState } from '../segment/segment-state.ts';
import { readStoredDocument } from '../segment/stored-documents.ts';

/** Documents that are looked at between two chances to pause. */
const DOCUMENTS_PER_STEP = 4096;

/**
 * Returns true if segments of the layout before hold a text of so many words that its positions are wrong there: those
 * past the first 2^20 words of a value were one, and phrases reached from a value of nearly as many into the next. Only
 * documents of as many bytes are read. Yields where it may pause.
 */
export function* holdsOverlongText(states: readonly SegmentState[]): Generator<void, boolean> {
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
