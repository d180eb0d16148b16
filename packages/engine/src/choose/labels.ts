const ODD = 0x9e3779b1;
const FIRST_CAPACITY = 64;
/** Of labels with bounds alike those go on that save most already: what is yet to come may not be had after all. */
const SAVED_ALREADY = 0.05;
const PLACES_PER_LABEL = 2;
export const NONE = -1;

/** The numbers of a label, with the most that any label of its state saves. The state follows. */
const [VALUE, BOUND, USES, PRIORITY, ORDINAL, NOMINAL, MOST, STATE] = [0, 1, 2, 3, 4, 5, 6, 7];

/** A way up to a line of a walk: what it has taken of all that lines share, and what it saves. */
export class Reached {
  readonly numbers: Float64Array;
  /** By the numbers of the state. */
  readonly state: Float64Array;

  constructor(slots: number) {
    this.numbers = new Float64Array(STATE + slots);
    this.state = this.numbers.subarray(STATE);
    this.set(0, 0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0);
  }

  get value(): number {
    return this.numbers[VALUE]!;
  }

  /** No way that goes on from here saves more. */
  get bound(): number {
    return this.numbers[BOUND]!;
  }

  set bound(bound: number) {
    this.numbers[BOUND] = bound;
  }

  /** What decides between ways that save the same. */
  get uses(): number {
    return this.numbers[USES]!;
  }

  get priority(): number {
    return this.numbers[PRIORITY]!;
  }

  get ordinal(): number {
    return this.numbers[ORDINAL]!;
  }

  /** Of equal ways the one goes on that spends sums of money on more lines, and on earlier ones: what they would pay if they were larger. */
  get nominal(): number {
    return this.numbers[NOMINAL]!;
  }

  /** Says what it saves; the state is written by whoever goes the way. */
  set(value: number, uses: number, priority: number, ordinal: number, nominal: number): void {
    const { numbers } = this;
    numbers[VALUE] = value;
    numbers[USES] = uses;
    numbers[PRIORITY] = priority;
    numbers[ORDINAL] = ordinal;
    numbers[NOMINAL] = nominal;
    numbers[MOST] = value;
  }
}

/** Of ways that save the same: the fewest uses, the highest priority, the first ID, then the most of `nominal`. Below 0 where the one comes first. */
function compareEquals(one: Float64Array, a: number, other: Float64Array, b: number): number {
  if (one[a + USES] !== other[b + USES]) return one[a + USES]! - other[b + USES]!;
  if (one[a + PRIORITY] !== other[b + PRIORITY]) return other[b + PRIORITY]! - one[a + PRIORITY]!;
  if (one[a + ORDINAL] !== other[b + ORDINAL]) return one[a + ORDINAL]! - other[b + ORDINAL]!;
  return other[b + NOMINAL]! - one[a + NOMINAL]!;
}

/** The label before it, the number of the way from there, and the first label of its state. */
const [BEFORE, WAY, FIRST, LINKS] = [0, 1, 2, 3];

/**
 * The labels of one line of a walk. A walk makes tens of thousands of them, so they are rows of numbers, and a label is the
 * number of its row.
 */
export class Labels {
  count = 0;
  readonly #width: number;
  #numbers: Float64Array;
  #links = new Int32Array(FIRST_CAPACITY * LINKS);
  /** The labels by their state, each and 1; 0 where there is none. */
  #table = new Int32Array(FIRST_CAPACITY * PLACES_PER_LABEL);
  #place = 0;

  constructor(slots: number) {
    this.#width = STATE + slots;
    this.#numbers = new Float64Array(FIRST_CAPACITY * this.#width);
  }

  clear(): void {
    this.count = 0;
    this.#table.fill(0);
  }

  valueOf(label: number): number {
    return this.#numbers[label * this.#width + VALUE]!;
  }

  boundOf(label: number): number {
    return this.#numbers[label * this.#width + BOUND]!;
  }

  /** For sorting, the one first that promises most. */
  comparePromises(one: number, other: number): number {
    return this.#promiseOf(other) - this.#promiseOf(one);
  }

