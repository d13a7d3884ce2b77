import { PART, TokenScanner } from './token-scanner.ts';

/** Receives a surface form and its UTF-16 offsets in the text. */
export type TokenSink = (surface: string, start: number, end: number) => void;

/** Hands out every part of a text, without the wholes of compounds: see {@link TokenScanner}. Cost: O(length). */
export function tokenize(text: string, sink: TokenSink): void {
  const scanner = new TokenScanner();
  scanner.open(text);
  while (scanner.next())
    if (scanner.kind === PART) sink(text.slice(scanner.start, scanner.end), scanner.start, scanner.end);
}
