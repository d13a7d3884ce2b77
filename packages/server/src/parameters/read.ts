import { CodedError } from '@cairn/errors';
import { decodeBase64 } from './base64.ts';
import type { Parameter, ParameterTable, ParameterValues } from './parameter.ts';

/** The values that were sent, by wire name. */
export type SentValues = ReadonlyMap<string, readonly string[]>;

/** Where the parameters came from, for messages: `GET /documents: query parameter`. */
export interface ParameterSource {
  readonly endpoint: string;
  readonly kind: 'query' | 'form';
  /** True when a name that the table lacks is ignored rather than refused. */
  readonly ignoreUnknown: boolean;
}

const MAX_SHOWN_LENGTH = 100;

/**
 * Reads and checks every parameter of a table.
 * @throws `ERR_PARAMETER` (invalid) for one fault, `ERR_PARAMETERS` (invalid) for several; each fault names the
 *   parameter, the value and the bound.
 */
export function readParameters<Table extends ParameterTable>(
  table: Table,
  sent: SentValues,
  source: ParameterSource,
): ParameterValues<Table> {
  const faults: string[] = [];
  const { entries, names, fallbacks } = indexOf(table);
  // Copied at once: of the forty parameters of a search most requests send two.
  const values: Record<string, unknown> = { ...fallbacks };
  for (const [key, parameter] of entries) {
    const given = sent.get(parameter.name);
    if (given === undefined && isOptional(parameter)) continue;
    const isBase64 = parameter.base64By !== undefined && /^true$/i.test(sent.get(parameter.base64By)?.[0] ?? '');
    const report = (fault: string): void => void faults.push(`${kindOf(parameter, source)} ${parameter.name} ${fault}`);
    values[key] = readOne(parameter, given ?? [], isBase64, report);
  }
  if (!source.ignoreUnknown) for (const fault of unknownNames(sent, names, source)) faults.push(fault);
  if (faults.length > 0) throw parameterError(faults, source);
  return values as ParameterValues<Table>;
}

interface TableIndex {
  readonly entries: readonly (readonly [key: string, parameter: Parameter<unknown>])[];
  readonly names: ReadonlySet<string>;
  readonly fallbacks: Readonly<Record<string, unknown>>;
}

const indices = new WeakMap<ParameterTable, TableIndex>();

/** A table in the form in which it is read; made once. */
function indexOf(table: ParameterTable): TableIndex {
  let index = indices.get(table);
  if (index === undefined) {
    const entries = Object.entries(table);
    const fallbacks = Object.fromEntries(entries.map(([key, { fallback }]) => [key, fallback]));
    index = { entries, names: new Set(entries.map(([, { name }]) => name)), fallbacks };
    indices.set(table, index);
  }
  return index;
}

/** A fault of one parameter that only the endpoint can see, in the words of the table's own. */
export function parameterFault(source: ParameterSource, name: string, fault: string): CodedError {
  return parameterError([`${source.kind} parameter ${name} ${fault}`], source);
}

function parameterError(faults: readonly string[], source: ParameterSource): CodedError {
  const code = faults.length === 1 ? 'ERR_PARAMETER' : 'ERR_PARAMETERS';
  return new CodedError({ code, kind: 'invalid', message: `${source.endpoint}: ${faults.join('; ')}` });
}

function kindOf(parameter: Parameter<unknown>, source: ParameterSource): string {
  return parameter.inPath ? 'path parameter' : `${source.kind} parameter`;
}

function readOne(
  parameter: Parameter<unknown>,
  sent: readonly string[],
  isBase64: boolean,
  report: (fault: string) => void,
): unknown {
  if (sent.length > 1 && !parameter.repeatable) report(`must be given once; got ${sent.length}`);
  const split = parameter.commaSeparated && !isBase64 ? sent.flatMap((value) => value.split(',')) : sent;
  const given = split.filter((value) => value.trim() !== '');
  if (given.length === 0) {
    if (!isOptional(parameter)) report('is required');
    else if (parameter.refusesBlank === true) report('must not be blank');
    else if (sent.length > 0 && (parameter.type !== 'string' || parameter.choices !== undefined))
      report(`must be ${expected(parameter)}; got nothing`);
    return parameter.fallback;
  }
  const read = given.map((value) => readValue(parameter, isBase64 ? decoded(value, report) : value, report));
  return parameter.repeatable ? read : read[0];
}

/** Returns true if the table lets it be absent. */
function isOptional({ required, refusedByEndpoint }: Parameter<unknown>): boolean {
  return !required || refusedByEndpoint === true;
}

function decoded(value: string, report: (fault: string) => void): string {
  const text = decodeBase64(value);
  if (text === undefined) report(`must be canonical base64 of UTF-8 text; got ${shown(value)}`);
  return text ?? '';
}

function readValue(parameter: Parameter<unknown>, value: string, report: (fault: string) => void): unknown {
  const parsed = PARSERS[parameter.type](parameter, value);
  if (parsed === undefined) report(`must be ${expected(parameter)}; got ${shown(value)}`);
  return parsed;
}

const PARSERS: Readonly<Record<Parameter<unknown>['type'], (parameter: Parameter<unknown>, value: string) => unknown>> =
  {
    string: ({ choices }, value) =>
      choices === undefined ? value : choices.find((word) => word === value.toLowerCase()),
    boolean: (_, value) => ({ true: true, false: false })[value.toLowerCase()],
    integer: ({ minimum = -Infinity, maximum = Infinity }, value) => {
      const number = /^[+-]?\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
      return number >= minimum && number <= maximum ? number : undefined;
    },
  };

function expected(parameter: Parameter<unknown>): string {
  if (parameter.choices !== undefined) return `one of ${parameter.choices.join(', ')}`;
  if (parameter.type === 'boolean') return 'true or false';
  if (parameter.type !== 'integer') return 'text';
  const { minimum, maximum } = parameter;
  if (maximum === Number.MAX_SAFE_INTEGER) return `a whole number of at least ${minimum}`;
  return `${minimum} to ${maximum}`;
}

function unknownNames(sent: SentValues, names: ReadonlySet<string>, source: ParameterSource): readonly string[] {
  const unknown = [...sent.keys()].filter((name) => !names.has(name));
  if (unknown.length === 0) return unknown;
  const known = names.size === 0 ? 'none' : [...names].join(', ');
  return unknown.map((name) => `${source.kind} parameter ${shown(name)} is unknown; known are ${known}`);
}

/** A value as messages show it: quoted and cut, so that control characters and long values do no harm. */
export function shown(value: string): string {
  return JSON.stringify(value.length > MAX_SHOWN_LENGTH ? `${value.slice(0, MAX_SHOWN_LENGTH)}...` : value);
}