  #promiseOf(label: number): number {
    const at = label * this.#width;
    return this.#numbers[at + BOUND]! + this.#numbers[at + VALUE]! * SAVED_ALREADY;
  }

  /** True where what was reached is to go on in place of a label of the same state that saves as much. */
  isBefore({ numbers }: Reached, label: number): boolean {
    return compareEquals(numbers, 0, this.#numbers, label * this.#width) < 0;
  }

  /** For sorting, the one that saves most first. */
  compareSaved(one: number, other: number): number {
    const numbers = this.#numbers;
    const [a, b] = [one * this.#width, other * this.#width];
    return numbers[b + VALUE]! - numbers[a + VALUE]! || compareEquals(numbers, a, numbers, b);
  }

  read(label: number, into: Reached): void {
    const at = label * this.#width;
    for (let number = 0; number < this.#width; number++) into.numbers[number] = this.#numbers[at + number]!;
  }

  /** How every label was reached, for `waysBefore`. */
  links(): Int32Array {
    return this.#links.slice(0, this.count * LINKS);
  }

  /** The first label of this state, or `NONE`. */
  find(state: Float64Array): number {
    let place = this.#placeOf(state, 0);
    while (this.#table[place] !== 0 && !this.#hasState(this.#table[place]! - 1, state))
      place = (place + 1) & (this.#table.length - 1);
    this.#place = place;
    return this.#table[place]! - 1;
  }

  /** Adds a label for whose state `find` has just found none. */
  addFirst(reached: Reached, before: number, way: number): void {
    this.#table[this.#place] = this.count + 1;
    this.add(reached, before, way, this.count);
  }

  /** Adds a label beside the first one of its state, which may be itself. */
  add(reached: Reached, before: number, way: number, first: number): void {
    const label = this.count;
    this.count += 1;
    this.put(label, reached, before, way);
    this.#links[label * LINKS + FIRST] = first;
    const most = first * this.#width + MOST;
    this.#numbers[most] = Math.max(this.#numbers[most]!, reached.value);
    if (this.count * LINKS === this.#links.length) this.#grow();
  }

  /** Puts a way in the place of another one that leads to the same state. */
  put(label: number, { numbers }: Reached, before: number, way: number): void {
    const at = label * this.#width;
    for (let number = 0; number < this.#width; number++) this.#numbers[at + number] = numbers[number]!;
    this.#links[label * LINKS + BEFORE] = before;
    this.#links[label * LINKS + WAY] = way;
  }

  /** The labels that save no more than the margin less than the best one of their state. */
  within(margin: number): number[] {
    const labels: number[] = [];
    for (let label = 0; label < this.count; label++) {
      const first = this.#links[label * LINKS + FIRST]!;
      if (this.valueOf(label) >= this.#numbers[first * this.#width + MOST]! - margin) labels.push(label);
    }
    return labels;
  }

  #placeOf(numbers: Float64Array, from: number): number {
    let hash = 0;
    for (let at = from; at < from + this.#width - STATE; at++)
      hash = Math.imul(hash ^ numbers[at]!, ODD) ^ (hash >>> 15);
    return (hash ^ (hash >>> 15)) & (this.#table.length - 1);
  }

  #hasState(label: number, state: Float64Array): boolean {
    const at = label * this.#width + STATE;
    for (let slot = 0; slot < state.length; slot++) if (this.#numbers[at + slot] !== state[slot]) return false;
    return true;
  }

  #grow(): void {
    const numbers = new Float64Array(2 * this.#numbers.length);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
    const links = new Int32Array(2 * this.#links.length);
    links.set(this.#links);
    this.#links = links;
    const known = this.#table.filter((own) => own !== 0);
    this.#table = new Int32Array(2 * this.#table.length);
    for (const own of known) {
      let place = this.#placeOf(numbers, (own - 1) * this.#width + STATE);
      while (this.#table[place] !== 0) place = (place + 1) & (this.#table.length - 1);
      this.#table[place] = own;
    }
  }
}

/** The ways of a label of the last line, by their numbers, line by line. */
export function waysBefore(lines: readonly Int32Array[], label: number): number[] {
  const ways = new Array<number>(lines.length);
  for (let [at, own] = [lines.length - 1, label]; at >= 0; at--) {
    ways[at] = lines[at]![own * LINKS + WAY]!;
    own = lines[at]![own * LINKS + BEFORE]!;
  }
  return ways;
}
