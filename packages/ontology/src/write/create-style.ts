import { CodedError, checkObject, checkText } from '@cairn/errors';
import { codePointOf, FONT_AWESOME_CLASSES, getFontAwesomeIcon } from '../icons/font-awesome.ts';
import { SHAPE_ALIASES } from '../style/shapes.ts';
import { DEFAULT_REMIX_ICON, DEFAULT_STYLES, MISSING_COLOURS, type Style, type ThemeColours } from '../style/style.ts';
import { validateStyle } from '../style/validate-style.ts';

/** Options of {@link createStyle}; everything may be left out. */
export interface StyleChoices {
  readonly dark?: Partial<ThemeColours>;
  readonly light?: Partial<ThemeColours>;
  readonly shape?: string;
  readonly borderRadius?: string;
  readonly borderWidth?: string;
  readonly selectedBorderWidth?: string;
  readonly size?: 'S' | 'M' | 'L';
  readonly riIcon?: string;
  /** Style class and icon class; `faUnicode` and `faClass` follow from it. */
  readonly faIcon?: string;
}

const LIGHT = { backgroundColor: '#1E3A5F', color: '#FFFFFF' };

/**
 * A whole style out of a few choices, with safe defaults for the rest. The code point and the style class of the Font
 * Awesome icon are looked up.
 * @throws `ERR_STYLE` (invalid) with the first finding that is an error.
 */
export function createStyle(choices: StyleChoices = {}): Style {
  checkObject(choices, 'the choices');
  if (choices.faIcon !== undefined) checkText(choices.faIcon, 'faIcon');
  const faIcon = choices.faIcon ?? 'fa-solid fa-circle';
  const style: Style = {
    defaultStyles: {
      dark: { ...MISSING_COLOURS, ...choices.dark },
      light: { ...LIGHT, ...choices.light },
      shape: choices.shape === undefined ? DEFAULT_STYLES.shape : (SHAPE_ALIASES.get(choices.shape) ?? choices.shape),
      borderRadius: choices.borderRadius ?? DEFAULT_STYLES.borderRadius,
      borderWidth: choices.borderWidth ?? DEFAULT_STYLES.borderWidth,
      selectedBorderWidth: choices.selectedBorderWidth ?? DEFAULT_STYLES.selectedBorderWidth,
      size: choices.size ?? DEFAULT_STYLES.size,
    },
    defaultIcons: { riIcon: choices.riIcon ?? DEFAULT_REMIX_ICON, faIcon, ...lookUp(faIcon) },
  };
  assertStyle(style);
  return style;
}

/** @throws `ERR_STYLE` (invalid) with the first finding that is an error. */
export function assertStyle(style: unknown): asserts style is Style {
  const error = validateStyle(style).find(({ severity }) => severity === 'error');
  if (error !== undefined) throw new CodedError({ code: 'ERR_STYLE', kind: 'invalid', message: error.message });
}

function lookUp(faIcon: string): { faUnicode: string; faClass: string } {
  const [styleClass = '', iconClass = ''] = faIcon.trim().split(/\s+/);
  const hex = getFontAwesomeIcon(iconClass.replace(/^fa-/, ''))?.codePoints[0];
  const faClass = FONT_AWESOME_CLASSES.has(styleClass) ? styleClass : 'fa-solid';
  return { faUnicode: hex === undefined || codePointOf(hex) === undefined ? '' : `\\u${hex}`, faClass };
}
