import { checkObject } from '@cairn/errors';
import type { Finding } from '../finding/finding.ts';
import { codePointOf, FONT_AWESOME_CLASSES, getFontAwesomeIcon } from '../icons/font-awesome.ts';
import { contrastOf, MIN_CONTRAST } from './contrast.ts';
import { FIELD_KINDS, type FieldKind, STYLE_FIELDS, type StyleField } from './kinds.ts';

type Json = Readonly<Record<string, unknown>>;

/** Findings about one style carry this subject. */
export interface StyleContext {
  /** The class it belongs to. Default empty. */
  readonly subject?: string;
  readonly line?: number | undefined;
}

/**
 * Returns what is wrong or doubtful about a style, given as parsed JSON. No finding of severity `error` means that the
 * value is a {@link Style}. Never throws. Cost: O(fields).
 */
export function validateStyle(value: unknown, context: StyleContext = {}): Finding[] {
  checkObject(context, 'the context');
  const found: Omit<Finding, 'subject' | 'line'>[] = [];
  if (!isObject(value)) {
    found.push({ rule: 'style-json', severity: 'error', message: `a style is a JSON object; got ${shown(value)}` });
  } else {
    for (const field of STYLE_FIELDS) found.push(...checkField(value, field));
    found.push(...checkUnknownFields(value), ...checkAgreement(value), ...checkContrast(value));
  }
  return found.map((finding) => ({ ...finding, subject: context.subject ?? '', line: context.line }));
}

function checkField(style: Json, { path, kind, required }: StyleField): Omit<Finding, 'subject'>[] {
  const { rule, expected, accepts, correct, isUnderstood }: FieldKind = FIELD_KINDS[kind];
  const value = valueAt(style, path);
  const name = path.join('.');
  if (value === undefined) {
    const message = `${name} is missing; expected ${expected}`;
    return required ? [{ rule: 'style-required', severity: 'error', path: name, message }] : [];
  }
  if (typeof value === 'string' && accepts(value)) return [];
  const correction = typeof value === 'string' ? correct?.(value) : undefined;
  const advice = correction === undefined ? '' : `; write ${correction}`;
  const message = `${name} is ${shown(value)}; expected ${expected}${advice}`;
  const severity = correction !== undefined && isUnderstood === true ? 'warning' : 'error';
  return [{ rule, severity, path: name, message, correction }];
}

/** Every path that leads to a field, or to an object on the way. */
const KNOWN_PATHS: ReadonlySet<string> = new Set(
  STYLE_FIELDS.flatMap(({ path }) => path.map((_, i) => path.slice(0, i + 1).join('.'))),
);

/** Keys that mean nothing are most often misspelt ones. */
function checkUnknownFields(style: Json): Omit<Finding, 'subject'>[] {
  const found: Omit<Finding, 'subject'>[] = [];
  const visit = (object: Json, prefix: string): void => {
    for (const [key, value] of Object.entries(object)) {
      const path = prefix === '' ? key : `${prefix}.${key}`;
      if (!KNOWN_PATHS.has(path)) {
        const message = `${path} is no field of a style`;
        found.push({ rule: 'style-unknown-field', severity: 'warning', path, message });
      } else if (isObject(value)) visit(value, path);
    }
  };
  visit(style, '');
  return found;
}

/** `faIcon`, `faUnicode` and `faClass` speak of the same icon in the same style. */
function checkAgreement(style: Json): Omit<Finding, 'subject'>[] {
  const icon = valueAt(style, ['defaultIcons', 'faIcon']);
  const unicode = valueAt(style, ['defaultIcons', 'faUnicode']);
  const styleClass = valueAt(style, ['defaultIcons', 'faClass']);
  if (typeof icon !== 'string' || !FIELD_KINDS.faIcon.accepts(icon)) return [];
  const [iconStyle = '', iconName = ''] = icon.trim().split(/\s+/);
  const codePoints = getFontAwesomeIcon(iconName.slice(3))?.codePoints ?? [];
  const meant = typeof unicode === 'string' ? codePointOf(unicode) : undefined;
  const found: Omit<Finding, 'subject'>[] = [];
  if (meant !== undefined && !codePoints.includes(meant)) {
    const message = `defaultIcons.faUnicode is ${shown(unicode)}; ${icon} is \\u${codePoints[0]}`;
    const path = 'defaultIcons.faUnicode';
    found.push({ rule: 'style-icon-agreement', severity: 'error', path, message, correction: `\\u${codePoints[0]}` });
  }
  const named = typeof styleClass === 'string' ? FONT_AWESOME_CLASSES.get(styleClass) : undefined;
  if (named !== undefined && named !== FONT_AWESOME_CLASSES.get(iconStyle)) {
    const message = `defaultIcons.faClass is ${shown(styleClass)}; faIcon has ${iconStyle}`;
    const path = 'defaultIcons.faClass';
    found.push({ rule: 'style-icon-agreement', severity: 'error', path, message, correction: iconStyle });
  }
  return found;
}

function checkContrast(style: Json): Omit<Finding, 'subject'>[] {
  return ['dark', 'light'].flatMap((theme): Omit<Finding, 'subject'>[] => {
    const background = valueAt(style, ['defaultStyles', theme, 'backgroundColor']);
    const colour = valueAt(style, ['defaultStyles', theme, 'color']);
    if (typeof background !== 'string' || typeof colour !== 'string') return [];
    const contrast = contrastOf(background, colour);
    if (contrast === undefined || contrast >= MIN_CONTRAST) return [];
    const message = `defaultStyles.${theme}: ${colour} on ${background} has a contrast of ${contrast.toFixed(2)}:1; expected at least ${MIN_CONTRAST}:1`;
    return [{ rule: 'style-contrast', severity: 'warning', path: `defaultStyles.${theme}.color`, message }];
  });
}

/** The value at a path; `undefined` where something on the way is no object. Own keys only. */
export function valueAt(object: Json, path: readonly string[]): unknown {
  let value: unknown = object;
  for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const MAX_SHOWN = 60;

/** How deep a value is looked into: what is deeper exhausts the stack of whoever writes it. */
const MAX_SHOWN_DEPTH = 8;

function shown(value: unknown): string {
  const text = JSON.stringify(cutBelow(value, MAX_SHOWN_DEPTH)) ?? String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

function cutBelow(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '...';
  if (Array.isArray(value)) return value.slice(0, MAX_SHOWN).map((item) => cutBelow(item, depth - 1));
  const entries = Object.entries(value).slice(0, MAX_SHOWN);
  return Object.fromEntries(entries.map(([key, item]) => [key, cutBelow(item, depth - 1)]));
}
