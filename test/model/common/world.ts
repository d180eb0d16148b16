/** Limits over all members as the histories of this folder use them, and the steps that a seed draws. */
import { Random } from '../../../packages/simulator/src/random.ts';

export interface Rule {
  readonly name: string;
  /** Absent for a limit of each member. */
  readonly of?: 'programme' | 'venue';
  readonly counts: 'baskets' | 'items' | 'money';
  readonly period: 'lifetime' | 'day';
  readonly limit: number;
  /** Units that a basket may ask for, the fewest and the most. */
  readonly units: readonly [number, number];
}

/** Every way to count, each owner, with and without a period; of each so few that baskets compete. */
export const RULES: readonly Rule[] = [
  { name: 'gift', of: 'programme', counts: 'baskets', period: 'lifetime', limit: 4, units: [1, 1] },
  { name: 'wine', of: 'venue', counts: 'items', period: 'day', limit: 6, units: [1, 4] },
  { name: 'tab', of: 'programme', counts: 'money', period: 'lifetime', limit: 9_000, units: [700, 4_000] },
  { name: 'once', counts: 'baskets', period: 'lifetime', limit: 2, units: [1, 1] },
];
export const VENUES = ['oslo-central', 'bergen-quay'] as const;
/** Periods that end long after any run, so that none is forgotten while a history is played. */
export const DAYS = ['2090-05-01', '2090-05-02'] as const;
export const MEMBERS = 4;

const MARKS = { baskets: '', items: '#items', money: '$NOK' } as const;

/** The counter's name as the store writes it. */
export function usageKeyOf({ name, of, counts, period }: Rule, day: number): string {
  return `${name}${MARKS[counts]}${of ? `~${of}` : ''}:${period === 'day' ? DAYS[day] : '*'}`;
}

export interface Wish {
  readonly rule: string;
  readonly units: number;
  /** The limit as the configuration has it when the basket comes. */
  readonly limit: number;
}

export interface BasketStep {
  readonly kind: 'basket';
  readonly calculation: number;
  readonly member: number;
  readonly venue: number;
  readonly day: number;
  readonly wishes: readonly Wish[];
  readonly supersedes?: number;
  readonly process: number;
  /** The process dies after this: it has held the units, or has committed and confirmed nothing. */
  readonly dies?: 'held' | 'committed';
}

export interface SaleStep {
  readonly kind: 'sale';
  readonly calculation: number;
  readonly status: 'applied' | 'cancelled';
  readonly process: number;
  /** The process dies when the sale is booked, before it reaches the counters. */
  readonly dies?: true;
}

export type Call =
  | BasketStep
  | SaleStep
  | { readonly kind: 'return'; readonly calculation: number; readonly process: number };

export type Step =
  | Call
  /** Two hours pass: more than a call lives, and less than half of a hold. */
  | { readonly kind: 'time' }
  | { readonly kind: 'sweep' }
  /** Redis is killed, and starts on what it left behind. */
  | { readonly kind: 'kill' }
  /** A call whose request to Redis meets a fault, and that its caller repeats until it is answered. */
  | {
      readonly kind: 'broken';
      readonly call: Call;
      readonly script: string;
      readonly ambush: 'reset before' | 'reset after';
    }
  /** Baskets of several members that want the same units at once, each of them sent once. */
  | { readonly kind: 'rush'; readonly baskets: readonly BasketStep[] };

/** The scripts between which a process may be cut off. */
const SCRIPTS = [
  ...['hold-common', 'commit-calculation', 'confirm-common', 'end-common', 'finish-common'],
  ...['settle-sale', 'release-superseded', 'give-back-common', 'read-common', 'claim-index'],
] as const;

/** The steps of a seed. `isFaulty`: with kills of Redis and requests that are cut off, which a cluster's test leaves out. */
export function drawSteps(seed: number, isFaulty: boolean): Step[] {
  const random = new Random(seed);
  const draw = new Draw(random);
  return Array.from({ length: random.between(18, 36) }, () => drawTurn(random, draw, isFaulty)).flat();
}

/** Mostly one step. */
function drawTurn(random: Random, draw: Draw, isFaulty: boolean): Step[] {
  const what = random.next();
  // All that is held ends, others take it, and then the older baskets are sold.
  if (what < 0.05)
    return [TIME, TIME, TIME, ...(random.chance(0.5) ? [SWEEP] : []), ...draw.rivals(), ...draw.lateSales()];
  // A return that is repeated gives nothing back again.
  if (what < 0.09) return draw.returns();
  return [drawStep(random, draw, isFaulty)];
}

const TIME: Step = { kind: 'time' };
const SWEEP: Step = { kind: 'sweep' };

