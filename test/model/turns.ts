/**
 * What time does in a history: idempotency windows that pass, and a clock of Redis that goes wrong and comes right again.
 * Drawn from a seed of its own and woven between the steps, so that the orders of a seed stay what they were.
 */
import { Random } from '../../packages/simulator/src/random.ts';
import type { BasketOrder, Order, SaleOrder, Step } from './history.ts';
import { GROUPS } from './world.ts';

/** The half of all histories in which time is well behaved. */
const CALM_SHARE = 0.5;
/** How far the clock goes wrong, in holds: past the end of the older ones, or of all. */
const JUMPS_IN_HOLDS = [0.7, 2] as const;
const PAST_A_HOLD = 1.1;
/** Calculations of this file's own, past those of any history. */
const FIRST_RIVAL = 1000;
const SALE: Omit<SaleOrder, 'calculation' | 'process'> = { kind: 'sale', status: 'applied', outcome: 'applied 1' };

/** The steps with what time does between them. */
export function weaveTurns(steps: readonly Step[], seed: number, holdMs: number): Step[] {
  const random = new Random(~seed);
  if (random.chance(CALM_SHARE)) return [...steps];
  const turns = new Turns(random, holdMs);
  return [...steps.flatMap((step) => [...turns.draw(), turns.note(step)]), ...turns.setRight()];
}

class Turns {
  readonly #random: Random;
  readonly #holdMs: number;
  readonly #baskets: BasketOrder[] = [];
  /** Events of calculations that time has touched, which come a little later. */
  readonly #sales: Order[] = [];
  #aheadMs = 0;
  #rivals = 0;

  constructor(random: Random, holdMs: number) {
    this.#random = random;
    this.#holdMs = holdMs;
  }

  /** Remembers whom a step has called for. */
  note(step: Step): Step {
    const orders = step.kind === 'basket' ? [step] : 'orders' in step ? step.orders : [];
    for (const order of orders) if (order.kind === 'basket') this.#baskets.push(order);
    return step;
  }

  draw(): Step[] {
    const random = this.#random;
    // While the clock is wrong, others take what it has set free; then the sales come.
    const sales = this.#aheadMs === 0 && random.chance(0.5) ? this.#sales.splice(0) : [];
    const what = random.next();
    // A clock that is wrong is set right soon.
    if (what < (this.#aheadMs === 0 ? 0.08 : 0.5)) return [...sales, ...this.#jump()];
    if (what > 0.9 && this.#baskets.length > 0) return [...sales, ...this.#passWindow()];
    return sales;
  }

  /** The last step of a history whose clock is still wrong. */
  setRight(): Step[] {
    return this.#aheadMs === 0 ? [] : [{ kind: 'jump', ms: -this.#aheadMs }, ...this.#sales];
  }

  #jump(): Step[] {
    const random = this.#random;
    const [latest] = this.#baskets.slice(-random.between(1, 3));
    if (latest) this.#sales.push({ ...SALE, calculation: latest.calculation, process: random.between(0, 1) });
    const awayMs = (random.chance(0.75) ? 1 : -1) * Math.round(this.#holdMs * random.pick(JUMPS_IN_HOLDS));
    const ms = this.#aheadMs === 0 ? awayMs : -this.#aheadMs;
    this.#aheadMs += ms;
    if (!latest || ms < 0 || random.chance(0.3)) return [{ kind: 'jump', ms }];
    // Somebody wants what the hold has set free.
    this.#rivals += 1;
    const { supersedes: _, ...rival } = latest;
    return [
      { kind: 'jump', ms },
      { ...rival, calculation: FIRST_RIVAL + this.#rivals, process: random.between(0, 1) },
    ];
  }

  /** Often the calculation is priced again at once, as a till does that asks after a day, and sold. */
  #passWindow(): Step[] {
    const random = this.#random;
    const order = random.pick(this.#baskets.slice(-5));
    const { calculation } = order;
    const steps: Step[] = [{ kind: 'window', calculation }];
    if (random.chance(0.5)) steps.unshift({ kind: 'wait', ms: Math.round(PAST_A_HOLD * this.#holdMs) });
    if (random.chance(0.3)) return steps;
    const process = random.between(0, 1);
    const { supersedes: _, ...again } = order;
    const groups = random.chance(0.5) ? order.groups : [random.pick(GROUPS)];
    this.#sales.push({ ...SALE, calculation, process });
    return [...steps, { ...again, groups, process }];
  }
}
