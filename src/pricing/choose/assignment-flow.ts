/** Lines with units, and offers that take a limited number of them. */
export interface FlowTask {
  /** Per line its units, at least 1. Of equally good results the lines that come first are served first. */
  readonly units: readonly number[];
  /** Per offer how many units it may take in all; `Infinity` where nothing limits it. */
  readonly capacities: readonly number[];
  /** Per offer the number of the pool on which it draws as well; undefined for an offer with a limit of its own only. */
  readonly poolOf: readonly (number | undefined)[];
  /** Per pool how many units its offers may take together. */
  readonly poolCapacities: readonly number[];
  /**
   * A whole number for each line and offer, at `line * offers + offer`: the gain of one unit of the line that the offer takes,
   * compared with the unit that no offer takes. An offer takes no unit whose gain is 0 or below.
   */
  readonly gains: ArrayLike<number>;
}

/** Where a unit too many goes from an offer or a pool, on the cheapest way to room. */
const ROOM = -1;
const LEFT_OVER = -2;

/**
 * The flow of units into offers. Lines are inserted one after the other, each on the cheapest way: an offer that is full
 * hands a unit of another line on, to another offer or back to the line. The nodes of the network are the offers, then the
 * pools; the lines are only what moves between them, so a way is found in the square of the offers, however many lines
 * there are. The shortest ways are found by Dijkstra's algorithm, with the prices found before as potentials.
 */
export class AssignmentFlow {
  /** Units at `line * offers + offer`. */
  readonly amounts: Float64Array;
  /** Per node what it costs to make room for one more unit, `Infinity` for one that never has any: exact after `price`, otherwise a lower bound. */
  readonly prices: Float64Array;
  readonly #task: FlowTask;
  readonly #spend: (operations: number) => boolean;
  readonly #offers: number;
  readonly #nodes: number;
  /** Units taken per node. */
  readonly #used: Float64Array;
  /** Per offer the lines of which it holds units. */
  readonly #members: number[][];
  /** At `from * offers + to` the loss when a unit moves from one offer to the other, and the line of that unit. */
  readonly #moveLoss: Float64Array;
  readonly #moveLine: Int32Array;
  /** Per offer the loss when a unit goes back to its line, and that line. */
  readonly #leaveLoss: Float64Array;
  readonly #leaveLine: Int32Array;
  readonly #distance: Float64Array;
  readonly #next: Int32Array;
  /** Per node 1 where its cheapest way is known. */
  readonly #isDone: Uint8Array;

  constructor(task: FlowTask, spend: (operations: number) => boolean) {
    const offers = task.capacities.length;
    const nodes = offers + task.poolCapacities.length;
    this.#task = task;
    this.#spend = spend;
    this.#offers = offers;
    this.#nodes = nodes;
    this.amounts = new Float64Array(task.units.length * offers);
    this.prices = new Float64Array(nodes);
    this.#used = new Float64Array(nodes);
    this.#members = task.capacities.map(() => []);
    this.#moveLoss = new Float64Array(offers * offers).fill(Number.POSITIVE_INFINITY);
    this.#moveLine = new Int32Array(offers * offers);
    this.#leaveLoss = new Float64Array(offers).fill(Number.POSITIVE_INFINITY);
    this.#leaveLine = new Int32Array(offers);
    this.#distance = new Float64Array(nodes);
    this.#next = new Int32Array(nodes);
    this.#isDone = new Uint8Array(nodes);
    for (let node = 0; node < nodes; node++) {
      const pool = node < offers ? task.poolOf[node] : undefined;
      const isClosed = this.#roomAt(node) < 1 || (pool !== undefined && task.poolCapacities[pool]! < 1);
      if (isClosed) this.prices[node] = Number.POSITIVE_INFINITY;
    }
  }

