/**
 * The reference model: what the service promises about calculations, holds, consumption and sales, said as plainly as it
 * can be. Every order takes effect at one instant `nowMs` and comes to one word, which the driver compares.
 */
import type { BasketOrder, SaleOrder } from './history.ts';
import { type Price, priceOrder } from './price.ts';
import { BENEFITS, countersOf, LIMITS, type MemberRule, readUse, unitsOf } from './world.ts';

/** A calculation that somebody has heard of. Without a `print` it was never committed: a tombstone, or a mere claim. */
export interface Calculation {
  /** Names the body that was committed. */
  print?: string;
  member?: number;
  venue?: number;
  /** What it took when it was committed, whether or not that is still held. */
  uses: readonly string[];
  deadlineMs: number;
  isSuperseded: boolean;
  /** The outcome that was recorded first. */
  sale?: string;
  /** Per member what a committed life had taken that is sold: later lives of that member leave it as it is. */
  sold?: ReadonlyMap<number, readonly string[]>;
  /** A calculation of another member that a call cut short has still to release. */
  pendingRelease?: number | undefined;
  /** Its answer is still there: the idempotency window has not passed. */
  hasAnswer?: boolean;
  /** Its hold was taken away while the clock was ahead. */
  isLost?: boolean;
  /** Its sale was told before its commit. It outranks a successor, whose mark need not be kept beside it. */
  isSoldUnseen?: boolean;
}

/** The state of things in which a limit was read. */
export type Sighting = (use: string) => Model;

/** Every way to have read each limit in one of these states; counters that the basket does not ask for do not matter. */
export function sightings(states: readonly Model[], { groups, day }: Pick<BasketOrder, 'groups' | 'day'>): Sighting[] {
  const asked = BENEFITS.filter((benefit) => benefit.groups.some((group) => groups.includes(group)));
  let found: ReadonlyMap<string, Model>[] = [new Map()];
  for (const use of new Set(asked.flatMap((benefit) => countersOf(benefit, day))))
    found = found.flatMap((own) => states.map((state) => new Map([...own, [use, state]])));
  return found.map((own) => (use) => own.get(use)!);
}

export class Model {
  calculations = new Map<number, Calculation>();
  /** Units by `member usageKey`. */
  consumed = new Map<string, number>();
  over = new Map<string, number>();
  readonly members: readonly MemberRule[];
  readonly holdMs: number;

  constructor(members: readonly MemberRule[], holdMs: number) {
    this.members = members;
    this.holdMs = holdMs;
  }

  clone(): Model {
    const copy = new Model(this.members, this.holdMs);
    copy.become(this);
    return copy;
  }

  /** Takes over all that another one knows. */
  become(other: Model): void {
    this.calculations = structuredClone(other.calculations);
    this.consumed = new Map(other.consumed);
    this.over = new Map(other.over);
  }

  /**
   * `seen` is what the basket was priced on, limit by limit: another call may have taken effect before this one did, and
   * the shortage that a commit reports is of later than the rest. What the basket takes must be free all the same when it
   * takes effect; otherwise the word is `short`.
   */
  basket(order: BasketOrder, print: string, nowMs: number, seen: Sighting = () => this): string {
    const present = this.calculations.get(order.calculation);
    if (present?.print !== undefined && present.hasAnswer === true) {
      if (present.print !== print) return 'conflict';
      this.#supersede(present.pendingRelease, present.venue);
      present.pendingRelease = undefined;
      return 'replay';
    }
    // After its sale event or its successor a calculation is answered, and holds nothing.
    const isSold = present?.sale !== undefined;
    const hasEnded = isSold || present?.isSuperseded === true;
    const older = this.calculations.get(order.supersedes ?? -1);
    const isReleased = older?.print === undefined || this.#maySupersede(older, order.venue);
    const released = isReleased || hasEnded ? order.supersedes : undefined;
    const { word, uses } = this.#price(order, nowMs, released, seen);
    const isFree = ([key, units]: readonly [string, number]) => units <= this.#left(order, key, nowMs, released);
    if (!hasEnded && !uses.map(readUse).every(isFree)) return 'short';
    // One that was sold in an earlier life keeps what was sold; otherwise nothing of an earlier life counts.
    const kept = isSold ? present.sold?.get(order.member) : undefined;
    const taken = kept ?? (isSold ? [] : uses);
    // A member that takes the ID over is told of the sale, which outranks a successor.
    const isTakenOver = present?.member !== undefined && present.member !== order.member;
    this.calculations.set(order.calculation, {
      ...present,
      isSuperseded: present?.isSuperseded === true && !(isSold && isTakenOver),
      print,
      hasAnswer: true,
      isLost: false,
      member: order.member,
      venue: order.venue,
      uses: taken,
      ...(isSold && { sold: new Map([...(present.sold ?? []), [order.member, taken]]) }),
      deadlineMs: nowMs + this.holdMs,
    });
    this.#supersede(order.supersedes, order.venue);
    return word;
  }

