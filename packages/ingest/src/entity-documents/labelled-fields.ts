import type { JsonObject, JsonValue } from '@cairn/security';
import { disjunction } from '../entities/labels.ts';
import type { Labelled } from '../entities/named-entity.ts';

export class LabelledFields {
  readonly #fields: [string, JsonValue][] = [];
  readonly #labels: [string, JsonValue][] = [];

  get isEmpty(): boolean {
    return this.#fields.length === 0;
  }

  list(field: string, values: readonly Labelled[]): void {
    if (values.length === 0 || field.endsWith('securityLabels')) return;
    this.#fields.push([field, values.map(({ value }) => value)]);
    this.#labels.push([field, values.map(({ label }) => label)]);
  }

  flag(field: string, labels: readonly string[]): void {
    if (labels.length === 0) return;
    this.#fields.push([field, true]);
    this.#labels.push([field, disjunction(labels)]);
  }

  text(field: string, { value, label }: Labelled): void {
    this.#fields.push([field, value]);
    this.#labels.push([field, label]);
  }

  object(field: string, values: ReadonlyMap<string, readonly Labelled[]>): void {
    const nested = new LabelledFields();
    for (const [name, labelled] of values) nested.list(name, labelled);
    if (!nested.isEmpty) this.#fields.push([field, nested.toObject()]);
  }

  objects(field: string, objects: readonly JsonObject[]): void {
    if (objects.length > 0) this.#fields.push([field, objects]);
  }

  toObject(): JsonObject {
    return { ...Object.fromEntries(this.#fields), securityLabels: Object.fromEntries(this.#labels) };
  }
}
