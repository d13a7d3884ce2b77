import { LENGTH_OF_BYTE } from '../postings/length-norm.ts';

/** How soon further occurrences of a term stop to matter. */
export const K1 = 1.2;
/** How much length matters, 0 to 1. */
export const B = 0.75;

/** Inverse document frequency: of `documentCount` visible documents, `documentFrequency` have the term. */
export function inverseDocumentFrequency(documentCount: number, documentFrequency: number): number {
  return Math.log(1 + (documentCount - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/** For each length byte what a term frequency is weighed against. */
export function saturationByLength(averageLength: number): Float64Array {
  return LENGTH_OF_BYTE.map((length) => K1 * (1 - B + B * (averageLength > 0 ? length / averageLength : 1)));
}

/**
 * BM25 of one term. Each step is monotone in `frequency` and `saturation` also after rounding: a larger frequency
 * against a smaller saturation is never below, so bounds hold exactly.
 */
export function termScore(weight: number, frequency: number, saturation: number): number {
  return weight / (1 + saturation / frequency);
}
