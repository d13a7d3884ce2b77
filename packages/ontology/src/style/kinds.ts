import { codePointOf, FONT_AWESOME_CLASSES, getFontAwesomeIcon } from '../icons/font-awesome.ts';
import { isRemixIcon } from '../icons/remix.ts';
import { SHAPE_ALIASES, SHAPES } from './shapes.ts';

export interface FieldKind {
  /** Name of the rule that findings carry. */
  readonly rule: string;
  /** In words, for messages. */
  readonly expected: string;
  /** The form as JSON Schema. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly accepts: (value: string) => boolean;
  /** Suggested replacement, where one is known. */
  readonly correct?: (value: string) => string | undefined;
  /** Readers take the correction for what was meant, so it is a warning. Default false: an error. */
  readonly isUnderstood?: boolean;
}

const COLOUR = '^#(?:[0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$';
const LENGTH = '^(?:\\d+(?:\\.\\d+)?|\\.\\d+)(?:px|em|rem|%|pt|pc|in|cm|mm|Q|ex|ch|vh|vw|vmin|vmax)$';
const TEXT = { type: 'string', minLength: 1 };

function matching(pattern: string): (value: string) => boolean {
  const compiled = new RegExp(pattern);
  return (value) => compiled.test(value);
}

/** The two classes of a Font Awesome icon, when both exist and the icon is free in that style. */
function isFreeIcon(value: string): boolean {
  const [styleClass = '', iconClass = '', ...others] = value.trim().split(/\s+/);
  const style = FONT_AWESOME_CLASSES.get(styleClass);
  if (style === undefined || !iconClass.startsWith('fa-') || others.length > 0) return false;
  return getFontAwesomeIcon(iconClass.slice(3))?.styles.includes(style) ?? false;
}

/** `fa-user fa-solid` and a bare `fa-user` are what authors write by mistake. */
function correctIcon(value: string): string | undefined {
  const words = value.trim().split(/\s+/);
  const iconClass = words.find((word) => word.startsWith('fa-') && !FONT_AWESOME_CLASSES.has(word));
  const icon = iconClass === undefined ? undefined : getFontAwesomeIcon(iconClass.slice(3));
  return icon?.styles[0] === undefined ? undefined : `fa-${icon.styles[0]} fa-${icon.name}`;
}

export type FieldKindName = 'colour' | 'length' | 'shape' | 'riIcon' | 'faIcon' | 'faUnicode' | 'faClass' | 'size';

export const FIELD_KINDS: Readonly<Record<FieldKindName, FieldKind>> = {
  colour: {
    rule: 'style-colour',
    expected: 'a hex colour such as #1A2B3C',
    schema: { type: 'string', pattern: COLOUR },
    accepts: matching(COLOUR),
    correct: (value) => (matching(COLOUR)(`#${value}`) ? `#${value}` : undefined),
  },
  length: {
    rule: 'style-length',
    expected: 'a length with a unit such as 2px',
    schema: { type: 'string', pattern: LENGTH },
    accepts: matching(LENGTH),
    correct: (value) => (/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(value) ? `${value}px` : undefined),
  },
  shape: {
    rule: 'style-shape',
    expected: 'a shape of the Cytoscape vocabulary such as ellipse, diamond or roundrectangle',
    schema: { enum: [...SHAPES] },
    accepts: (value) => SHAPES.has(value),
    correct: (value) => SHAPE_ALIASES.get(value.toLowerCase()),
    isUnderstood: true,
  },
  riIcon: {
    rule: 'style-remix-icon',
    expected: 'a class of Remix Icon 4.6 such as ri-user-line',
    schema: TEXT,
    accepts: isRemixIcon,
    correct: (value) => (isRemixIcon(`ri-${value}`) ? `ri-${value}` : undefined),
  },
  faIcon: {
    rule: 'style-font-awesome-icon',
    expected: 'the style class and the icon class of a free Font Awesome icon such as fa-solid fa-user',
    schema: TEXT,
    accepts: isFreeIcon,
    correct: correctIcon,
  },
  faUnicode: {
    rule: 'style-font-awesome-unicode',
    expected: 'the unicode escape of a Font Awesome icon such as \\uf007',
    schema: TEXT,
    accepts: (value) => codePointOf(value) !== undefined,
  },
  faClass: {
    rule: 'style-font-awesome-class',
    expected: `one of ${[...FONT_AWESOME_CLASSES.keys()].join(', ')}`,
    schema: { enum: [...FONT_AWESOME_CLASSES.keys()] },
    accepts: (value) => FONT_AWESOME_CLASSES.has(value),
  },
  size: {
    rule: 'style-size',
    expected: 'one of S, M, L',
    schema: { enum: ['S', 'M', 'L'] },
    accepts: (value) => value === 'S' || value === 'M' || value === 'L',
    correct: (value) => (/^[sml]$/.test(value) ? value.toUpperCase() : undefined),
  },
};

export interface StyleField {
  /** Keys from the outermost object. */
  readonly path: readonly string[];
  readonly kind: FieldKindName;
  readonly required: boolean;
}

/** Every field, in the order in which findings are reported. */
export const STYLE_FIELDS: readonly StyleField[] = [
  { path: ['defaultStyles', 'dark', 'backgroundColor'], kind: 'colour', required: true },
  { path: ['defaultStyles', 'dark', 'color'], kind: 'colour', required: true },
  { path: ['defaultStyles', 'light', 'backgroundColor'], kind: 'colour', required: true },
  { path: ['defaultStyles', 'light', 'color'], kind: 'colour', required: true },
  { path: ['defaultStyles', 'shape'], kind: 'shape', required: true },
  { path: ['defaultStyles', 'borderRadius'], kind: 'length', required: true },
  { path: ['defaultStyles', 'borderWidth'], kind: 'length', required: true },
  { path: ['defaultStyles', 'selectedBorderWidth'], kind: 'length', required: true },
  { path: ['defaultStyles', 'size'], kind: 'size', required: false },
  { path: ['defaultIcons', 'riIcon'], kind: 'riIcon', required: true },
  { path: ['defaultIcons', 'faIcon'], kind: 'faIcon', required: true },
  { path: ['defaultIcons', 'faUnicode'], kind: 'faUnicode', required: true },
  { path: ['defaultIcons', 'faClass'], kind: 'faClass', required: true },
  { path: ['size'], kind: 'size', required: false },
];
