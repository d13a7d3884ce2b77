import { CodedError } from '@cairn/errors';
import { parseLabel } from '@cairn/security';

/** Reads the values of one object and says where a wrong one is. */
export class ValueReader {
  readonly #fields: ReadonlyMap<string, unknown>;
  readonly #file: string;
  readonly #key: string;

  constructor(value: unknown, file: string, key: string) {
    this.#file = file;
    this.#key = key;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw configurationFault(file, key, value, 'an object');
    this.#fields = new Map(Object.entries(value));
  }

  fault(key: string, value: unknown, expected: string): CodedError {
    return configurationFault(this.#file, joinKeys(this.#key, key), value, expected);
  }

  only(known: readonly string[]): void {
    for (const [key, value] of this.#fields) {
      if (!known.includes(key)) throw this.fault(key, value, `one of the keys ${known.join(', ')}`);
    }
  }

  text(key: string, form: RegExp, expected: string): string {
    const value = this.#fields.get(key);
    if (typeof value !== 'string' || !form.test(value)) throw this.fault(key, value, expected);
    return value;
  }

  optionalText(key: string, mayMiss: boolean): string {
    const value = this.#fields.get(key);
    if (mayMiss && (value === undefined || value === null)) return '';
    if (typeof value !== 'string' || /[\r\n\0]/.test(value)) throw this.fault(key, value, 'a text of one line');
    return value;
  }

  label(key: string): string | null {
    const value = this.#fields.get(key);
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string' || value.trim() === '') throw this.fault(key, value, 'a security label or null');
    try {
      parseLabel(value);
    } catch (cause) {
      throw this.fault(key, value, `a security label (${cause instanceof Error ? cause.message : 'malformed'})`);
    }
    return value;
  }

  integer(key: string, defaultValue: number, max: number): number {
    const value = this.#fields.get(key) ?? defaultValue;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1 || value > max) {
      throw this.fault(key, value, `an integer from 1 to ${max}`);
    }
    return value;
  }

  list(key: string): ValueReader[] {
    const value = this.#fields.get(key) ?? [];
    if (!Array.isArray(value)) throw this.fault(key, value, 'a list');
    return value.map((item, at) => new ValueReader(item, this.#file, `${joinKeys(this.#key, key)}[${at}]`));
  }
}

/** The error of a configuration value: where it is, what it is, and what was expected. */
export function configurationFault(file: string, key: string, value: unknown, expected: string): CodedError {
  const shown = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value)).slice(0, 200);
  return new CodedError({
    code: 'ERR_ROUTE_CONFIG',
    kind: 'invalid',
    message: `${file}: ${key === '' ? 'the route' : key} must be ${expected}; got ${shown}`,
  });
}

export function joinKeys(base: string, key: string): string {
  return base === '' ? key : `${base}.${key}`;
}
