import type { LineFacts } from '../lines.ts';
import { type BundleOffer, type BuyGetOffer, isAt, isLimited, type LineOffer, type UnitOffer } from '../offers.ts';
import { isPlain } from '../plain.ts';
import type { ExistingLineDiscounts } from '../policy.ts';
import { fullEffect, isPermitted } from '../settle.ts';
import { roomOf } from '../settled-part.ts';
import { type LineTakes, NOTHING_BOUGHT, splitLine, type Take } from '../split.ts';
import { COST, type Work } from '../work.ts';
import type { BundleCoupling, Couplings, SetCoupling } from './couplings.ts';

/** Every way to use the units of one line. */

/** One way, with what it saves and what it takes of all that the lines share. */
export interface LineOption {
  readonly takes: LineTakes;
  /** Minor units by their worth after order-level benefits; of offers with a sum of money that may cut them, nothing. */
  readonly saving: number;
  readonly cut: readonly CutEffect[];
  /** Numbers of the state and by how much they rise. */
  readonly slots: readonly number[];
  readonly amounts: readonly number[];
  /** Numbers of the state that say that something is the case. */
  readonly flags: readonly number[];
  readonly bundles: readonly BundleCoupling[];
  readonly sets: readonly SetCoupling[];
  /** Limited uses, for ties. */
  readonly uses: number;
  /** The way of a larger model for which this one stands. */
  readonly source?: LineOption;
}

/** An effect that counts as far as sums of money have something left. */
export interface CutEffect {
  readonly sums: readonly number[];
  readonly effect: number;
  readonly worth: number;
  /** A unit of a set belongs to it, even if nothing is left to come off it. */
  readonly mayBeNothing: boolean;
}

/** A role in which an offer takes units of the line. */
export interface Role {
  readonly offer: UnitOffer;
  readonly part: 'line' | 'bundle' | 'given' | 'bought';
  /** Sets and bundles use each unit once. */
  readonly isOfGroup: boolean;
  /** No other benefit has these units. */
  readonly isExclusive: boolean;
  readonly slot: number | undefined;
  readonly bundle?: BundleCoupling;
  readonly set?: SetCoupling;
  /** Units of one half of a set alone. */
  readonly isOutside?: boolean;
  readonly item?: number;
  readonly most: number;
}

export interface OptionInput {
  readonly couplings: Couplings;
  readonly offers: readonly UnitOffer[];
  readonly isDiscountable: (offer: UnitOffer, selector: number, line: number) => boolean;
  readonly plain: readonly LineOffer[];
  /** Units that were drawn first. */
  readonly drawn: LineTakes | undefined;
  readonly policy: ExistingLineDiscounts;
  readonly worth: number;
  /** Where lines are not worth the same, a sum of money may be spent in another order than lines are walked. */
  readonly isUneven: boolean;
  /** What the line takes in the best choice so far: where not every number of units is tried, those beside it are. */
  readonly around: LineTakes | undefined;
  readonly everyChoice: boolean;
  readonly work: Work;
}

export interface LineOptions {
  readonly options: readonly LineOption[];
  /** Where some ways are not listed, what bounds them all. */
  readonly beyond: UnitBound | undefined;
}

/** No way gains more than each unit by itself in the best of these roles, and `once` for the line. */
export interface UnitBound {
  readonly units: number;
  readonly ofUnit: readonly LineOption[];
  readonly once: number;
}

/** More ways than these are not listed. */
const MOST_OPTIONS = 240;
/** Of so many units every number is tried. */
const FEW_UNITS = 12;
const MOST_TIES = 3;
const LEAST_OPTIONS = 8;
const ANY = 'any';

