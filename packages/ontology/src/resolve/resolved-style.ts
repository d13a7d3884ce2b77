import { badArgument, checkObject } from '@cairn/errors';
import type { DefaultStyles, Theme, ThemeColours } from '../style/style.ts';

/** The style of a class as it is drawn: complete, whatever the class says about itself. */
export interface ResolvedStyle extends Required<DefaultStyles> {
  readonly classUri: string;
  /** The class whose style this is: the class itself, an ancestor, or `undefined` for the defaults. */
  readonly source: string | undefined;
  /** Up to three initials of the name. */
  readonly iconFallbackText: string;
  /** The name of the class for people, else its local name. */
  readonly alt: string;
  readonly riIcon: string | undefined;
  readonly faIcon: string | undefined;
  readonly faUnicode: string | undefined;
  readonly faClass: string | undefined;
}

/** The flat record that readers of styles know: one theme. */
export interface FlatStyle
  extends ThemeColours,
    Pick<ResolvedStyle, 'classUri' | 'iconFallbackText' | 'alt' | 'shape' | 'faUnicode' | 'faIcon'> {}

/** One theme of a resolved style as a flat record. */
export function toFlatStyle(style: ResolvedStyle, theme: Theme): FlatStyle {
  checkObject(style, 'the style');
  if (theme !== 'dark' && theme !== 'light') throw badArgument('the theme', 'dark or light', theme);
  const { classUri, iconFallbackText, alt, shape, faUnicode, faIcon } = style;
  return { classUri, ...style[theme], iconFallbackText, alt, shape, faUnicode, faIcon };
}
