/** Numbers the variables of one query: each has a column of its own in every batch. */
export class Slots {
  readonly #slots = new Map<string, number>();
  #size = 0;

  of(name: string): number {
    const known = this.#slots.get(name);
    if (known !== undefined) return known;
    const slot = this.#size++;
    this.#slots.set(name, slot);
    return slot;
  }

  all(names: Iterable<string>): number[] {
    return [...names].map((name) => this.of(name));
  }

  allShared(names: ReadonlySet<string>, others: ReadonlySet<string>): number[] {
    const slots: number[] = [];
    const [fewer, more] = names.size <= others.size ? [names, others] : [others, names];
    for (const name of fewer) if (more.has(name)) slots.push(this.of(name));
    return slots;
  }

  hidden(): number {
    return this.#size++;
  }
}