export function listLineOptions(line: LineFacts, input: OptionInput): LineOptions {
  const { drawn, work } = input;
  const roles = rolesOn(line, input);
  const byCap = line.isOpenToLineBenefits
    ? input.offers.filter(
        (offer): offer is LineOffer =>
          isAt(offer, 'line') && offer.items === Number.POSITIVE_INFINITY && !isPlain(offer) && input.isDiscountable(offer, 0, line.index),
      )
    : [];
  const gone = (drawn?.taken ?? []).reduce((sum, { units }) => sum + units, 0);
  const apart = (drawn?.bought ?? []).reduce((sum, { units }) => sum + units, 0);
  const shared = (drawn?.combinable ?? []).reduce((sum, { units }) => sum + units, 0);
  const options: LineOption[] = [];
  const { isComplete, tries } = triesOf(roles, line.units, input.around);
  let isWhole = isComplete;
  const chosen: number[] = roles.map(() => 0);
  const saver = new Saver(line, input);
  // Each way has its part of the work that is left for the line.
  const most = Math.max(LEAST_OPTIONS, Math.min(MOST_OPTIONS, work.left / (COST.option * (1 + roles.length / 8))));
  let only: UnitOffer | undefined | typeof ANY = ANY;
  const place = (at: number, groupLeft: number, left: number): void => {
    if (options.length >= MOST_OPTIONS || (options.length > 0 && work.left === 0)) {
      isWhole = false;
      return;
    }
    const role = roles[at];
    if (!role) {
      work.count(COST.option * (1 + roles.length / 8));
      addOptions(options, line, roles, chosen, left, byCap, saver, input);
      return;
    }
    const most = Math.min(role.most, role.isOfGroup ? groupLeft : left, role.isExclusive ? left : groupLeft);
    chosen[at] = 0;
    if (only !== ANY && role.offer !== only) return place(at + 1, groupLeft, left);
    if (only === ANY || only === undefined || !isLastOf(roles, at) || chosen.some((units) => units > 0)) place(at + 1, groupLeft, left);
    if (!line.isSplittable && !mayJoinWhole(roles, chosen, at, drawn)) return;
    for (const units of tries[at]!) {
      if (units > most) break;
      chosen[at] = units;
      place(at + 1, role.isOfGroup ? groupLeft - units : groupLeft, role.isExclusive ? left - units : left);
    }
    chosen[at] = 0;
  };
  const [ofGroups, free] = [line.units - gone - apart - shared, line.units - gone - apart];
  const isMany = waysAtMost(roles, tries, free) > most;
  // Of too many ways those are listed in which one offer has units.
  if (isMany) for (const offer of new Set([undefined, ...roles.map((role) => role.offer)])) {
    only = offer;
    place(0, ofGroups, free);
  }
  else place(0, ofGroups, free);
  isWhole &&= !isMany;
  return { options, beyond: isWhole ? undefined : boundOf(line, roles, byCap, input) };
}

/** The way in which limited offers take just these units of the line. */
export function optionWith(
  line: LineFacts,
  input: OptionInput,
  wanted: ReadonlyMap<UnitOffer, number>,
  isAlone = false,
): LineOption | undefined {
  const roles = rolesOn(line, input);
  const chosen = roles.map(({ offer, part }) => (part === 'line' ? (wanted.get(offer) ?? 0) : 0));
  const taken = chosen.reduce((sum, units) => sum + units, 0);
  if (taken > line.units || (!line.isSplittable && chosen.filter((units) => units > 0).length > 1)) return undefined;
  const made: LineOption[] = [];
  addOptions(made, line, roles, chosen, line.units - taken, [], new Saver(line, input), isAlone ? { ...input, plain: [] } : input);
  return made.reduce<LineOption | undefined>((best, own) => (!best || own.saving > best.saving ? own : best), undefined);
}

/** No role of the offer follows. */
function isLastOf(roles: readonly Role[], at: number): boolean {
  return roles.findLastIndex(({ offer }) => offer === roles[at]!.offer) === at;
}

/** How many ways there are to deal units out to roles, or more. */
function waysAtMost(roles: readonly Role[], tries: readonly (readonly number[])[], units: number): number {
  let ways = [1, ...new Array<number>(units > FEW_UNITS ? 0 : units).fill(0)];
  if (units > FEW_UNITS) return tries.reduce((product, own) => Math.min(product * (1 + own.length), 1e9), 1);
  for (let at = 0; at < roles.length; at++) {
    const next = [...ways];
    for (const taken of tries[at]!) for (let before = 0; before + taken <= units; before++) next[before + taken]! += ways[before]!;
    ways = next;
  }
  return ways.reduce((sum, own) => sum + own, 0);
}

