import { TermKind, UNBOUND } from '../../graph/port/term-kind.ts';
import { type Batch, idAt, type Plan, planOf, type Steps, takeRows } from './batch.ts';
import type { Execution } from './execution.ts';
import { LOCAL_BASE } from './local-terms.ts';
import type { Place } from './pattern-join.ts';

/** Takes the quoted triple in a slot apart: keeps the rows whose triple fits, and binds what is new. */
export function unquote(slot: number, places: readonly Place[]): Plan {
  return planOf(unquoteAll, { slot, places });
}

interface Quoted {
  readonly slot: number;
  readonly places: readonly Place[];
}

function* unquoteAll({ slot, places }: Quoted, execution: Execution, input: Steps): Steps {
  let constants: readonly number[] | undefined;
  for (const batch of input) {
    constants ??= places.map((place) => (place.type === 'term' ? execution.idOf(place.term) : UNBOUND));
    yield batch && unquoteBatch(execution, batch, slot, places, constants);
  }
}

function unquoteBatch(
  execution: Execution,
  batch: Batch,
  slot: number,
  places: readonly Place[],
  constants: readonly number[],
): Batch | undefined {
  const columns = batch.columns.slice();
  for (const place of places) {
    if (place.type === 'new' && place.slot >= 0) columns[place.slot] = new Uint32Array(batch.size);
    if (place.type === 'maybe') {
      columns[place.slot] = columns[place.slot]?.slice(0, batch.size) ?? new Uint32Array(batch.size);
    }
  }
  const extended: Batch = { size: batch.size, columns };
  const rows = new Uint32Array(batch.size);
  let size = 0;
  for (let row = 0; row < batch.size; row++) {
    const ids = partsOf(execution, idAt(batch, slot, row));
    if (ids?.every((id, i) => fits(extended, row, places[i], id, constants[i], ids))) rows[size++] = row;
  }
  return size === 0 ? undefined : takeRows(extended, rows, size);
}

/** Returns true if a part of a triple fits its place; binds new values. */
function fits(batch: Batch, row: number, place: Place, id: number, constant: number, ids: readonly number[]): boolean {
  switch (place.type) {
    case 'term':
      return constant === id;
    case 'bound':
      return idAt(batch, place.slot, row) === id;
    case 'repeat':
      return ids[place.place] === id;
    default: {
      const column = batch.columns[place.slot];
      if (column === undefined) return true;
      if (place.type === 'maybe' && column[row] !== UNBOUND && column[row] !== id) return false;
      column[row] = id;
      return true;
    }
  }
}

function partsOf(execution: Execution, id: number): readonly number[] | undefined {
  if (id === UNBOUND) return undefined;
  if (id < LOCAL_BASE)
    return execution.dictionary.kind(id) === TermKind.triple ? execution.dictionary.tripleIds(id) : undefined;
  const term = execution.term(id);
  return term.termType === 'Quad'
    ? [execution.idOf(term.subject), execution.idOf(term.predicate), execution.idOf(term.object)]
    : undefined;
}
