/** A map that forgets its oldest keys: what a double remembers is bounded, however long it serves. */
export class BoundedMap<Value> extends Map<string, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  /** A key that is set again keeps its age. */
  override set(key: string, value: Value): this {
    super.set(key, value);
    if (this.size > this.#most) this.delete(this.keys().next().value as string);
    return this;
  }
}
