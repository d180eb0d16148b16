/**
 * What limits over all members promise, said as plainly as it can be. Calls take effect one at a time; time is counted in steps of
 * two hours (play.ts). A counter knows what is consumed, and who holds units of it until when.
 */
import { type BasketStep, RULES, type Rule, type SaleStep, usageKeyOf, VENUES } from './world.ts';

/** A hold lasts less than three steps of time, and a call less than one. */
const HOLD_STEPS = 3;
const CALL_STEPS = 1;

interface Hold {
  readonly units: number;
  /** The step of time at which it is there no more. */
  readonly until: number;
}

export interface Counter {
  consumed: number;
  over: number;
  readonly holds: Map<number, Hold>;
}

interface Taken {
  readonly key: string;
  readonly units: number;
  readonly limit: number;
}

export interface Calculation {
  /** The basket that was committed. */
  print?: string;
  state: 'unseen' | 'open' | 'expired' | 'superseded' | 'sold';
  member?: number;
  venue?: number;
  taken: readonly Taken[];
  until: number;
  sale?: string;
  /** A process died before it had ended the holds of this one. */
  due?: 'applied' | 'cancelled' | undefined;
  /** The counters do not know of its commit; whoever reads them once the call is over looks it up, and completes what is due. */
  isUnconfirmed?: boolean;
  isReturned?: boolean;
}

export class CommonModel {
  readonly calculations = new Map<number, Calculation>();
  readonly counters = new Map<string, Counter>();
  now = 0;

  counter(key: string): Counter {
    const known = this.counters.get(key) ?? { consumed: 0, over: 0, holds: new Map() };
    this.counters.set(key, known);
    return known;
  }

  /** Units that others than these calculations leave. */
  left(key: string, limit: number, except: readonly (number | undefined)[]): number {
    return limit - this.counter(key).consumed - this.held(key, except);
  }

  held(key: string, except: readonly (number | undefined)[] = []): number {
    const live = [...this.counter(key).holds].filter(([id, { until }]) => until > this.now && !except.includes(id));
    return live.reduce((sum, [, { units }]) => sum + units, 0);
  }

  time(): void {
    this.now += 1;
    for (const [id, each] of this.calculations) {
      if (each.isUnconfirmed) this.#complete(id, each);
      each.isUnconfirmed = false;
    }
  }

  /** What a sweep has to do something about, in the order in which it is done here: how much is past a limit depends on it. */
  sweepable(): number[] {
    const isDue = ({ state, until, due }: Calculation) => due !== undefined || (state === 'open' && until <= this.now);
    return [...this.calculations].filter(([, each]) => isDue(each)).map(([id]) => id);
  }

  /** Accounts for whatever ended unsold, and completes what processes that died left undone. */
  sweep(): void {
    for (const [id, each] of this.calculations) {
      if (each.state === 'open' && each.until <= this.now) {
        each.state = 'expired';
        this.#release(id, each.taken);
      }
      this.#complete(id, each);
    }
  }

  basket(step: BasketStep, print: string): string {
    const { calculation, member, venue, dies } = step;
    const present = this.calculations.get(calculation);
    if (present?.print !== undefined) return present.print === print ? 'replay' : 'conflict';
    const { taken, tried, isEnded } = this.price(step);
    const call = { print, member, venue, until: this.now + HOLD_STEPS };
    if (dies === 'held') {
      // Nothing but the hold came of it, which ends with the call.
      const known: Calculation = present ?? { state: 'unseen', taken: [], until: 0 };
      this.#holdForCall(calculation, tried);
      this.calculations.set(calculation, known);
      return 'died';
    }
    this.#supersede(step);
    if (isEnded) {
      if (dies) this.#holdForCall(calculation, tried);
      else this.#release(calculation, tried);
      this.calculations.set(calculation, { ...present!, ...call, taken: present?.sale ? [] : taken });
      return dies ? 'died' : wordOf(taken);
    }
    this.#release(calculation, tried);
    if (dies) this.#holdForCall(calculation, tried);
    this.calculations.set(calculation, { ...call, state: 'open', taken, isUnconfirmed: dies !== undefined });
    for (const { key, units } of taken) this.#hold(key, calculation, units, HOLD_STEPS);
    return dies ? 'died' : wordOf(taken);
  }

  /** Takes over a basket of which others have decided, in whatever order they came, whether it was given all that it wants. */
  adopt(step: BasketStep, print: string, isGiven: boolean): void {
    const { calculation, member, venue, wishes } = step;
    this.#supersede(step);
    const given = isGiven ? wishes : [];
    const taken = given.map(({ rule, ...wish }) => ({
      ...wish,
      key: keyOf(RULES.find(({ name }) => name === rule)!, step),
    }));
    this.calculations.set(calculation, { print, member, venue, until: this.now + HOLD_STEPS, state: 'open', taken });
    for (const { key, units } of taken) this.#hold(key, calculation, units, HOLD_STEPS);
  }