  sale({ calculation, status, outcome }: SaleOrder, nowMs: number): string {
    const present = this.calculations.get(calculation) ?? { uses: [], deadlineMs: 0, isSuperseded: false };
    const isCommitted = present.print !== undefined;
    if (present.sale !== undefined) {
      if (present.sale !== outcome) return 'conflict';
      return isCommitted ? 'duplicate' : 'unknown_calculation';
    }
    const isLate = present.isSuperseded || present.deadlineMs <= nowMs || present.isLost === true;
    const sold = isCommitted ? { sold: new Map([...(present.sold ?? []), [present.member!, present.uses]]) } : {};
    const unseen = isCommitted ? {} : { isSoldUnseen: true };
    this.calculations.set(calculation, { ...present, ...sold, ...unseen, sale: outcome });
    if (!isCommitted) return 'unknown_calculation';
    if (status === 'applied') for (const use of present.uses) this.#consume(present.member!, use, isLate, nowMs);
    return 'recorded';
  }

  /** Units that live holds take, without those of one calculation. */
  held(member: number, use: string, nowMs: number, except: readonly (number | undefined)[] = []): number {
    let units = 0;
    for (const [calculation, each] of this.calculations) {
      if (each.member !== member || each.sale !== undefined || each.isSuperseded || each.isLost) continue;
      if (each.deadlineMs <= nowMs) continue;
      if (!except.includes(calculation)) units += unitsOf(each.uses, use);
    }
    return units;
  }

  #price(order: BasketOrder, nowMs: number, released: number | undefined, seen: Sighting): Price {
    const { status, grants } = this.members[order.member]!;
    if (status === 'unknown') return { word: 'member_not_found', uses: [] };
    if (status === 'paused') return { word: 'unchanged member_inactive', uses: [] };
    return priceOrder(order, grants, (key) => seen(key).#left(order, key, nowMs, released));
  }

  #left({ member, calculation }: BasketOrder, key: string, nowMs: number, released: number | undefined): number {
    const taken = this.#units(this.consumed, member, key) + this.held(member, key, nowMs, [calculation, released]);
    return LIMITS.get(key)! - taken;
  }

  #maySupersede(older: Calculation, venue: number | undefined): boolean {
    return older.sale === undefined && !older.isSuperseded && (older.print === undefined || older.venue === venue);
  }

  #supersede(older: number | undefined, venue: number | undefined): void {
    if (older === undefined) return;
    const present = this.calculations.get(older) ?? { uses: [], deadlineMs: 0, isSuperseded: false };
    if (this.#maySupersede(present, venue)) this.calculations.set(older, { ...present, isSuperseded: true });
  }

  #consume(member: number, taken: string, isLate: boolean, nowMs: number): void {
    const [use, units] = readUse(taken);
    const key = `${member} ${use}`;
    const consumed = this.#units(this.consumed, member, use) + units;
    this.consumed.set(key, consumed);
    if (!isLate) return;
    // Only what no hold covers any more can go past the limit.
    const over = this.#units(this.over, member, use);
    this.over.set(key, Math.max(over, consumed + this.held(member, use, nowMs) - LIMITS.get(use)!));
  }

  #units(of: ReadonlyMap<string, number>, member: number, use: string): number {
    return of.get(`${member} ${use}`) ?? 0;
  }
}
