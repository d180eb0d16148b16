import type { LineFacts } from '../lines/lines.ts';
import { type BuyGetOffer, isAt, isLimited, type LineOffer, spendsItems, type UnitOffer } from '../offers/offers.ts';
import { isPlain } from '../plain.ts';
import { type LineTakes, NOTHING_BOUGHT, type Take } from '../settle/split.ts';
import { COST } from '../work.ts';
import type { BundleCoupling, SetCoupling } from './couplings.ts';
import type { LineOption, LineOptions, OptionInput, Role } from './line-option.ts';
import { mayJoinWhole, triesOf, waysAtMost, waysBeside } from './roles.ts';
import { Saver, savedOn, savedOnBare } from './savings.ts';
import { boundOf } from './unit-bound.ts';

const LEAST_OPTIONS = 8;

export function listLineOptions(line: LineFacts, input: OptionInput): LineOptions {
  const { drawn, work } = input;
  const { roles } = input;
  const byCap = line.isOpenToLineBenefits
    ? input.offers.filter(
        (offer): offer is LineOffer =>
          isAt(offer, 'line') &&
          offer.items === Number.POSITIVE_INFINITY &&
          !isPlain(offer) &&
          input.isDiscountable(offer, 0, line.index),
      )
    : [];
  const gone = (drawn?.taken ?? []).reduce((sum, { units }) => sum + units, 0);
  const apart = (drawn?.bought ?? []).reduce((sum, { units }) => sum + units, 0);
  const shared = (drawn?.combinable ?? []).reduce((sum, { units }) => sum + units, 0);
  const options: LineOption[] = [];
  const { isComplete, tries } = triesOf(roles, line.units, input);
  let isWhole = isComplete;
  const chosen: number[] = roles.map(() => 0);
  const saver = new Saver(line, input);
  const rests = byCap.length + (input.everyChoice || !saver.isBare ? input.plain.length : 0);
  const costOfWay = saver.isBare
    ? COST.bareOption * (1 + roles.length / 8) + rests * COST.offer
    : COST.option * (1 + roles.length / 8) + rests * COST.restOfOption;
  // Each way has its part of the work that is left for the line.
  const most = Math.max(LEAST_OPTIONS, Math.min(input.mostOptions, work.left / costOfWay));
  /** Deals units out to some of the roles, from place `n` of them on. */
  const place = (some: readonly number[], n: number, groupLeft: number, left: number): void => {
    if (options.length >= input.mostOptions || (options.length > 0 && work.left === 0)) {
      isWhole = false;
      return;
    }
    const at = some[n];
    if (at === undefined) {
      if (isMany && some.length > 0 && some.every((own) => chosen[own] === 0)) return;
      work.count(costOfWay);
      addOptions(options, line, roles, chosen, left, byCap, saver, input);
      return;
    }
    const role = roles[at]!;
    const most = Math.min(role.most, role.isOfGroup ? groupLeft : left, role.isExclusive ? left : groupLeft);
    chosen[at] = 0;
    place(some, n + 1, groupLeft, left);
    if (!line.isSplittable && !mayJoinWhole(roles, chosen, at, drawn)) return;
    for (const units of tries[at]!) {
      if (units > most) break;
      chosen[at] = units;
      place(some, n + 1, role.isOfGroup ? groupLeft - units : groupLeft, role.isExclusive ? left - units : left);
    }
    chosen[at] = 0;
  };
  const [ofGroups, free] = [line.units - gone - apart - shared, line.units - gone - apart];
  const isMany = waysAtMost(roles, tries, free) > most;
  // Of too many ways those are listed in which one offer has units, and those beside the way that was best so far.
  if (isMany) {
    if (input.around && line.isSplittable)
      for (const beside of waysBeside(input.around, roles, ofGroups, free, work)) {
        if (work.left === 0 || options.length >= input.mostOptions / 2) break;
        work.count(costOfWay);
        const taken = beside.reduce((sum, units, at) => sum + (roles[at]!.isExclusive ? units : 0), 0);
        addOptions(options, line, roles, beside, free - taken, byCap, saver, input);
      }
    place([], 0, ofGroups, free);
    for (const some of rolesByOffer(roles)) place(some, 0, ofGroups, free);
  } else place([...roles.keys()], 0, ofGroups, free);
  isWhole &&= !isMany;
  return { options, beyond: isWhole ? undefined : boundOf(line, roles, byCap, input) };
}

/** The places of the roles of each offer. */
function rolesByOffer(roles: readonly Role[]): Iterable<readonly number[]> {
  const places = new Map<UnitOffer, number[]>();
  for (const [at, { offer }] of roles.entries()) {
    const own = places.get(offer);
    if (own) own.push(at);
    else places.set(offer, [at]);
  }
  return places.values();
}

/** The way in which limited offers take just these units of the line, beside those that were drawn. */
export function optionWith(
  line: LineFacts,
  input: OptionInput,
  wanted: ReadonlyMap<UnitOffer, number>,
  isAlone = false,
): LineOption | undefined {
  const { roles } = input;
  const chosen = roles.map(({ offer, part }) => (part === 'line' ? (wanted.get(offer) ?? 0) : 0));
  return optionOf(line, isAlone ? { ...input, plain: [] } : input, roles, chosen);
}

/** The way that gives each role just these units, with the best benefit for what is left. */
export function optionOf(
  line: LineFacts,
  input: OptionInput,
  roles: readonly Role[],
  chosen: readonly number[],
): LineOption | undefined {
  const drawn = unitsDrawn(input.drawn);
  let left = line.units - drawn;
  const takers = new Set<UnitOffer>();
  for (let at = 0; at < roles.length; at++) {
    const { isExclusive, offer } = roles[at]!;
    if (chosen[at] === 0 || !isExclusive) continue;
    left -= chosen[at]!;
    takers.add(offer);
  }
  if (left < 0 || (!line.isSplittable && takers.size > (drawn > 0 ? 0 : 1))) return undefined;
  const made: LineOption[] = [];
  addOptions(made, line, roles, chosen, left, [], new Saver(line, input), input);
  return made.reduce<LineOption | undefined>(
    (best, own) => (!best || own.saving > best.saving ? own : best),
    undefined,
  );
}

/** Units that others drew first, and that no other benefit takes. */
export function unitsDrawn(drawn: LineTakes | undefined): number {
  if (!drawn) return 0;
  return [...drawn.taken, ...drawn.bought].reduce((sum, { units }) => sum + units, 0);
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
  for (let at = 0; at < roles.length; at++) {
    const units = chosen[at]!;
    if (units === 0) continue;
    const role = roles[at]!;
    const { offer, part, slot } = role;
    if (part === 'bought')
      (role.isExclusive ? bought : combinable).push({ offer: offer as BuyGetOffer, line: line.index, units });
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
    else if (!best || option.saving > best.saving || (option.saving === best.saving && isBefore(option, best)))
      best = option;
  }
  return best ? [best, ...others] : others;
}

function isBefore(option: LineOption, other: LineOption): boolean {
  if (option.uses !== other.uses) return option.uses < other.uses;
  return (option.takes.rest?.benefit.priority ?? -1) > (other.takes.rest?.benefit.priority ?? Number.POSITIVE_INFINITY);
}

function usesOf({ taken, rest }: LineTakes): number {
  let uses = rest && isLimited(rest) ? 1 : 0;
  for (const { offer, units } of taken) if (isLimited(offer)) uses += spendsItems(offer) ? units : 1;
  return uses;
}