/** A line that cannot be split takes one benefit; units bought for others count where those share them with none. */
function mayJoinWhole(roles: readonly Role[], chosen: readonly number[], at: number, drawn: LineTakes | undefined): boolean {
  const own = roles[at]!;
  if (!own.isExclusive) return true;
  if (drawn && drawn.taken.length + drawn.bought.length > 0) return false;
  for (let other = 0; other < at; other++)
    if (chosen[other]! > 0 && roles[other]!.isExclusive && roles[other]!.offer !== own.offer) return false;
  return true;
}

function rolesOn(line: LineFacts, { offers, couplings, isDiscountable }: OptionInput): Role[] {
  const roles: Role[] = [];
  const { index, units } = line;
  for (const offer of offers) {
    const most = Math.min(units, offer.items, offer.pool?.counts === 'items' ? offer.pool.left : Number.POSITIVE_INFINITY);
    if (isAt(offer, 'line')) {
      if (offer.items === Number.POSITIVE_INFINITY || !isDiscountable(offer, 0, index)) continue;
      roles.push({ offer, part: 'line', isOfGroup: false, isExclusive: true, slot: undefined, most });
    } else if (isAt(offer, 'bundle')) {
      const bundle = couplings.bundles.find((own) => own.offer === offer)!;
      for (let item = 0; item < bundle.quantities.length; item++) {
        if (!isDiscountable(offer, item, index)) continue;
        roles.push({ offer, part: 'bundle', isOfGroup: true, isExclusive: true, slot: bundle.at + item, bundle, item, most });
      }
    } else {
      const set = couplings.sets.find((own) => own.set.offer === offer)!;
      const [fitsBuy, fitsGet] = [set.set.fitsBuy[index]!, set.set.fitsGet[index]!];
      const isOutside = fitsBuy !== fitsGet && set.set.row.length > 0;
      const { sharesBought, buyQuantity, getQuantity } = offer.benefit.rule;
      const sets = Math.floor(Math.min(offer.items, offer.pool?.counts === 'items' ? offer.pool.left : Number.POSITIVE_INFINITY) / getQuantity);
      if (fitsBuy)
        roles.push({ offer, part: 'bought', isOfGroup: true, isExclusive: !sharesBought, slot: set.at, set, isOutside, most: Math.min(units, sets * buyQuantity) });
      if (fitsGet) roles.push({ offer, part: 'given', isOfGroup: true, isExclusive: true, slot: set.at + 1, set, isOutside, most });
    }
  }
  return roles;
}

/** The numbers of units that are tried for each role: all of them, or of many units those at the edges. */
function triesOf(
  roles: readonly Role[],
  units: number,
  around: LineTakes | undefined,
): { readonly tries: readonly number[][]; readonly isComplete: boolean } {
  let each = FEW_UNITS;
  while (each > 2 && (1 + Math.min(each, units)) ** Math.min(roles.length, 4) > 4 * MOST_OPTIONS && units > 4) each -= 1;
  let isComplete = true;
  const tries = roles.map(({ offer, most, set, bundle, item, part }) => {
    if (most <= each) return Array.from({ length: most }, (_, at) => at + 1);
    isComplete = false;
    const rule = set?.set.offer.benefit.rule;
    const size = rule ? rule.buyQuantity + rule.getQuantity : bundle ? bundle.quantities[item!]! : 1;
    const full = Math.floor(units / size);
    const ofSets = rule ? full * (part === 'bought' ? rule.buyQuantity : rule.getQuantity) : full * size;
    const edges = new Set([1, size, ofSets, Math.floor(most / 2), most]);
    const taken = around ? unitsIn(around, offer, part) : 0;
    if (around) for (const step of [0, 1, size]) for (const own of [taken - step, taken + step]) edges.add(own);
    return [...edges].filter((own) => own > 0 && own <= most).sort((a, b) => a - b);
  });
  return { tries, isComplete };
}

