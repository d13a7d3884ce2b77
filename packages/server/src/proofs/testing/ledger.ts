export type LedgerKind = 'uploads' | 'batches' | 'steps' | 'corrections' | 'rebuilds';

export class Ledger {
  readonly #entries = new Map<LedgerKind, Map<string, boolean>>();

  /** Notes that a write is on its way; `acknowledge` notes its success. */
  attempt(kind: LedgerKind, name: string): { acknowledge(): void } {
    const names = this.#entries.get(kind) ?? new Map<string, boolean>();
    this.#entries.set(kind, names.set(name, false));
    return { acknowledge: () => void names.set(name, true) };
  }

  acknowledged(kind: LedgerKind): readonly string[] {
    return [...(this.#entries.get(kind) ?? [])].filter(([, isDone]) => isDone).map(([name]) => name);
  }

  attempted(kind: LedgerKind): readonly string[] {
    return [...(this.#entries.get(kind)?.keys() ?? [])];
  }
}
