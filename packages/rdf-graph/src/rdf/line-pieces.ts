import { rdfTooLarge } from './syntax-error.ts';

export interface LinePieces {
  /** The whole lines so far that were not given yet; the rest is kept for the next call. @throws ERR_RDF_TOO_LARGE */
  push(text: string): string;
  finish(): string;
}

/** Gives whole lines of a text that comes in pieces. `maxLineUnits`: what one may have in UTF-16 units. */
export function createLinePieces(maxLineUnits: number = Number.POSITIVE_INFINITY): LinePieces {
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
      const end = text.lastIndexOf('\n') + 1;
      const ready = end === 0 ? '' : take() + text.slice(0, end);
      kept.push(text.slice(end));
      keptUnits += text.length - end;
      if (keptUnits > maxLineUnits) throw rdfTooLarge('a line in UTF-16 units', maxLineUnits);
      return ready;
    },
    finish: take,
  };
}
