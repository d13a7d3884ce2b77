import { FONT_AWESOME_TABLE } from './generated/tables.ts';

export type FontAwesomeStyle = 'solid' | 'regular' | 'brands';

export interface FontAwesomeIcon {
  /** Its present name, without the prefix `fa-`. */
  readonly name: string;
  /** Code points in lower-case hex, `f007`: the present one first, then those of earlier versions. */
  readonly codePoints: readonly string[];
  readonly styles: readonly FontAwesomeStyle[];
}

const STYLE_OF_LETTER: Readonly<Record<string, FontAwesomeStyle>> = { s: 'solid', r: 'regular', b: 'brands' };

/** Every class that selects a style, with the style: present names and those of versions 4 and 5. */
export const FONT_AWESOME_CLASSES: ReadonlyMap<string, FontAwesomeStyle> = new Map([
  ['fa-solid', 'solid'],
  ['fas', 'solid'],
  ['fa', 'solid'],
  ['fa-regular', 'regular'],
  ['far', 'regular'],
  ['fa-brands', 'brands'],
  ['fab', 'brands'],
]);

let icons: ReadonlyMap<string, FontAwesomeIcon> | undefined;

/** The icon of a name or alias without the prefix `fa-`, else `undefined`. The table is read at the first call. */
export function getFontAwesomeIcon(name: string): FontAwesomeIcon | undefined {
  icons ??= readTable();
  return icons.get(name);
}

function readTable(): ReadonlyMap<string, FontAwesomeIcon> {
  const table = new Map<string, FontAwesomeIcon>();
  for (const row of FONT_AWESOME_TABLE.split(' ')) {
    const [name = '', codePoints = '', letters = '', aliases] = row.split(':');
    const icon = {
      name,
      codePoints: codePoints.split(','),
      styles: [...letters].map((letter) => STYLE_OF_LETTER[letter]),
    };
    for (const key of [name, ...(aliases?.split(',') ?? [])]) table.set(key, icon);
  }
  return table;
}

/**
 * The code point, in lower-case hex, that a `faUnicode` value means: the character itself, or its escape as `\uf007`,
 * `\f007`, `&#xf007;` or `f007`. `undefined` for anything else.
 */
export function codePointOf(value: string): string | undefined {
  const [character, ...others] = value;
  const point = character?.codePointAt(0);
  if (point !== undefined && others.length === 0 && point > 0x7f) return point.toString(16);
  return /^(?:\\u\{?|\\|&#x|U\+)?([0-9a-f]{2,6})\}?;?$/i.exec(value)?.[1]?.toLowerCase().replace(/^0+/, '');
}
