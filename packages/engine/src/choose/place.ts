import type { LineFacts } from '../lines/lines.ts';
import { type BuyGetOffer, isLimited, type LineOffer, spendsItems, type UnitOffer } from '../offers/offers.ts';
import type { LineTakes, Take } from '../settle/split.ts';
import { COST, type Work } from '../work.ts';
import { ByNumbers } from './by-numbers.ts';
import type { BundleCoupling, SetCoupling } from './couplings.ts';
import type { Drawn } from './draws.ts';
import { FEW_UNITS, mostPerUnit } from './roles.ts';
import { type SavingInput, Savings } from './saved.ts';
import type { Role, Way } from './way.ts';

export interface PlaceInput extends SavingInput {
  readonly roles: readonly Role[];
  /** The unlimited offers that may be best on a part of the line. */
  readonly plain: readonly LineOffer[];
  /** Offers that only a sum of money limits, and that may have what is left of the line. */
  readonly capped: readonly LineOffer[];
  /** Units that were drawn first. */
  readonly drawn: Drawn | undefined;
  /** Of ways that differ in the unlimited benefit of what is left all are kept: the judge may prefer any of them. */
  readonly everyChoice: boolean;
  readonly work: Work;
}

/** No unit that is left gains more than the first, and all of them no more than the second beside it. */
export interface Rest {
  readonly perUnit: number;
  readonly once: number;
}

const NO_WAYS: readonly Way[] = [];
const NO_FLAGS: readonly number[] = [];
const NO_BUNDLES: readonly BundleCoupling[] = [];
const NO_SETS: readonly SetCoupling[] = [];

/** A line of a component, and every way to use its units. What a way saves is computed once. */
export class Place {
  readonly line: LineFacts;
  readonly roles: readonly Role[];
  readonly worth: number;
  /** Units that offers may take, and those of them that sets and bundles may have. */
  readonly units: number;
  readonly unitsOfGroups: number;
  /** No more than this is saved by units that were drawn first. */
  readonly savedByDrawn: number;
  /** The roles whose units no other benefit has, and those whose units others may have too. */
  readonly exclusive: readonly number[];
  readonly shared: readonly number[];
  /** True where not every number of units is tried in every role. */
  readonly hasManyUnits: boolean;
  readonly #input: PlaceInput;
  readonly #plainRest: Rest;
  readonly #cappedRests: readonly (Rest & { readonly sums: readonly number[] })[];
  /** It has no discount to share out and no units that were drawn, so each part of it saves by itself. */
  readonly isBare: boolean;
  /** The roles of an offer stand together. */
  readonly #firstRole = new Map<UnitOffer, number>();
  readonly #ways = new ByNumbers<readonly Way[]>();
  #withoutRoles: readonly Way[] | undefined;
  #alone: Way | undefined;
  readonly #savings: Savings;