function unitsIn({ taken, bought, combinable = [] }: LineTakes, offer: UnitOffer, part: Role['part']): number {
  const own = part === 'bought' ? [...bought, ...combinable] : taken;
  return own.find((take) => take.offer === offer)?.units ?? 0;
}

/** A bound of all ways: each unit in the role in which it gains most. */
function boundOf(line: LineFacts, roles: readonly Role[], byCap: readonly LineOffer[], input: OptionInput): UnitBound {
  const { worth, couplings, plain, drawn } = input;
  const nothing: LineOption = {
    ...{ takes: { taken: [], bought: NOTHING_BOUGHT, rest: undefined }, saving: 0, cut: NO_CUTS },
    ...{ slots: [], amounts: [], flags: [], bundles: [], sets: [], uses: 0 },
  };
  let once = roles.length / 2 + 1;
  const unitOf = (offer: LineOffer | BuyGetOffer): number => {
    const { perUnit, once: ofLine } = offer.benefit.rule.extent(line);
    once += ofLine * worth;
    return line.unit ? line.unitPrice : perUnit;
  };
  const ofUnit: LineOption[] = [nothing];
  for (const offer of line.isOpenToLineBenefits ? [...plain, ...byCap] : []) ofUnit.push({ ...nothing, saving: unitOf(offer) * worth });
  for (const { offer, part, slot, bundle, item, set } of roles) {
    const limits = part === 'bought' ? [] : couplings.limitsOf.get(offer)!;
    const slots = slot === undefined ? limits : [...limits, slot];
    const { estimate } = isAt(offer, 'bundle') ? offer.benefit.rule : { estimate: undefined };
    const fixed = bundle && item === 0 ? estimate!.perBundle / bundle.quantities[0]! : 0;
    const saving = isAt(offer, 'bundle')
      ? estimate!.ofPrice * line.unitPrice + fixed
      : part === 'bought'
        ? 0
        : unitOf(offer);
    // Units that others may discount as well gain that beside it.
    if (part === 'bought' && isAt(offer, 'buyGet') && offer.benefit.rule.sharesBought) once += line.unitPrice * line.units;
    ofUnit.push({ ...nothing, saving: saving * worth, slots, amounts: slots.map(() => 1), sets: set ? [set] : [] });
  }
  if (drawn) for (const { offer, units } of drawn.taken) if (!isAt(offer, 'bundle')) once += offer.benefit.rule.effect(line, units) * worth;
  return { units: line.units, ofUnit, once };
}

/** Computes what units of the line save; an effect on a line without discounts to share out is computed once. */
class Saver {
  readonly isBare: boolean;
  readonly #line: LineFacts;
  readonly #known = new Map<UnitOffer, number[]>();
  readonly #plain: readonly LineOffer[];
  readonly #best: (readonly (LineOffer | undefined)[])[] = [];
  readonly #everyChoice: boolean;

  constructor(line: LineFacts, { plain, everyChoice, drawn }: OptionInput) {
    this.#line = line;
    this.#plain = line.isOpenToLineBenefits ? plain : [];
    this.#everyChoice = everyChoice;
    this.isBare = !line.unit && line.existing === 0 && line.allocated === 0 && (line.isSplittable || line.units === 1) && !drawn;
  }

