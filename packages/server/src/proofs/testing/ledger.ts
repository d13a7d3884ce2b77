/** Kinds of writes that are kept account of. */
export type LedgerKind = 'uploads' | 'batches' | 'steps' | 'corrections' | 'rebuilds';

export interface Ledger {
  /** Notes that a write is on its way; `acknowledge` notes its success. */
  attempt(kind: LedgerKind, name: string): { acknowledge(): void };
  acknowledged(kind: LedgerKind): readonly string[];
  attempted(kind: LedgerKind): readonly string[];
}

export function createLedger(): Ledger {
  const entries = new Map<LedgerKind, Map<string, boolean>>();
  const of = (kind: LedgerKind): Map<string, boolean> => {
    const known = entries.get(kind) ?? new Map<string, boolean>();
    entries.set(kind, known);
    return known;
  };
  return {
    attempt(kind, name) {
      of(kind).set(name, false);
      return { acknowledge: () => void of(kind).set(name, true) };
    },
    acknowledged: (kind) => [...of(kind)].filter(([, isDone]) => isDone).map(([name]) => name),
    attempted: (kind) => [...of(kind).keys()],
  };
}