  constructor(line: LineFacts, input: PlaceInput) {
    const { roles, drawn, worth } = input;
    this.line = line;
    this.roles = roles;
    this.worth = worth;
    this.#input = input;
    this.#savings = new Savings(line, input);
    const sum = (takes: readonly Take[] = []): number => takes.reduce((units, own) => units + own.units, 0);
    this.units = line.units - sum(drawn?.taken) - sum(drawn?.bought);
    this.unitsOfGroups = this.units - sum(drawn?.combinable);
    const isWhole = line.isSplittable || line.units === 1;
    this.isBare = !line.unit && line.existing === 0 && line.allocated === 0 && isWhole && !drawn;
    const restsOf = (offers: readonly LineOffer[]) =>
      line.isOpenToLineBenefits ? offers.map((offer) => ({ offer, ...restOf(line, offer) })) : [];
    this.#plainRest = restsOf(input.plain).reduce((most, own) => largerRest(most, own, worth), { perUnit: 0, once: 0 });
    this.#cappedRests = restsOf(input.capped).map((own) => ({ ...own, sums: input.couplings.sumsOf.get(own.offer)! }));
    let byDrawn = 0;
    for (const { offer, units } of drawn?.taken ?? []) byDrawn += mostPerUnit(line, offer, units) * units;
    this.savedByDrawn = byDrawn * worth;
    this.exclusive = [...roles.keys()].filter((at) => roles[at]!.isExclusive);
    this.shared = [...roles.keys()].filter((at) => !roles[at]!.isExclusive);
    for (const [at, { offer }] of roles.entries()) if (!this.#firstRole.has(offer)) this.#firstRole.set(offer, at);
    this.hasManyUnits = roles.some(({ most }) => Math.min(most, this.units) > FEW_UNITS);
  }

  /** What is left of the line gains no more than this at such prices of the numbers of the state. */
  restAt(onLine: readonly number[]): Rest {
    let most = this.#plainRest;
    for (const own of this.#cappedRests)
      most = largerRest(
        most,
        own,
        own.sums.reduce((share, slot) => share - onLine[slot]!, this.worth),
      );
    return most;
  }

  hasRole(offer: UnitOffer): boolean {
    return this.#firstRole.has(offer);
  }

  /** The role of an offer, or −1. */
  roleOf(offer: UnitOffer, part: Role['part'], item?: number): number {
    const { roles } = this;
    for (let at = this.#firstRole.get(offer) ?? roles.length; at < roles.length && roles[at]!.offer === offer; at++)
      if (roles[at]!.part === part && roles[at]!.item === item) return at;
    return -1;
  }

  /** The ways that give each role just these units: they differ in the benefit of what is left. None where they are not permitted. */
  ways(counts: readonly number[]): readonly Way[] {
    const known = this.#ways.find(counts);
    if (known) return known;
    const own = this.#make(counts);
    this.#ways.add(counts, own);
    return own;
  }

  /** The one of them that saves most without what sums of money may cut. */
  best(counts: readonly number[]): Way | undefined {
    let best: Way | undefined;
    for (const way of this.ways(counts)) if (!this.isCapped(way) && (!best || way.saving > best.saving)) best = way;
    return best;
  }

  /** True where what is left of the line has a benefit that only a sum of money limits. */
  isCapped({ takes: { rest } }: Way): boolean {
    return this.#input.capped.some((own) => own === rest);
  }

  /** The ways in which no role has any units. */
  get withoutRoles(): readonly Way[] {
    this.#withoutRoles ??= this.ways(this.roles.map(() => 0));
    return this.#withoutRoles;
  }

  /** The best way of the line by itself. */
  get alone(): Way {
    this.#alone ??= this.best(this.roles.map(() => 0)) ?? this.withoutRoles[0]!;
    return this.#alone;
  }

  /** The sums of money that offers draw on which may have what is left of the line. */
  get cappedSums(): readonly number[] {
    return this.#input.capped.flatMap((offer) => this.#input.couplings.sumsOf.get(offer)!);
  }

  #make(counts: readonly number[]): readonly Way[] {
    const { line, roles } = this;
    const { drawn, work } = this.#input;
    const rested = 1 + this.#input.plain.length + this.#input.capped.length;
    work.count(this.isBare ? COST.bareOption + COST.bareRest * rested : COST.option * rested);
    let [left, ofGroups] = [this.units, this.unitsOfGroups];
    const taken: Take[] = [...(drawn?.taken ?? [])];
    const bought: Take<BuyGetOffer>[] = [...(drawn?.bought ?? [])];
    const combinable: Take<BuyGetOffer>[] = [...(drawn?.combinable ?? [])];
    const [slots, amounts]: [number[], number[]] = [[], []];
    let flags: readonly number[] = NO_FLAGS;
    let bundles: readonly BundleCoupling[] = NO_BUNDLES;
    let sets: readonly SetCoupling[] = NO_SETS;
    let fixed = 0;
    for (let at = 0; at < roles.length; at++) {
      const units = counts[at]!;
      if (units === 0) continue;
      const { offer, part, isExclusive, isOfGroup, slots: own, bundle, set, flag, item } = roles[at]!;
      if (isExclusive) left -= units;
      if (isOfGroup) ofGroups -= units;
      if (part === 'bought')
        (isExclusive ? bought : combinable).push({ offer: offer as BuyGetOffer, line: line.index, units });
      else addTo(taken, { offer, line: line.index, units });
      for (const slot of own) {
        slots.push(slot);
        amounts.push(units);
      }
      if (flag !== undefined) flags = [...flags, flag];
      if (bundle && !bundles.includes(bundle)) bundles = [...bundles, bundle];
      if (set && !sets.includes(set)) sets = [...sets, set];
      if (bundle && item === 0) fixed += (units * bundle.offer.benefit.rule.estimate.perBundle) / bundle.quantities[0]!;
    }
    if (left < 0 || ofGroups < 0 || (!line.isSplittable && haveTwo([...taken, ...bought]))) return NO_WAYS;
    taken.sort((a, b) => a.offer.benefit.ordinal - b.offer.benefit.ordinal);
    const mayRest = left > 0 && (line.isSplittable || taken.length + bought.length === 0);
    const rests =
      mayRest && line.isOpenToLineBenefits ? [undefined, ...this.#input.plain, ...this.#input.capped] : [undefined];
    const takenUses = usesOf(taken);
    const takesWith = (rest: LineOffer | undefined): LineTakes => ({ taken, bought, rest, combinable });
    const others: Way[] = [];
    let best: Way | undefined;
    for (const rest of rests) {
      const saved = this.isBare ? this.#savings.ofParts(roles, counts, rest, left) : this.#savings.of(takesWith(rest));
      if (!saved) continue;
      const saving = saved.saving + fixed * this.worth;
      const uses = takenUses + (rest && isLimited(rest) ? USE_OF_BASKET : 0);
      // Of ways that differ in the unlimited benefit of what is left, the one that saves most stays.
      const isOther = this.#input.everyChoice || this.#input.capped.some((own) => own === rest);
      if (!isOther && best && !isBetter(saving, uses, rest, best)) continue;
      const way: Way = {
        counts,
        takes: takesWith(rest),
        saving,
        cut: saved.cut,
        slots,
        amounts,
        flags,
        bundles,
        sets,
        uses,
        priority: taken.reduce((most, { offer }) => Math.max(most, offer.benefit.priority), priorityOf(rest)),
        ordinal: taken.reduce((least, { offer }) => Math.min(least, offer.benefit.ordinal), ordinalOf(rest)),
      };
      if (isOther) others.push(way);
      else best = way;
    }
    return best ? [best, ...others] : others;
  }
}

function restOf(line: LineFacts, offer: LineOffer): Rest {
  if (line.unit) return { perUnit: mostPerUnit(line, offer, line.units), once: 0 };
  const { perUnit, once, isRounded } = offer.benefit.rule.extent(line);
  return { perUnit, once: once + (isRounded ? 1 : 0) };
}

/** The larger numbers of both, of which a minor unit of the second is worth `share`. */
function largerRest(one: Rest, other: Rest, share: number): Rest {
  return {
    perUnit: Math.max(one.perUnit, other.perUnit * share),
    once: Math.max(one.once, other.once * share),
  };
}

/** A use by the basket is one for all lines, so where the lines count alike it may be fewer than uses by items. */
const USE_OF_BASKET = 1 - 2 ** -10;

/** True where not all of them are of one offer. */
function haveTwo(takes: readonly Take[]): boolean {
  return takes.some(({ offer }) => offer !== takes[0]!.offer);
}

function addTo(taken: Take[], take: Take): void {
  const same = taken.findIndex(({ offer }) => offer === take.offer);
  if (same < 0) taken.push(take);
  else taken[same] = { ...take, units: taken[same]!.units + take.units };
}

function isBetter(saving: number, uses: number, rest: LineOffer | undefined, other: Way): boolean {
  return (saving - other.saving || other.uses - uses || priorityOf(rest) - priorityOf(other.takes.rest)) > 0;
}

function priorityOf(rest: LineOffer | undefined): number {
  return rest?.benefit.priority ?? Number.NEGATIVE_INFINITY;
}

function ordinalOf(rest: LineOffer | undefined): number {
  return rest?.benefit.ordinal ?? Number.POSITIVE_INFINITY;
}

function usesOf(taken: readonly Take[]): number {
  let uses = 0;
  for (const { offer, units } of taken) if (isLimited(offer)) uses += spendsItems(offer) ? units : USE_OF_BASKET;
  return uses;
}
