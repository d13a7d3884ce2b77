/** The colours of one theme, as hex: `#1A2B3C`. */
export interface ThemeColours {
  /** Inside of the node. */
  readonly backgroundColor: string;
  /** Icon and outline of the node. */
  readonly color: string;
}

/** How a node is drawn. */
export interface DefaultStyles {
  readonly dark: ThemeColours;
  readonly light: ThemeColours;
  /** One of {@link SHAPES}. */
  readonly shape: string;
  /** A length with a unit: `9999px`. */
  readonly borderRadius: string;
  readonly borderWidth: string;
  readonly selectedBorderWidth: string;
  /** Size of the node; also found at the top level. */
  readonly size?: 'S' | 'M' | 'L';
}

/** The icon of a node, once per icon set. */
export interface DefaultIcons {
  /** A class of Remix Icon: `ri-user-line`. */
  readonly riIcon: string;
  /** Style class and icon class of Font Awesome Free: `fa-solid fa-user`. */
  readonly faIcon: string;
  /** The icon's character, or its escape: `\uf007`. */
  readonly faUnicode: string;
  /** The style class alone: `fa-solid`. */
  readonly faClass: string;
}

/** The style of a class: the JSON in the literal of its style predicate. */
export interface Style {
  readonly defaultStyles: DefaultStyles;
  readonly defaultIcons: DefaultIcons;
  readonly size?: 'S' | 'M' | 'L';
}

/** Colours of a node that has none. */
export const MISSING_COLOURS: ThemeColours = Object.freeze({ backgroundColor: '#121212', color: '#DDDDDD' });

// Unspecified: the shape, size and borders of a class without a style.
export const DEFAULT_STYLES = {
  shape: 'ellipse',
  size: 'M',
  borderRadius: '9999px',
  borderWidth: '2px',
  selectedBorderWidth: '3px',
} as const;

export const DEFAULT_REMIX_ICON = 'ri-checkbox-blank-circle-line';

/** The two themes. */
export type Theme = 'dark' | 'light';