function drawStep(random: Random, draw: Draw, isFaulty: boolean): Step {
  const what = random.next();
  const [script, ambush] = [random.pick(SCRIPTS), random.pick(['reset before', 'reset after'] as const)];
  if (what < 0.1) return TIME;
  if (what < 0.16) return SWEEP;
  if (what < 0.17) return isFaulty ? { kind: 'kill' } : SWEEP;
  if (what < 0.27) return { kind: 'rush', baskets: draw.rush() };
  if (what < 0.31) draw.raise();
  const call = draw.call();
  if (what < 0.4 && isFaulty) return { kind: 'broken', call: alive(call), script, ambush };
  return call;
}

function alive(call: Call): Call {
  if (call.kind === 'return') return call;
  const { dies: _, ...rest } = call;
  return rest;
}

class Draw {
  readonly #random: Random;
  readonly #baskets: BasketStep[] = [];
  readonly #sold: number[] = [];
  readonly #limits = new Map(RULES.map(({ name, limit }) => [name, limit]));

  constructor(random: Random) {
    this.#random = random;
  }

  /** The configuration is changed while the campaign runs, mostly for more. */
  raise(): void {
    const { name, limit } = this.#random.pick(RULES);
    const before = this.#limits.get(name)!;
    this.#limits.set(name, this.#random.chance(0.8) ? before + Math.ceil(limit / 3) : Math.ceil(before / 2));
  }

  call(): Call {
    const random = this.#random;
    const known = this.#baskets.length > 0;
    const what = random.next();
    const process = random.between(0, 1);
    if (known && what < 0.12) return { ...alive(random.pick(this.#baskets)), process };
    if (known && what < 0.4) return this.#sale(process);
    if (known && what < 0.46) return { kind: 'return', calculation: this.#latest().calculation, process };
    // A sale whose basket comes later, or never.
    if (what < 0.48) return { ...this.#sale(process), calculation: this.#baskets.length };
    return this.#keep(this.#basket(process));
  }

  /** Each has a member of its own and wants one unit of one limit; or all are successors of baskets of their members. */
  rush(): BasketStep[] {
    const random = this.#random;
    const rule = random.pick(RULES.filter(({ of }) => of));
    const [venue, day] = [random.between(0, 1), random.between(0, 1)];
    const wishes = [{ rule: rule.name, units: 1, limit: this.#limits.get(rule.name)! }];
    return Array.from({ length: MEMBERS }, (_, member) => {
      const older = this.#baskets.findLast((other) => other.member === member && other.venue === venue);
      return this.#keep({
        ...{ kind: 'basket', calculation: this.#baskets.length, member, venue, day, wishes, process: member % 2 },
        ...(older && random.chance(0.5) && { supersedes: older.calculation }),
      });
    });
  }

  /** Some baskets that want what the others had. */
  rivals(): Step[] {
    return Array.from({ length: 4 }, () => this.#keep(this.#basket(this.#random.between(0, 1))));
  }

  lateSales(): Step[] {
    const older = this.#baskets.slice(-10, -4);
    return older.map(({ calculation }) => ({ ...this.#sale(0), calculation, status: 'applied' }));
  }

  /** Of a sale among the latest, if one of them was sold. */
  returns(): Step[] {
    const [sold] = this.#sold.splice(-this.#random.between(1, 2), 1);
    if (sold === undefined) return [];
    return [0, 1].map((process) => ({ kind: 'return', calculation: sold, process }));
  }

  #latest(): BasketStep {
    return this.#random.pick(this.#baskets.slice(-6));
  }

  #basket(process: number): BasketStep {
    const random = this.#random;
    const wishes = RULES.filter(() => random.chance(0.55)).map(
      ({ name, units }): Wish => ({ rule: name, units: random.between(...units), limit: this.#limits.get(name)! }),
    );
    const member = random.between(0, MEMBERS - 1);
    const own = this.#baskets.filter((other) => other.member === member);
    const older = random.chance(0.4) ? (random.chance(0.8) ? own : this.#baskets).at(-random.between(1, 2)) : undefined;
    const dies = random.chance(0.15) ? random.pick(['held', 'committed'] as const) : undefined;
    return {
      ...{ kind: 'basket', calculation: this.#baskets.length, member, wishes, process },
      ...{ venue: random.chance(0.8) ? 0 : 1, day: random.chance(0.8) ? 0 : 1 },
      ...(older && { supersedes: older.calculation }),
      ...(dies && { dies }),
    };
  }

  #sale(process: number): SaleStep {
    const random = this.#random;
    const status = random.chance(0.7) ? 'applied' : 'cancelled';
    const calculation = this.#baskets.length === 0 ? 0 : this.#latest().calculation;
    if (status === 'applied') this.#sold.push(calculation);
    return { kind: 'sale', calculation, status, process, ...(random.chance(0.15) && { dies: true }) };
  }

  #keep(basket: BasketStep): BasketStep {
    this.#baskets.push(basket);
    return basket;
  }
}
