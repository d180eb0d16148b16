/**
 * A history is drawn from its seed alone and never looks at what came of it, so that it stays one when steps are
 * dropped: an order names calculations by number, and one that was dropped is a calculation nobody has heard of.
 */
import { Random } from '../../packages/simulator/src/random.ts';
import { type Fault, randomFault } from './fault.ts';
import { GROUPS, type Group, type MemberRule, MORE_GROUPS, randomMembers } from './world.ts';

/** A basket call. The same order again is a retry with the same bytes. */
export interface BasketOrder {
  readonly kind: 'basket';
  readonly calculation: number;
  readonly member: number;
  readonly venue: number;
  readonly day: number;
  readonly groups: readonly Group[];
  readonly supersedes?: number;
  /** Which of the two processes is asked. */
  readonly process: number;
}

export interface SaleOrder {
  readonly kind: 'sale';
  readonly calculation: number;
  readonly status: string;
  /** Status and transaction: what makes two events the same outcome. */
  readonly outcome: string;
  readonly process: number;
}

export type Order = BasketOrder | SaleOrder;

/** All goods of a calculation come back. */
export interface ReturnStep {
  readonly kind: 'return';
  readonly calculation: number;
  readonly returnId: string;
  readonly process: number;
}

export type Step =
  | Order
  | ReturnStep
  | { readonly kind: 'wait'; readonly ms: number }
  /** The idempotency window of a calculation passes: its answer has run out, its record has not. */
  | { readonly kind: 'window'; readonly calculation: number }
  /** Redis' clock goes ahead by so much; below 0, back. */
  | { readonly kind: 'jump'; readonly ms: number }
  /** Sent at once, by callers who do not know of each other. */
  | { readonly kind: 'together'; readonly orders: readonly Order[] }
  /** Sent while something breaks; `isRetried`: what was not answered is sent again afterwards. */
  | { readonly kind: 'broken'; readonly fault: Fault; readonly orders: readonly Order[]; readonly isRetried: boolean };

export interface History {
  readonly seed: number;
  readonly isStormy: boolean;
  readonly members: readonly MemberRule[];
  readonly steps: readonly Step[];
}

/** One history in so many meets faults; they need a pair of processes for themselves. */
export const STORMY_EVERY = 6;

/** Far from the seeds that anybody plays. */
const MORE_SEEDS = 1_000_000_007;

const SALE_STATUSES = ['applied', 'applied', 'applied', 'cancelled', 'unchanged', 'failed', 'not_applicable'] as const;

/** Waits: none to speak of, the better part of a hold, and past its end. */
const WAITS_IN_HOLDS = [0.02, 0.6, 1.1] as const;

export function historyOf(seed: number, holdMs: number): History {
  const random = new Random(seed);
  const isStormy = seed % STORMY_EVERY === 0;
  const members = randomMembers(random);
  const draw = new Draw(random, new Random(seed + MORE_SEEDS), members.length);
  const length = isStormy ? random.between(6, 12) : random.between(12, 28);
  const steps = Array.from({ length }, (): Step => {
    if (isStormy && random.chance(0.4)) {
      const fault = randomFault(random);
      const drawn = draw.orders(random.between(1, 4));
      // An ambush catches nothing on the other process' way.
      const orders = fault.kind === 'ambush' ? drawn.map((order) => ({ ...order, process: fault.process })) : drawn;
      return { kind: 'broken', fault, orders, isRetried: random.chance(0.7) };
    }
    if (random.chance(0.12)) return { kind: 'wait', ms: Math.round(holdMs * random.pick(WAITS_IN_HOLDS)) };
    if (random.chance(0.2)) return { kind: 'together', orders: draw.orders(random.between(2, 4)) };
    return draw.order();
  });
  return { seed, isStormy, members, steps };
}

class Draw {
  readonly #random: Random;
  readonly #more: Random;
  readonly #members: number;
  readonly #baskets: BasketOrder[] = [];
  readonly #sales: SaleOrder[] = [];
  #next = 0;

  /** What `more` draws is added to the orders and changes nothing else, so that the seeds of before are what they were. */
  constructor(random: Random, more: Random, members: number) {
    this.#random = random;
    this.#more = more;
    this.#members = members;
  }

  orders(count: number): Order[] {
    return Array.from({ length: count }, () => this.order());
  }

  order(): Order {
    const random = this.#random;
    const what = random.next();
    const process = random.between(0, 1);
    const known = this.#baskets.length > 0;
    if (known && what < 0.12) return { ...random.pick(this.#baskets), process };
    if (known && what < 0.18) return this.#keep(this.#basket(random.pick(this.#baskets).calculation, process));
    if (this.#sales.length > 0 && what < 0.24) return { ...random.pick(this.#sales), process };
    if (known && what < 0.5) return this.#sale(random.pick(this.#baskets.slice(-4)).calculation, process);
    // An event of a calculation that comes later, or never.
    if (what < 0.55) return this.#sale(this.#next + random.between(0, 1), process);
    this.#next += 1;
    return this.#keep(this.#basket(this.#next - 1, process));
  }

  #basket(calculation: number, process: number): BasketOrder {
    const random = this.#random;
    const older = random.chance(0.3) ? Math.max(0, calculation - random.between(-1, 3)) : calculation;
    return {
      kind: 'basket',
      calculation,
      // Most baskets are the first member's: two tills have to want the same benefit.
      member: random.chance(0.6) ? 0 : random.between(0, this.#members - 1),
      venue: random.chance(0.85) ? 0 : 1,
      day: random.chance(0.8) ? 0 : 1,
      groups: [...Array.from({ length: random.between(1, 3) }, () => random.pick(GROUPS)), ...this.#moreGroups()],
      ...(older !== calculation && { supersedes: older }),
      process,
    };
  }

  #moreGroups(): Group[] {
    const more = this.#more;
    const count = more.chance(0.5) ? more.between(1, 3) : 0;
    return Array.from({ length: count }, () => more.pick(MORE_GROUPS));
  }

  #keep(order: BasketOrder): BasketOrder {
    this.#baskets.push(order);
    return order;
  }

  #sale(calculation: number, process: number): SaleOrder {
    const status = this.#random.pick(SALE_STATUSES);
    const transaction = status === 'cancelled' ? '-' : this.#random.chance(0.85) ? 1 : 2;
    const order: SaleOrder = { kind: 'sale', calculation, status, outcome: `${status} ${transaction}`, process };
    this.#sales.push(order);
    return order;
  }
}
