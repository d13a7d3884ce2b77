import { rdfTooLarge } from './syntax-error.ts';

/** Cuts a text that comes in pieces anew. */
export interface Pieces {
  /** The text up to the last cut that was not given yet; the rest is kept for the next call. @throws ERR_RDF_TOO_LARGE */
  push(text: string): string;
  finish(): string;
}

/** Gives whole lines of a text that comes in pieces. `maxLineUnits`: what one may have in UTF-16 units. */
export function createLinePieces(maxLineUnits: number): Pieces {
  return createPieces((text) => text.lastIndexOf('\n') + 1, maxLineUnits, 'a line');
}

/**
 * @param findCut Says where a text can be cut last, 0 for nowhere; so many units before it are kept.
 * @param maxUnits What may be kept, in UTF-16 units.
 */
export function createPieces(
  findCut: (text: string, keptUnits: number) => number,
  maxUnits: number,
  what: string,
): Pieces {
  let kept: string[] = [];
  let keptUnits = 0;
  const take = (): string => {
    const text = kept.join('');
    kept = [];
    keptUnits = 0;
    return text;
  };
  return {
    push(text) {
      const cut = findCut(text, keptUnits);
      const ready = cut === 0 ? '' : take() + text.slice(0, cut);
      kept.push(text.slice(cut));
      keptUnits += text.length - cut;
      if (keptUnits > maxUnits) throw rdfTooLarge(`${what} in UTF-16 units`, maxUnits);
      return ready;
    },
    finish: take,
  };
}

export function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
