/** Notices for operators while the service works: each under a key, until it is over. Holds no names of data. */
export class Notices {
  readonly #texts = new Map<string, string>();

  set(key: string, text: string): void {
    this.#texts.set(key, text);
  }

  clear(key: string): void {
    this.#texts.delete(key);
  }

  /** In the order in which they came. */
  all(): readonly string[] {
    return [...this.#texts.values()];
  }
}
