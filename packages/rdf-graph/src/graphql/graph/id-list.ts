import type { TermId } from '../../graph/port/term-kind.ts';
import { type Later, type Pacer, STEP } from './pacer.ts';

export class IdList {
  #ids = new Uint32Array(8);
  #length = 0;

  push(id: TermId): void {
    if (this.#length === this.#ids.length) {
      const grown = new Uint32Array(this.#length * 2);
      grown.set(this.#ids);
      this.#ids = grown;
    }
    this.#ids[this.#length++] = id;
  }

  get length(): number {
    return this.#length;
  }

  toArray(): Uint32Array {
    return this.#ids.slice(0, this.#length);
  }
}

/** Each id once; in steps where there are many. */
export function distinctIds(pacer: Pacer, ids: Uint32Array): Later<Uint32Array> {
  return ids.length <= STEP ? Uint32Array.from(new Set(ids)) : distinctInSteps(pacer, ids);
}

async function distinctInSteps(pacer: Pacer, ids: Uint32Array): Promise<Uint32Array> {
  const seen = new Set<TermId>();
  const kept = new IdList();
  for (let start = 0; start < ids.length; start += STEP) {
    for (const id of ids.subarray(start, start + STEP)) {
      if (seen.has(id)) continue;
      seen.add(id);
      kept.push(id);
    }
    await pacer.step();
  }
  return kept.toArray();
}
