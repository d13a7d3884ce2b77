import type { Configuration } from '../config/configuration.ts';

export type ParameterType = 'string' | 'integer' | 'boolean';

/** One parameter of an endpoint: all that checks, messages, OpenAPI and the HTTP reference say about it. */
export interface Parameter<Value> {
  /** The exact, case-sensitive name on the wire. */
  readonly name: string;
  readonly type: ParameterType;
  readonly description: string;
  readonly required: boolean;
  /** True when the endpoint itself refuses its absence, in the words of its protocol. */
  readonly refusedByEndpoint?: boolean;
  /** True when it may be left out but not be blank. */
  readonly refusesBlank?: boolean;
  /** True when it may be given more than once. */
  readonly repeatable: boolean;
  /** True when one occurrence may hold several values with commas between them. */
  readonly commaSeparated: boolean;
  readonly fallback: Value;
  readonly minimum?: number;
  readonly maximum?: number;
  /** The allowed values, in lower case; compared without regard to case. */
  readonly choices?: readonly string[];
  /** The name of the boolean parameter that says whether this one is base64. */
  readonly base64By?: string;
  readonly inPath: boolean;
  /** The values that a configuration allows, for the description; the endpoint itself refuses others. */
  readonly configured?: (configuration: Configuration) => readonly string[];
  readonly example?: string;
}

/** Parameters by the name that handlers use for them. */
export type ParameterTable = Readonly<Record<string, Parameter<unknown>>>;

export type ParameterValues<Table extends ParameterTable> = {
  readonly [Key in keyof Table]: Table[Key] extends Parameter<infer Value> ? Value : never;
};

/** The table whose values are these. */
export type ParametersOf<Values> = { readonly [Key in keyof Values]: Parameter<Values[Key]> };

type Facts = Pick<Parameter<unknown>, 'description' | 'base64By' | 'configured' | 'example'> & {
  readonly inPath?: boolean;
};

function parameter<Value>(
  name: string,
  type: ParameterType,
  fallback: Value,
  facts: Partial<Parameter<Value>> & Facts,
): Parameter<Value> {
  const usual = { required: false, repeatable: false, commaSeparated: false, inPath: false };
  return { name, type, fallback, ...usual, ...facts };
}

/** A text that must be given and not be blank. */
export function requiredText(name: string, facts: Facts): Parameter<string> {
  return parameter(name, 'string', '', { ...facts, required: true });
}

/** A text that must be given; the endpoint itself refuses its absence, in the words of its protocol. */
export function protocolText(name: string, facts: Facts): Parameter<string | undefined> {
  return parameter<string | undefined>(name, 'string', undefined, {
    ...facts,
    required: true,
    refusedByEndpoint: true,
  });
}

/** A text; blank counts as not given. */
export function optionalText(name: string, facts: Facts): Parameter<string | undefined> {
  return parameter<string | undefined>(name, 'string', undefined, facts);
}

/** A text that may be left out, but not be blank. */
export function statedText(name: string, facts: Facts): Parameter<string | undefined> {
  return parameter<string | undefined>(name, 'string', undefined, { ...facts, refusesBlank: true });
}

/** Texts, one per occurrence, and with `commaSeparated` several in one. Empty when none is given. */
export function texts(
  name: string,
  facts: Facts & { readonly required?: boolean; readonly commaSeparated?: boolean },
): Parameter<readonly string[]> {
  return parameter<readonly string[]>(name, 'string', [], { ...facts, repeatable: true });
}

/** A whole number between bounds, both inclusive. */
export function integer(
  name: string,
  facts: Facts & { readonly minimum: number; readonly maximum: number; readonly fallback: number },
): Parameter<number> {
  return parameter(name, 'integer', facts.fallback, facts);
}

/** `true` or `false`; false when not given. */
export function flag(name: string, facts: Facts): Parameter<boolean> {
  return parameter(name, 'boolean', false, facts);
}

/** One of a few words, compared without regard to case. */
export function choice<Word extends string>(
  name: string,
  facts: Facts & { readonly choices: readonly Word[]; readonly fallback: NoInfer<Word> },
): Parameter<Word> {
  return parameter<Word>(name, 'string', facts.fallback, facts);
}
