const CUT_AFTER = 1024;

/** A first-in, first-out queue that moves no items when one is taken. */
export class Queue<T> {
  #items: T[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#first];
    this.#first += 1;
    if (this.#first >= CUT_AFTER) this.#cut();
    return item;
  }

  remove(item: T): void {
    this.#cut();
    this.#items = this.#items.filter((other) => other !== item);
  }

  #cut(): void {
    this.#items = this.#items.slice(this.#first);
    this.#first = 0;
  }
}
