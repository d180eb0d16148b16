/**
 * Deals the units of lines out to offers that take a limited number of units each, so that all gains together are as large
 * as they can be: a transportation problem, solved exactly by minimum-cost flow. It knows no rule of a programme. It is given
 * whole numbers, reads no clock and counts its work, so the same task has the same result everywhere.
 */
export interface AssignmentTask {
  /** Per line its units, at least 1. Of equally good results the lines that come first are served first. */
  readonly units: readonly number[];
  /** Per offer how many units it may take in all; `Infinity` where nothing limits it. */
  readonly capacities: readonly number[];
  /** Per offer the number of the pool on which it draws as well; undefined for an offer with a limit of its own only. */
  readonly poolOf: readonly (number | undefined)[];
  /** Per pool how many units its offers may take together. */
  readonly poolCapacities: readonly number[];
  /** A whole number for each line and offer, at `line * offers + offer`: what one unit gains (`mostOfGains`). None is taken at 0 or below. */
  readonly gains: ArrayLike<number>;
  /** Per offer a small whole number of at least 0. Of results with equal gains the one whose units cost least in sum is better. */
  readonly tieCosts: readonly number[];
}

/** The way of a node ends where there is room. */
const ROOM = -1;

/**
 * The flow of units into offers. Lines are inserted one after the other, each on the cheapest way: an offer that is full
 * hands a unit of another line on. The nodes of the network are the offers, one more that takes whatever is left over, and the
 * pools; the lines are only what moves between them, so a way is found in the square of the offers, however many lines there
 * are. The shortest ways are found by Dijkstra's algorithm, with the prices found before as potentials.
 */
export class Flow {
  readonly amounts: Float64Array;
  /** Per node what it costs to make room for one more unit, `Infinity` for one that never has any: exact after `findWays`, else a lower bound. */
  readonly prices: Float64Array;
  readonly #task: AssignmentTask;
  readonly #gains: Float64Array;
  readonly #spend: (operations: number) => boolean;
  readonly #offers: number;
  /** Units that each node has room for. */
  readonly #room: Float64Array;
  /** Per offer the lines of which it holds units. */
  readonly #members: number[][];
  /** At `from * (offers + 1) + to` the loss when a unit moves from one offer to the other, and the line of that unit. */
  readonly #moveLoss: Float64Array;
  readonly #moveLine: Int32Array;
  readonly #next: Int32Array;

  constructor(task: AssignmentTask, gains: Float64Array, spend: (operations: number) => boolean) {
    const { capacities, poolCapacities, units } = task;
    const offers = capacities.length;
    this.#task = task;
    this.#gains = gains;
    this.#spend = spend;
    this.#offers = offers;
    this.#room = Float64Array.from([...capacities, Number.POSITIVE_INFINITY, ...poolCapacities]);
    const nodes = this.#room.length;
    this.#members = Array.from({ length: offers + 1 }, () => []);
    this.#moveLoss = new Float64Array((offers + 1) ** 2).fill(Number.POSITIVE_INFINITY);
    this.#moveLine = new Int32Array((offers + 1) ** 2);
    this.#next = new Int32Array(nodes);
    this.amounts = new Float64Array(units.length * offers);
    this.prices = new Float64Array(nodes);
  }