  /** What a basket takes if it comes now. */
  price(step: BasketStep): {
    readonly taken: readonly Taken[];
    /** Held before the commit, which then gives it up where it is refused. */
    readonly tried: readonly Taken[];
    readonly isEnded: boolean;
  } {
    const { calculation, supersedes } = step;
    const state = this.calculations.get(calculation)?.state;
    const isEnded = state === 'sold' || state === 'superseded';
    const older = this.calculations.get(supersedes ?? -1);
    const isOwn = older?.member === step.member;
    const goesOver = isOwn && this.#maySupersede(supersedes!, step);
    const takenWith = (isLent: boolean): { readonly taken: readonly Taken[]; readonly needsMore: boolean } => {
      let needsMore = false;
      const taken = step.wishes.flatMap(({ rule: name, units: wanted, limit }): Taken[] => {
        const rule = RULES.find((each) => each.name === name)!;
        const key = keyOf(rule, step);
        const free = this.left(key, limit, [calculation]);
        const withOlder = this.left(key, limit, [calculation, isOwn ? supersedes : undefined]);
        // A commit that takes no hold asks nothing of the member's own limits.
        const own = isEnded ? limit : goesOver ? withOlder : free;
        const common = isLent ? withOlder : free;
        const left = rule.of ? common : own;
        const units = rule.counts === 'money' ? Math.min(wanted, Math.max(0, left)) : left >= wanted ? wanted : 0;
        if (units === 0) return [];
        if (rule.of && units > free) needsMore = true;
        return [{ key, units, limit }];
      });
      return { taken, needsMore };
    };
    const tried = takenWith(true);
    // Units of an older calculation that does not end with this one are not there; what others have left still is.
    const isRefused = tried.needsMore && !goesOver && !isEnded;
    return { tried: tried.taken, taken: isRefused ? takenWith(false).taken : tried.taken, isEnded };
  }

  sale({ calculation, status, dies }: SaleStep): string {
    const present = this.calculations.get(calculation);
    if (present?.sale !== undefined) {
      if (present.sale !== status) return 'conflict';
      if (present.print === undefined) return 'unknown_calculation';
      this.#complete(calculation, present);
      return 'duplicate';
    }
    if (present === undefined || present.print === undefined) {
      this.calculations.set(calculation, { ...(present ?? { taken: [], until: 0 }), state: 'sold', sale: status });
      return 'unknown_calculation';
    }
    present.state = 'sold';
    present.sale = status;
    present.due = status;
    for (const { key } of present.taken.filter((use) => use.key.startsWith('member')))
      this.#end(calculation, present, key);
    if (dies) return 'died';
    this.#complete(calculation, present);
    return 'recorded';
  }

  /** Everything comes back, once. Undefined where nothing was sold that could. */
  bringBack(calculation: number): readonly Taken[] | undefined {
    const present = this.calculations.get(calculation);
    if (present?.sale !== 'applied' || present.due || present.print === undefined) return undefined;
    const common = present.taken.filter(({ key }) => !key.startsWith('member'));
    if (present.isReturned) return common;
    present.isReturned = true;
    for (const { key, units } of common) {
      const counter = this.counter(key);
      const given = Math.min(units, counter.consumed);
      counter.consumed -= given;
      counter.over -= Math.min(given, counter.over);
    }
    return common;
  }

  #maySupersede(older: number, { venue }: BasketStep): boolean {
    const present = this.calculations.get(older);
    if (present === undefined || present.state === 'unseen') return true;
    return present.state === 'open' && present.venue === venue;
  }

  #supersede(step: BasketStep): void {
    const { supersedes } = step;
    if (supersedes === undefined || !this.#maySupersede(supersedes, step)) return;
    const present = this.calculations.get(supersedes);
    // What a call that died holds without a commit ends with that call.
    if (present?.print !== undefined) this.#release(supersedes, present.taken);
    this.calculations.set(supersedes, { ...(present ?? { taken: [], until: 0 }), state: 'superseded' });
  }

  #complete(id: number, calculation: Calculation): void {
    if (!calculation.due) return;
    for (const { key } of calculation.taken.filter((use) => !use.key.startsWith('member')))
      this.#end(id, calculation, key);
    calculation.due = undefined;
  }

  #end(id: number, { sale, taken }: Calculation, key: string): void {
    const { units, limit } = taken.find((use) => use.key === key)!;
    const counter = this.counter(key);
    const isHeld = (counter.holds.get(id)?.until ?? 0) > this.now;
    counter.holds.delete(id);
    if (sale !== 'applied') return;
    counter.consumed += units;
    // Only what no hold covers any more can go past the limit.
    if (!isHeld) counter.over = Math.max(counter.over, counter.consumed + this.held(key) - limit);
  }

  /** A call that dies has held units of all members; a member's own are held by a commit alone. */
  #holdForCall(id: number, taken: readonly Taken[]): void {
    for (const { key, units } of taken) if (!key.startsWith('member')) this.#hold(key, id, units, CALL_STEPS);
  }

  #hold(key: string, id: number, units: number, steps: number): void {
    const { holds } = this.counter(key);
    const before = holds.get(id);
    const covered = before && before.until > this.now && steps === CALL_STEPS ? before.units : 0;
    holds.set(id, { units: Math.max(units, covered), until: this.now + steps });
  }

  /** Units of other limits, which a call that died has held for the same calculation, stay until that call is over. */
  #release(id: number, taken: readonly Taken[]): void {
    for (const { key } of taken) this.counter(key).holds.delete(id);
  }
}

/** The counter of a rule for a basket; a member's own begins with `member`. */
export function keyOf(rule: Rule, { member, venue, day }: Pick<BasketStep, 'member' | 'venue' | 'day'>): string {
  const owner = rule.of === undefined ? `member-${member}` : rule.of === 'venue' ? VENUES[venue] : 'all';
  return `${owner} ${usageKeyOf(rule, day)}`;
}

export function wordOf(taken: readonly { readonly key: string; readonly units: number }[]): string {
  return ['applied', ...taken.map(({ key, units }) => `${key}=${units}`)].join(' ');
}
