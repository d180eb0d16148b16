/** Which calculation is to be sent next, and when: a binary heap, so that a backlog of a day costs no time. */
export class Schedule {
  readonly #heap: { readonly atMs: number; readonly calculationId: string }[] = [];

  add(calculationId: string, atMs: number): void {
    const heap = this.#heap;
    const entry = { atMs, calculationId };
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.atMs <= atMs) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = entry;
  }

  /** When the earliest is due; undefined when there is none. */
  get nextAtMs(): number | undefined {
    return this.#heap[0]?.atMs;
  }

  /** Takes the earliest out when its time has come. */
  takeDue(nowMs: number): string | undefined {
    const heap = this.#heap;
    const first = heap[0];
    if (!first || first.atMs > nowMs) return undefined;
    const last = heap.pop()!;
    if (heap.length > 0) this.#sink(last);
    return first.calculationId;
  }

  #sink(entry: { readonly atMs: number; readonly calculationId: string }): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]!.atMs < heap[child]!.atMs) child += 1;
      if (heap[child]!.atMs >= entry.atMs) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = entry;
  }
}
