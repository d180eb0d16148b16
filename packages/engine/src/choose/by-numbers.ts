interface Entry<Value> {
  readonly numbers: readonly number[];
  readonly value: Value;
}

const ODD = 0x9e3779b1;
/** Keys of so many bits are small integers, which a Map finds fastest. */
const UNUSED_BITS = 2;

/** A map whose keys are lists of numbers. */
export class ByNumbers<Value> {
  readonly #entries = new Map<number, Entry<Value>>();
  #place = 0;

  find(numbers: readonly number[]): Value | undefined {
    let hash = 0;
    for (let at = 0; at < numbers.length; at++) hash = Math.imul(hash ^ numbers[at]!, ODD) ^ (hash >>> 15);
    this.#place = hash >>> UNUSED_BITS;
    for (;;) {
      const found = this.#entries.get(this.#place);
      if (found === undefined || areEqual(found.numbers, numbers)) return found?.value;
      this.#place += 1;
    }
  }

  /** Adds what `find` has just not found. The numbers must not change. */
  add(numbers: readonly number[], value: Value): void {
    this.#entries.set(this.#place, { numbers, value });
  }
}

function areEqual(one: readonly number[], other: readonly number[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}
