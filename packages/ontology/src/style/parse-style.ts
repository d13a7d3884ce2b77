import { checkObject, checkText } from '@cairn/errors';
import { type Finding, hasSeverity } from '../finding/finding.ts';
import { SHAPE_ALIASES, SHAPES } from './shapes.ts';
import type { Style } from './style.ts';
import { isLegacyStyle, upgradeStyle } from './upgrade-style.ts';
import { type StyleContext, validateStyle } from './validate-style.ts';

/** Result of parsing a style literal. */
export interface ParsedStyle {
  /** The style, when no finding is an error. */
  readonly style: Style | undefined;
  readonly findings: readonly Finding[];
}

/** Longest literal that is read, in UTF-16 code units. */
export const MAX_STYLE_LENGTH = 65_536;

/** Reads a style: plain or percent-encoded JSON, or the older short record, upgraded with a note. Never throws. */
export function parseStyle(literal: string, context: StyleContext = {}): ParsedStyle {
  checkText(literal, 'the literal');
  checkObject(context, 'the context');
  const { subject = '', line } = context;
  const fault = (message: string): ParsedStyle => ({
    style: undefined,
    findings: [{ rule: 'style-json', severity: 'error', subject, line, message }],
  });
  if (literal.length > MAX_STYLE_LENGTH) {
    return fault(`a style has at most ${MAX_STYLE_LENGTH} characters; got ${literal.length}`);
  }
  const json = parseJson(literal) ?? parseJson(percentDecoded(literal));
  if (json === undefined) return fault('the literal is neither JSON nor percent-encoded JSON; expected a style object');
  if (!isLegacyStyle(json.value)) return checked(json.value, context, []);
  const message =
    'the style is the older short record {dark, light, shape, faIcon, faUnicode, faClass}; it was upgraded';
  const note: Finding = { rule: 'style-short-record', severity: 'note', subject, line, message };
  return checked(upgradeStyle(json.value), context, [note]);
}

function checked(value: unknown, context: StyleContext, before: readonly Finding[]): ParsedStyle {
  const findings = [...before, ...validateStyle(value, context)];
  return { style: hasSeverity(findings, 'error') ? undefined : withKnownShape(value as Style), findings };
}

function withKnownShape(style: Style): Style {
  const shape = SHAPE_ALIASES.get(style.defaultStyles.shape.toLowerCase());
  if (shape === undefined || SHAPES.has(style.defaultStyles.shape)) return style;
  return { ...style, defaultStyles: { ...style.defaultStyles, shape } };
}

function parseJson(text: string | undefined): { readonly value: unknown } | undefined {
  if (text === undefined) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