  /** Deals the units of a line out, and moves units of other lines where that gains more. False when the work ran out. */
  insert(line: number): boolean {
    let left = this.#task.units[line]!;
    while (left > 0) {
      if (!this.#spend(this.#offers)) return false;
      let offer = this.#bestOffer(line);
      // The price of an offer with room is 0, whatever the others cost; of a full one only a lower bound is known.
      const pool = this.#poolNode(offer);
      if (this.#room[offer]! > 0 && (pool === undefined || this.#room[pool]! > 0)) {
        this.#next[offer] = pool ?? ROOM;
        if (pool !== undefined) this.#next[pool] = ROOM;
      } else {
        if (!this.findWays()) return false;
        offer = this.#bestOffer(line);
      }
      const moved = this.#move(line, offer, left);
      if (moved === undefined) return false;
      left -= moved;
    }
    return true;
  }

  /** Finds the cheapest way to room from every node. False when the work ran out. */
  findWays(): boolean {
    const nodes = this.prices.length;
    const distance = new Float64Array(nodes).fill(Number.POSITIVE_INFINITY);
    const isDone = new Uint8Array(nodes);
    const shorten = (node: number, next: number, length: number): void => {
      if (length >= distance[node]!) return;
      distance[node] = length;
      this.#next[node] = next;
    };
    for (let node = 0; node < nodes; node++)
      if (this.#room[node]! > 0 && this.#poolNode(node) === undefined) shorten(node, ROOM, 0);
    for (;;) {
      if (!this.#spend(2 * nodes)) return false;
      let node = -1;
      let least = Number.POSITIVE_INFINITY;
      for (let other = 0; other < nodes; other++) {
        const beyond = distance[other]! - this.prices[other]!;
        if (isDone[other] === 1 || !(beyond < least)) continue;
        node = other;
        least = beyond;
      }
      if (node < 0) break;
      isDone[node] = 1;
      const beyond = distance[node]!;
      const pool = this.#poolNode(node);
      // Its pool may take a unit back from an offer, and gives its room to those that have room of their own.
      if (pool !== undefined) shorten(pool, node, beyond);
      for (let from = 0; from < this.#offers; from++) {
        if (node <= this.#offers) shorten(from, node, this.#moveLoss[from * (this.#offers + 1) + node]! + beyond);
        else if (this.#poolNode(from) === node && this.#room[from]! > 0) shorten(from, node, beyond);
      }
    }
    this.prices.set(distance);
    return true;
  }

  /** The offer in which a unit of the line gains most after its price; of equals the first one, but the last one where none gains. */
  #bestOffer(line: number): number {
    let best = this.#offers;
    let most = 0;
    for (let offer = 0; offer < this.#offers; offer++) {
      const value = this.#gain(line, offer) - this.prices[offer]!;
      if (value > most) [best, most] = [offer, value];
    }
    return best;
  }

  #gain(line: number, offer: number): number {
    return offer < this.#offers ? this.#gains[line * this.#offers + offer]! : 0;
  }

  #poolNode(node: number): number | undefined {
    const pool = this.#task.poolOf[node];
    return pool === undefined ? undefined : this.#offers + 1 + pool;
  }

  /** Puts up to `most` units of a line into an offer and hands units on along its way. Undefined when the work ran out. */
  #move(line: number, offer: number, most: number): number | undefined {
    const handed: { readonly from: number; readonly to: number; readonly line: number }[] = [];
    let units = most;
    let node = offer;
    for (let to = this.#next[node]!; to !== ROOM; node = to, to = this.#next[node]!) {
      if (to > this.#offers) units = Math.min(units, this.#room[node]!);
      else if (node <= this.#offers) {
        const moved = this.#moveLine[node * (this.#offers + 1) + to]!;
        handed.push({ from: node, to, line: moved });
        units = Math.min(units, this.amounts[moved * this.#offers + node]!);
      }
    }
    units = Math.min(units, this.#room[node]!);
    this.#take(offer, line, units);
    for (const { from, to, line: moved } of handed) {
      this.#take(from, moved, -units);
      this.#take(to, moved, units);
    }
    // A pool on the way takes back from one of its offers what another one takes: only at the end of the way it has less room.
    if (node > this.#offers) this.#room[node]! -= units;
    return handed.every(({ from }) => this.#recount(from)) ? units : undefined;
  }

  #take(offer: number, line: number, units: number): void {
    this.#room[offer]! -= units;
    if (offer === this.#offers) return;
    this.amounts[line * this.#offers + offer]! += units;
    if (this.#members[offer]!.includes(line)) return;
    this.#members[offer]!.push(line);
    this.#countMember(offer, line);
  }

  /** Looks at all lines of an offer anew, because units of one have left it. */
  #recount(offer: number): boolean {
    const members = this.#members[offer]!.filter((line) => this.amounts[line * this.#offers + offer]! > 0);
    this.#members[offer] = members;
    this.#moveLoss.fill(Number.POSITIVE_INFINITY, offer * (this.#offers + 1), (offer + 1) * (this.#offers + 1));
    for (const line of members) this.#countMember(offer, line);
    return this.#spend(members.length * this.#offers);
  }

  #countMember(from: number, line: number): void {
    for (let to = 0; to <= this.#offers; to++) {
      const gain = this.#gain(line, to);
      const at = from * (this.#offers + 1) + to;
      const loss = this.#gain(line, from) - gain;
      if ((gain <= 0 && to < this.#offers) || loss >= this.#moveLoss[at]!) continue;
      this.#moveLoss[at] = loss;
      this.#moveLine[at] = line;
    }
  }
}