  effect(offer: LineOffer | BuyGetOffer, units: number): number {
    let own = this.#known.get(offer);
    if (!own) this.#known.set(offer, (own = []));
    return (own[units] ??= Math.min(offer.benefit.rule.effect(this.#line, units), units * this.#line.unitPrice));
  }

  /** What a unit of the line takes off its part of a bundle, but for what the bundle costs as a whole. */
  bundled({ benefit }: BundleOffer): number {
    return benefit.rule.estimate.ofPrice * this.#line.unitPrice;
  }

  /** The unlimited benefits for so many units: all of them, or those that save most. */
  rests(units: number): readonly (LineOffer | undefined)[] {
    if (this.#everyChoice || !this.isBare) return [undefined, ...this.#plain];
    let best = this.#best[units];
    if (best) return best;
    best = [undefined];
    let most = 0;
    for (const offer of this.#plain) {
      const effect = this.effect(offer, units);
      if (effect < most || effect === 0) continue;
      const isLimitedToo = isLimited(offer);
      const [first] = best;
      if (effect > most || !first || (isLimited(first) && !isLimitedToo)) best = [offer];
      else if (isLimited(first) === isLimitedToo) {
        if (isLimitedToo && best.length < MOST_TIES) best = [...best, offer];
        else if (offer.benefit.priority > first.benefit.priority) best = [offer];
      }
      most = effect;
    }
    return (this.#best[units] = best);
  }
}

function addOptions(
  options: LineOption[],
  line: LineFacts,
  roles: readonly Role[],
  chosen: readonly number[],
  left: number,
  byCap: readonly LineOffer[],
  saver: Saver,
  input: OptionInput,
): void {
  const { drawn } = input;
  const taken: Take[] = [...(drawn?.taken ?? [])];
  const bought: Take<BuyGetOffer>[] = [...(drawn?.bought ?? [])];
  const combinable: Take<BuyGetOffer>[] = [...(drawn?.combinable ?? [])];
  const slots: number[] = [];
  const amounts: number[] = [];
  const flags: number[] = [];
  const bundles: BundleCoupling[] = [];
  const sets: SetCoupling[] = [];
  let fixed = 0;
  for (const [at, role] of roles.entries()) {
    const units = chosen[at]!;
    if (units === 0) continue;
    const { offer, part, slot } = role;
    if (part === 'bought') (role.isExclusive ? bought : combinable).push({ offer: offer as BuyGetOffer, line: line.index, units });
    else {
      const same = taken.findIndex((own) => own.offer === offer);
      if (same >= 0) taken[same] = { ...taken[same]!, units: taken[same]!.units + units };
      else taken.push({ offer, line: line.index, units });
      for (const limit of input.couplings.limitsOf.get(offer)!) {
        slots.push(limit);
        amounts.push(units);
      }
    }
    if (slot !== undefined) {
      slots.push(slot);
      amounts.push(units);
    }
    if (role.bundle && !bundles.includes(role.bundle)) bundles.push(role.bundle);
    if (role.set && !sets.includes(role.set)) sets.push(role.set);
    if (role.isOutside) flags.push(role.set!.at + 2);
    if (role.bundle && role.item === 0)
      fixed += (units * role.bundle.offer.benefit.rule.estimate.perBundle) / role.bundle.quantities[0]!;
  }
  taken.sort((a, b) => a.offer.benefit.ordinal - b.offer.benefit.ordinal);
  const mayRest = left > 0 && (line.isSplittable || taken.length + bought.length === 0);
  const rests = mayRest ? [...saver.rests(left), ...byCap] : [undefined];
  const group: LineOption[] = [];
  for (const rest of rests) {
    const takes: LineTakes = { taken, bought: bought.length > 0 ? bought : NOTHING_BOUGHT, rest, combinable };
    const saved = saver.isBare ? savedOnBare(takes, left, saver, input) : savedOn(line, takes, input);
    if (!saved) continue;
    const saving = (saved.saving + fixed) * input.worth;
    group.push({ takes, saving, cut: saved.cut, slots, amounts, flags, bundles, sets, uses: usesOf(takes) });
  }
  if (input.everyChoice || saver.isBare) options.push(...group);
  else options.push(...bestOf(group, byCap));
}

/** Of ways that differ in the unlimited benefit of the remainder, the one that saves most. */
function bestOf(group: readonly LineOption[], byCap: readonly LineOffer[]): LineOption[] {
  let best: LineOption | undefined;
  const others: LineOption[] = [];
  for (const option of group) {
    const { rest } = option.takes;
    if (rest && byCap.includes(rest)) others.push(option);
    else if (!best || option.saving > best.saving || (option.saving === best.saving && isBefore(option, best))) best = option;
  }
  return best ? [best, ...others] : others;
}

function isBefore(option: LineOption, other: LineOption): boolean {
  if (option.uses !== other.uses) return option.uses < other.uses;
  return (option.takes.rest?.benefit.priority ?? -1) > (other.takes.rest?.benefit.priority ?? Number.POSITIVE_INFINITY);
}

function usesOf({ taken, rest }: LineTakes): number {
  let uses = rest && isLimited(rest) ? 1 : 0;
  for (const { offer, units } of taken)
    if (isLimited(offer)) uses += offer.benefit.limit?.counts === 'items' ? units : 1;
  return uses;
}

type Saved = Pick<LineOption, 'saving' | 'cut'>;

const NO_CUTS: readonly CutEffect[] = [];

function savedOnBare(takes: LineTakes, left: number, saver: Saver, input: OptionInput): Saved | undefined {
  const { worth, couplings } = input;
  let saving = 0;
  let cut: CutEffect[] | undefined;
  const add = (offer: LineOffer | BuyGetOffer, units: number): boolean => {
    const effect = saver.effect(offer, units);
    if (effect <= 0) return isAt(offer, 'buyGet');
    const sums = couplings.sumsOf.get(offer) ?? NO_SUMS;
    if (sums.length > 0) (cut ??= []).push({ sums, effect, worth, mayBeNothing: input.isUneven || isAt(offer, 'buyGet') });
    else saving += effect;
    return true;
  };
  for (const { offer, units } of takes.taken) {
    if (isAt(offer, 'bundle')) continue;
    if (!add(offer, units)) return undefined;
  }
  if (takes.rest && !add(takes.rest, left)) return undefined;
  for (const { offer, units } of takes.taken) if (isAt(offer, 'bundle')) saving += units * saver.bundled(offer);
  return { saving, cut: cut ?? NO_CUTS };
}

const NO_SUMS: readonly number[] = [];

/** What the parts of the line save. Undefined where a benefit has no effect on a part, or too small a one. */
function savedOn(line: LineFacts, takes: LineTakes, input: OptionInput): Saved | undefined {
  const { policy, worth, couplings } = input;
  const replaces = policy === 'replace_if_larger';
  let saving = 0;
  const cut = new Map<UnitOffer, number>();
  let [whole, wholeReplaced, isWhole] = [0, 0, false];
  for (const part of splitLine(line, takes)) {
    const { offer } = part;
    if (!offer) continue;
    if (isAt(offer, 'bundle')) {
      const price = part.effectUnits * part.line.unitPrice - (policy === 'stack' ? part.existing : 0);
      saving += offer.benefit.rule.estimate.ofPrice * Math.max(0, price);
      if (replaces) saving -= part.existing;
      continue;
    }
    const effect = Math.min(fullEffect(part, offer), roomOf(part, policy));
    const isLine = isAt(offer, 'line');
    if (isLine && part.joined) {
      isWhole = true;
      whole += effect;
      if (effect > 0) wholeReplaced += part.existing;
    } else if (isLine && !isPermitted(part, effect, policy)) return undefined;
    const sums = couplings.sumsOf.get(offer) ?? NO_SUMS;
    if (sums.length > 0) cut.set(offer, (cut.get(offer) ?? 0) + effect);
    else saving += effect;
    // A sum of money may leave nothing for some of the units of a set, or lines of a unit; they keep their discount then.
    const mayBeCutToNothing = sums.length > 0 && (part.joined !== undefined || !isLine);
    if (replaces && effect > 0 && !mayBeCutToNothing) saving -= part.existing;
  }
  if (isWhole && (whole <= 0 || (replaces && whole <= wholeReplaced))) return undefined;
  return {
    saving,
    cut: [...cut].map(([offer, effect]) => {
      return { sums: couplings.sumsOf.get(offer)!, effect, worth, mayBeNothing: input.isUneven || isAt(offer, 'buyGet') };
    }),
  };
}
