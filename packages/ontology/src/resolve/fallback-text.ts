import { checkText } from '@cairn/errors';

const WORD = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu;

/** Up to three initials of a name, for where no icon is shown: `IDontExist` gives `IDE`. Empty for a name without words. */
export function toFallbackText(name: string): string {
  checkText(name, 'the name');
  const words = name.match(WORD) ?? [];
  return words
    .slice(0, 3)
    .map((word) => [...word][0].toUpperCase())
    .join('');
}

/** The name after the namespace of an IRI; the whole IRI when nothing follows it. */
export function localNameOf(iri: string): string {
  checkText(iri, 'the IRI');
  const end = Math.max(iri.lastIndexOf('/'), iri.lastIndexOf('#'));
  const name = iri.slice(end + 1);
  if (name === '') return iri;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
