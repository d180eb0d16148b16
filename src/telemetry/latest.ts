/** The latest values by their keys, a bounded number of them: the one that was set longest ago leaves for a new one. */
export class Latest<Value> {
  readonly #most: number;
  /** In the order in which they were set, which a Map keeps. */
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  set(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#most) return;
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      return;
    }
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }
}