  /** Deals the units of a line out, and moves units of other lines where that gains more. False when the work ran out. */
  insert(line: number): boolean {
    let left = this.#task.units[line]!;
    while (left > 0) {
      if (!this.#spend(this.#offers)) return false;
      let offer = this.#bestOffer(line);
      if (offer === undefined) return true;
      // The price of an offer with room is 0, whatever the others cost; of a full one only a lower bound is known.
      if (this.#hasRoom(offer)) this.#leadToRoom(offer);
      else {
        if (!this.#findWays(line, this.#gain(line, offer) - this.prices[offer]!)) return false;
        offer = this.#bestOffer(line, this.#isDone);
        if (offer === undefined) return true;
      }
      const moved = this.#roomOnWay(offer, left);
      left -= moved;
      if (!this.#move(line, offer, moved)) return false;
    }
    return true;
  }

  /** Finds the cheapest way to room from every node. False when the work ran out. */
  price(): boolean {
    return this.#findWays(undefined, Number.POSITIVE_INFINITY);
  }

  /**
   * Finds the cheapest ways to room, the nearest nodes first, until no other way is better for a unit of the line, which is
   * worth `most` at the prices before. Of the nodes beyond only a closer lower bound is known then.
   */
  #findWays(line: number | undefined, most: number): boolean {
    this.#isDone.fill(0);
    for (let node = 0; node < this.#nodes; node++) this.#startAt(node);
    // A unit of the line may be left over, which is worth 0.
    let reach = most;
    for (;;) {
      if (!this.#spend(2 * this.#nodes)) return false;
      const node = this.#nearest(reach);
      if (node === undefined) break;
      this.#isDone[node] = 1;
      if (node >= this.#offers) this.#relaxPool(node);
      else {
        this.#relaxOffer(node);
        if (line !== undefined) reach = Math.min(reach, most - (this.#gain(line, node) - this.#distance[node]!));
      }
    }
    for (let node = 0; node < this.#nodes; node++) {
      if (this.#isDone[node]) this.prices[node] = this.#distance[node]!;
      else this.prices[node]! += reach;
    }
    return true;
  }

  /** The offer in which a unit of the line gains most after its price; of equals the first one. `among` may name some of them. */
  #bestOffer(line: number, among?: Uint8Array): number | undefined {
    let best: number | undefined;
    let most = 0;
    for (let offer = 0; offer < this.#offers; offer++) {
      if (among && among[offer] === 0) continue;
      const value = this.#gain(line, offer) - this.prices[offer]!;
      if (value > most) [best, most] = [offer, value];
    }
    return best;
  }

  #gain(line: number, offer: number): number {
    return this.#task.gains[line * this.#offers + offer]!;
  }

  #poolNode(offer: number): number | undefined {
    const pool = this.#task.poolOf[offer];
    return pool === undefined ? undefined : this.#offers + pool;
  }

  #roomAt(node: number): number {
    const { capacities, poolCapacities } = this.#task;
    const capacity = node < this.#offers ? capacities[node]! : poolCapacities[node - this.#offers]!;
    return capacity - this.#used[node]!;
  }

  #hasRoom(offer: number): boolean {
    const pool = this.#poolNode(offer);
    return this.#roomAt(offer) > 0 && (pool === undefined || this.#roomAt(pool) > 0);
  }

  #leadToRoom(offer: number): void {
    const pool = this.#poolNode(offer);
    this.#next[offer] = pool ?? ROOM;
    if (pool !== undefined) this.#next[pool] = ROOM;
  }

  /** Sets the way out that a node has by itself. */
  #startAt(node: number): void {
    const isOffer = node < this.#offers;
    const isFree = this.#roomAt(node) > 0 && (!isOffer || this.#poolNode(node) === undefined);
    this.#next[node] = isFree ? ROOM : LEFT_OVER;
    if (isFree) this.#distance[node] = 0;
    else this.#distance[node] = isOffer ? this.#leaveLoss[node]! : Number.POSITIVE_INFINITY;
  }

  /** The node with the smallest distance beyond its price, if that is below `reach`. */
  #nearest(reach: number): number | undefined {
    let nearest: number | undefined;
    let least = reach;
    for (let node = 0; node < this.#nodes; node++) {
      if (this.#isDone[node] === 1 || this.prices[node] === Number.POSITIVE_INFINITY) continue;
      const beyond = this.#distance[node]! - this.prices[node]!;
      if (beyond < least) {
        nearest = node;
        least = beyond;
      }
    }
    return nearest;
  }

  /** Every offer may hand a unit on to this one, and its pool may take one back from it. */
  #relaxOffer(to: number): void {
    const beyond = this.#distance[to]!;
    for (let from = 0; from < this.#offers; from++) {
      this.#shorten(from, to, this.#moveLoss[from * this.#offers + to]! + beyond);
    }
    const pool = this.#poolNode(to);
    if (pool !== undefined && this.#used[to]! > 0) this.#shorten(pool, to, beyond);
  }

  /** An offer with room of its own takes what its pool has room for. */
  #relaxPool(pool: number): void {
    for (let offer = 0; offer < this.#offers; offer++) {
      if (this.#poolNode(offer) === pool && this.#roomAt(offer) > 0) this.#shorten(offer, pool, this.#distance[pool]!);
    }
  }

  #shorten(node: number, next: number, distance: number): void {
    if (distance >= this.#distance[node]!) return;
    this.#distance[node] = distance;
    this.#next[node] = next;
  }

  /** How many units, at most `most`, can go into the offer along its way. */
  #roomOnWay(offer: number, most: number): number {
    let room = most;
    for (let node = offer; ; ) {
      const next = this.#next[node]!;
      if (next === ROOM) return Math.min(room, this.#roomAt(node));
      if (node >= this.#offers) room = Math.min(room, this.#used[next]!);
      else if (next >= this.#offers) room = Math.min(room, this.#roomAt(node));
      else room = Math.min(room, this.amounts[this.#lineOnWay(node, next) * this.#offers + node]!);
      if (next === LEFT_OVER) return room;
      node = next;
    }
  }

  #lineOnWay(offer: number, next: number): number {
    return next === LEFT_OVER ? this.#leaveLine[offer]! : this.#moveLine[offer * this.#offers + next]!;
  }

  /** Puts units of a line into an offer and hands units on along its way. False when the work ran out. */
  #move(line: number, offer: number, units: number): boolean {
    const shrunk: number[] = [];
    const grown: [offer: number, line: number][] = [[offer, line]];
    this.#used[offer]! += units;
    for (let node = offer; this.#next[node] !== ROOM; ) {
      const next = this.#next[node]!;
      if (node >= this.#offers) this.#used[node]! -= units;
      else if (next < this.#offers) {
        const handedOn = this.#lineOnWay(node, next);
        this.#used[node]! -= units;
        this.amounts[handedOn * this.#offers + node]! -= units;
        shrunk.push(node);
        if (next === LEFT_OVER) break;
        grown.push([next, handedOn]);
      }
      // A unit that a pool takes back from an offer leaves that offer by the next step.
      if (node < this.#offers) this.#used[next]! += units;
      node = next;
    }
    for (const [to, own] of grown) this.amounts[own * this.#offers + to]! += units;
    for (const [to, own] of grown) this.#join(to, own);
    return shrunk.every((from) => this.#recount(from));
  }

  #join(offer: number, line: number): void {
    const members = this.#members[offer]!;
    if (members.includes(line)) return;
    members.push(line);
    this.#countMember(offer, line);
  }

  /** Looks at all lines of an offer anew, because units of one have left it. */
  #recount(offer: number): boolean {
    const members = this.#members[offer]!.filter((line) => this.amounts[line * this.#offers + offer]! > 0);
    this.#members[offer] = members;
    this.#moveLoss.fill(Number.POSITIVE_INFINITY, offer * this.#offers, (offer + 1) * this.#offers);
    this.#leaveLoss[offer] = Number.POSITIVE_INFINITY;
    for (const line of members) this.#countMember(offer, line);
    return this.#spend(members.length * this.#offers);
  }

  #countMember(from: number, line: number): void {
    const own = this.#gain(line, from);
    if (own < this.#leaveLoss[from]!) {
      this.#leaveLoss[from] = own;
      this.#leaveLine[from] = line;
    }
    for (let to = 0; to < this.#offers; to++) {
      const gain = this.#gain(line, to);
      const at = from * this.#offers + to;
      if (to === from || gain <= 0 || own - gain >= this.#moveLoss[at]!) continue;
      this.#moveLoss[at] = own - gain;
      this.#moveLine[at] = line;
    }
  }
}
