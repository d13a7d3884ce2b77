import { CodedError } from '@cairn/errors';
import { formatText } from '../label/format.ts';
import { parseLabel } from '../label/parse.ts';
import { invalidJson, isJsonObject } from '../viewer/json.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Parts of a label, whichever model they came from. */
interface Policy {
  readonly classification: string;
  readonly organisations: readonly string[];
  readonly nationalities: readonly string[];
  readonly allGroups: readonly string[];
  readonly anyGroups: readonly string[];
}

const LONE_SURROGATE = /\p{Cs}/u;
const IDH_CLASSIFICATIONS: readonly string[] = ['O', 'OS', 'S', 'TS'];

/**
 * Returns the security label of a Policy-Information header: EDH
 * (`{EDH: {classification, permittedOrgs, permittedNats, andGroups, orGroups}}`) or IDH
 * (`{access: {classification, allowedOrgs, allowedNats, groups}, ...}`), as JSON text or parsed.
 *
 * The label has this form, leaving out parts with an empty list:
 * `(classification=O&(permitted_organisations=A|permitted_organisations=B)&(permitted_nationalities=GBR)&g1:and&(g2:or|g3:or))`.
 * A group without the ending `:and` or `:or` gets one; the groups of IDH are `and` unless they end in `:or`.
 *
 * Throws `ERR_POLICY_INFORMATION` (invalid) that names the field and what was expected, and `ERR_LABEL_TOO_LARGE` when
 * the label would be too long.
 */
export function labelFromPolicyInformation(value: unknown): string {
  const label = format(toPolicy(typeof value === 'string' ? parseJson(value) : value));
  parseLabel(label);
  return label;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid('Policy-Information must be JSON', cause);
  }
}

function toPolicy(json: unknown): Policy {
  if (!isJsonObject(json)) throw invalidJson(CODE, 'Policy-Information', 'an object', json);
  if (Object.hasOwn(json, 'EDH')) return fromEdh(objectAt(json, 'EDH', 'EDH'));
  if (Object.hasOwn(json, 'IDH')) return fromIdh(objectAt(json, 'IDH', 'IDH'), 'IDH.');
  if (Object.hasOwn(json, 'access')) return fromIdh(json, '');
  throw invalid('Policy-Information must hold EDH or access; it holds neither');
}

const CODE = 'ERR_POLICY_INFORMATION';

function fromEdh(edh: JsonObject): Policy {
  const list = (name: string): string[] => (edh[name] === undefined ? [] : texts(edh[name], `EDH.${name}`));
  return {
    classification: text(edh['classification'], 'EDH.classification'),
    organisations: list('permittedOrgs'),
    nationalities: list('permittedNats'),
    allGroups: list('andGroups').map((group) => ending(group, ':and')),
    anyGroups: list('orGroups').map((group) => ending(group, ':or')),
  };
}

function fromIdh(idh: JsonObject, prefix: string): Policy {
  const place = `${prefix}access`;
  const access = objectAt(idh, 'access', place);
  const groups = texts(access['groups'], `${place}.groups`);
  return {
    classification: idhClassification(access['classification'], `${place}.classification`),
    organisations: texts(access['allowedOrgs'], `${place}.allowedOrgs`),
    nationalities: texts(access['allowedNats'], `${place}.allowedNats`),
    allGroups: groups.filter((group) => !group.endsWith(':or')).map((group) => ending(group, ':and')),
    anyGroups: groups.filter((group) => group.endsWith(':or')),
  };
}

function idhClassification(value: unknown, place: string): string {
  const classification = text(value, place);
  if (IDH_CLASSIFICATIONS.includes(classification)) return classification;
  const shown = JSON.stringify(classification.slice(0, 40));
  throw invalid(`${place} must be one of ${IDH_CLASSIFICATIONS.join(', ')}; got ${shown}`);
}

function objectAt(parent: JsonObject, name: string, place: string): JsonObject {
  const value = parent[name];
  if (!isJsonObject(value)) throw invalidJson(CODE, place, 'an object', value);
  return value;
}

function texts(value: unknown, place: string): string[] {
  if (!Array.isArray(value)) throw invalidJson(CODE, place, 'a list of strings', value);
  return value.map((item, index) => text(item, `${place}[${index}]`));
}

function text(value: unknown, place: string): string {
  if (typeof value !== 'string') throw invalidJson(CODE, place, 'a non-empty string', value);
  if (value === '') throw invalid(`${place} must be a non-empty string; got ""`);
  if (LONE_SURROGATE.test(value)) throw invalid(`${place} must be Unicode text; it holds half of a surrogate pair`);
  return value;
}

function ending(group: string, suffix: string): string {
  return group.endsWith(suffix) ? group : `${group}${suffix}`;
}

function format(policy: Policy): string {
  const parts = [
    `classification=${formatText(policy.classification)}`,
    ...anyOfValues('permitted_organisations', policy.organisations),
    ...anyOfValues('permitted_nationalities', policy.nationalities),
    ...policy.allGroups.map(formatText),
    ...alternatives(policy.anyGroups.map(formatText)),
  ];
  return `(${parts.join('&')})`;
}

function anyOfValues(attribute: string, values: readonly string[]): string[] {
  return alternatives(values.map((value) => `${attribute}=${formatText(value)}`));
}

function alternatives(parts: readonly string[]): string[] {
  return parts.length === 0 ? [] : [`(${parts.join('|')})`];
}

function invalid(message: string, cause?: unknown): CodedError {
  return new CodedError({ code: CODE, kind: 'invalid', message, cause });
}
