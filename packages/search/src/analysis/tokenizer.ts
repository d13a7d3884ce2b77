import { TokenScanner } from './token-scanner.ts';

/** Receives a surface form and its UTF-16 offsets in the text. */
export type TokenSink = (surface: string, start: number, end: number) => void;

/** Hands out every surface form of a text: see {@link TokenScanner}. Cost: O(length). */
export function tokenize(text: string, sink: TokenSink): void {
  const scanner = new TokenScanner();
  scanner.open(text);
  while (scanner.next()) sink(text.slice(scanner.start, scanner.end), scanner.start, scanner.end);
}
