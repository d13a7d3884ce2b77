import { checkObject } from '@cairn/errors';
import { codePointOf, getFontAwesomeIcon } from '../icons/font-awesome.ts';
import { SHAPE_ALIASES } from './shapes.ts';
import { DEFAULT_REMIX_ICON, DEFAULT_STYLES, type DefaultIcons, type DefaultStyles, type Style } from './style.ts';

/** The older short record: one object with the two themes, the shape and one icon. */
export type LegacyStyle = Pick<DefaultStyles, 'dark' | 'light' | 'shape'> & Omit<DefaultIcons, 'riIcon'>;

/** Returns true if a value is the older short record: its own `dark` or `light` and no `defaultStyles`. */
export function isLegacyStyle(value: unknown): value is LegacyStyle {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return !Object.hasOwn(value, 'defaultStyles') && (Object.hasOwn(value, 'dark') || Object.hasOwn(value, 'light'));
}

/**
 * The style that a short record means. Shape aliases are replaced; border widths, radius and the Remix icon, which the
 * record does not have, are the defaults. What is wrong in the record stays wrong: {@link validateStyle} says so.
 */
export function upgradeStyle(legacy: LegacyStyle): Style {
  checkObject(legacy, 'the style');
  const { dark, light, shape, faIcon, faUnicode, faClass } = legacy;
  const { borderRadius, borderWidth, selectedBorderWidth } = DEFAULT_STYLES;
  return {
    defaultStyles: {
      dark,
      light,
      shape: SHAPE_ALIASES.get(shape) ?? shape,
      borderRadius,
      borderWidth,
      selectedBorderWidth,
    },
    defaultIcons: {
      riIcon: DEFAULT_REMIX_ICON,
      faIcon: withStyleClass(faIcon, faClass),
      faUnicode: withEscape(faUnicode, faIcon),
      faClass,
    },
  };
}

/** Short records often hold the icon class alone. */
function withStyleClass(faIcon: unknown, faClass: unknown): string {
  const isBare = typeof faIcon === 'string' && typeof faClass === 'string' && !/\s/.test(faIcon.trim());
  return isBare ? `${faClass} ${faIcon}` : (faIcon as string);
}

function withEscape(faUnicode: unknown, faIcon: unknown): string {
  if (typeof faUnicode === 'string' && codePointOf(faUnicode) !== undefined) return faUnicode;
  const name = typeof faIcon === 'string' ? faIcon.trim().replace(/^.*\s/s, '').replace(/^fa-/, '') : '';
  const icon = getFontAwesomeIcon(name);
  return faUnicode === undefined && icon !== undefined ? `\\u${icon.codePoints[0]}` : (faUnicode as string);
}
