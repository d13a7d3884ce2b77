import type { WildcardPart } from './query.ts';
import type { WordCharacter } from './scanner.ts';

/** The text of a word, escapes resolved. */
export function textOf(characters: readonly WordCharacter[]): string {
  return characters.map(({ text }) => text).join('');
}

export function isWild({ text, escaped }: WordCharacter): boolean {
  return !escaped && (text === '*' || text === '?');
}

export function isLone(characters: readonly WordCharacter[], text: string): boolean {
  return characters.length === 1 && characters[0].text === text && !characters[0].escaped;
}

export function toWildcardParts(characters: readonly WordCharacter[]): WildcardPart[] {
  const parts: WildcardPart[] = [];
  let text = '';
  for (const character of characters) {
    if (!isWild(character)) {
      text += character.text;
      continue;
    }
    if (text !== '') parts.push({ type: 'text', text });
    text = '';
    if (character.text === '?') parts.push({ type: 'one' });
    else if (parts.at(-1)?.type !== 'any') parts.push({ type: 'any' });
  }
  if (text !== '') parts.push({ type: 'text', text });
  return parts;
}
