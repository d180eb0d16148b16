import type { LineFacts } from '../lines.ts';
import { isAt, isLimited, type LineOffer } from '../offers.ts';
import type { ExistingLineDiscounts } from '../policy.ts';
import { fullEffect, isPermitted } from '../settle.ts';
import { roomOf } from '../settled-part.ts';
import { type LineTakes, type Part, splitLine, type Take } from '../split.ts';
import { COST, type Work } from '../work.ts';
import { type BudgetedOffer, dealUnits } from './deals.ts';
import { type LimitedTake, type LineOffers, NOTHING, type Option, type Spending } from './option.ts';
import { listUnitOptions } from './unit-options.ts';

/** Lists the ways to use the units of one line that no group has taken. */

export interface OptionSettings {
  readonly policy: ExistingLineDiscounts;
  readonly work: Work;
  readonly shareSteps: number;
  /** Lists every plain benefit and none at all, not only the best. */
  readonly everyChoice: boolean;
  /** About so many options are listed at most, the most promising of all. */
  readonly maximumOptions: number;
  /** Units of one line are dealt to at most so many benefits, because each makes a line of the answer. */
  readonly maximumTakes: number;
}

export interface OptionList {
  readonly options: readonly Option[];
  /** False when a line has too many ways to deal out its units; the answer is then no longer proven best. */
  readonly isComplete: boolean;
}

/** Units of a line that groups have taken before, and those that they have bought and share with no other benefit. */
interface Gone {
  readonly grouped: readonly Take[];
  readonly bought: LineTakes['bought'];
}

/** All permitted options for `units` open units of a line. */
export function listOptions(offers: LineOffers, units: number, gone: Gone, settings: OptionSettings): OptionList {
  const { work, shareSteps, maximumOptions, maximumTakes } = settings;
  const { line, plain, byItems, byCap } = offers;
  const maximumDeals = Math.max(1, maximumOptions / (1 + byCap.length));
  const { deals, isComplete } = dealUnits(line, byItems, units, maximumDeals, maximumTakes, work);
  const isBare = line.existing === 0 && line.allocated === 0 && line.isSplittable;
  const rests: RestsOfLine | undefined = isBare ? new Map() : undefined;
  const options: Option[] = [];
  const stepsPerPart = COST.splitPart + (1 + line.allocations.length) * shareSteps;
  for (const deal of deals) {
    const steps = rests
      ? COST.bareOption * (1 + deal.length)
      : COST.option * (1 + plain.length) + stepsPerPart * (1 + deal.length + gone.grouped.length);
    if (!work.spend(steps)) return { options, isComplete: false };
    const count = options.length;
    if (rests) addBareOptions(options, offers, deal, units, rests, settings);
    else addOptions(options, offers, deal, gone, settings);
    work.count(COST.bareOption * (options.length - count));
  }
  return { options, isComplete };
}

/** By the units that are left of a line: the plain benefits that save most on them. */
type RestsOfLine = Map<number, readonly (LineOffer | undefined)[]>;

/**
 * One deal on a line without discounts to be shared out. Every part saves the effect of its own benefit there, however the
 * other parts are used.
 */
function addBareOptions(
  options: Option[],
  offers: LineOffers,
  deal: readonly Take<LineOffer>[],
  units: number,
  rests: RestsOfLine,
  settings: OptionSettings,
): void {
  const { line, byItems, byCap } = offers;
  const spending: Spending[] = [];
  const limited: LimitedTake[] = [];
  let saving = 0;
  let left = units;
  for (const { offer, units: taken } of deal) {
    const { slot } = byItems.find((entry) => entry.offer === offer)!;
    const effect = effectOn(line, offer, taken);
    if (effect <= 0) return;
    spending.push({ slot, units: taken, effect, beats: 0 });
    if (isLimited(offer)) limited.push({ offer, units: taken });
    saving += effect;
    left -= taken;
  }
  if (left === 0) {
    options.push({ taken: deal, rest: undefined, spending, saving, value: 0, limited });
    return;
  }
  let best = rests.get(left);
  if (!best) {
    best = restsOf(offers, left, settings);
    rests.set(left, best);
  }
  for (const rest of best) {
    const more = rest ? effectOn(line, rest, left) : 0;
    const all = rest && isLimited(rest) ? [...limited, { offer: rest, units: left }] : limited;
    options.push({ taken: deal, rest, spending, saving: saving + more, value: 0, limited: all });
  }
  for (const { offer, slot } of byCap) {
    const effect = effectOn(line, offer, left);
    if (effect <= 0) continue;
    options.push({
      taken: deal,
      rest: offer,
      spending: [...spending, { slot, units: left, effect, beats: 0 }],
      saving: saving + effect,
      value: 0,
      limited: isLimited(offer) ? [...limited, { offer, units: left }] : limited,
    });
  }
}

/** The plain benefits of a bare line that save most on so many units: one of them where an unlimited one does. */
function restsOf(
  { line, plain }: LineOffers,
  units: number,
  { everyChoice, work }: OptionSettings,
): readonly (LineOffer | undefined)[] {
  work.count(plain.length * (line.isWeighed ? COST.weighedEffect : COST.rankedOffer));
  const choices: Option[] = [NOTHING];
  for (const offer of plain) {
    const saving = effectOn(line, offer, units);
    const limited = isLimited(offer) ? [{ offer, units }] : NOTHING.limited;
    if (saving > 0) choices.push({ ...NOTHING, rest: offer, saving, limited });
  }
  return (everyChoice ? choices : bestOf(choices)).map(({ rest }) => rest);
}

function effectOn(line: LineFacts, { benefit }: LineOffer, units: number): number {
  return benefit.rule.effect(line, units);
}

/** One deal, combined with every benefit that may take the rest of the line. */
function addOptions(
  options: Option[],
  offers: LineOffers,
  deal: readonly Take<LineOffer>[],
  { grouped, bought }: Gone,
  { policy, everyChoice }: Pick<OptionSettings, 'policy' | 'everyChoice'>,
): void {
  const { line, plain, byCap } = offers;
  if (line.unit) {
    const isGone = grouped.length + bought.length > 0;
    const { choices, budgeted } = listUnitOptions(offers, deal, isGone, policy);
    options.push(...(everyChoice || choices.length === 0 ? choices : bestOf(choices)), ...budgeted);
    return;
  }
  const taken = sortTakes([...grouped, ...deal]);
  const whole = dealtParts(offers, deal, splitLine(line, { taken, bought, rest: undefined }), undefined, policy);
  // Bought units are a part of their own only where the remaining ones take a benefit.
  const [anyRest] = [...plain, ...byCap.map(({ offer }) => offer)];
  const isShared = bought.length > 0;
  const apart =
    isShared && anyRest && line.isSplittable
      ? dealtParts(offers, deal, splitLine(line, { taken, bought, rest: anyRest }), anyRest, policy)
      : whole;
  const { base, left } = apart ?? NO_PARTS;
  const choices: Option[] = whole ? [whole.base] : [];
  const mayRest = base !== undefined && left !== undefined && (!isShared || line.isSplittable);
  if (mayRest) {
    for (const offer of plain) {
      const option = extend(base, left, { offer, slot: -1 }, policy);
      if (option) choices.push({ ...option, rest: offer });
    }
  }
  if (choices.length > 0) options.push(...(everyChoice ? choices : bestOf(choices)));
  if (!mayRest) return;
  for (const budgeted of byCap) {
    const option = extend(base, left, budgeted, policy);
    if (option) options.push({ ...option, rest: budgeted.offer });
  }
}

const NO_PARTS = { base: undefined, left: undefined };

/**
 * The option of a deal, and the part that is left for one more benefit. Undefined when the deal is not permitted. `rest`
 * stands on that part, or nothing does.
 */
function dealtParts(
  { byItems }: LineOffers,
  deal: readonly Take<LineOffer>[],
  parts: readonly Part[],
  rest: LineOffer | undefined,
  policy: ExistingLineDiscounts,
): { readonly base: Option; readonly left: Part | undefined } | undefined {
  let base: Option = { ...NOTHING, taken: deal };
  let left: Part | undefined;
  for (const part of parts) {
    const { offer } = part;
    if (offer === rest) left = part;
    else if (offer && isAt(offer, 'line')) {
      const { slot } = byItems.find((entry) => entry.offer === offer)!;
      const option = extend(base, part, { offer, slot }, policy);
      if (!option) return undefined;
      base = option;
    }
  }
  return { base, left };
}

/** The option with one more part discounted. Undefined when the benefit would have no effect on that part. */
function extend(
  option: Option,
  part: Part,
  { offer, slot }: BudgetedOffer,
  policy: ExistingLineDiscounts,
): Option | undefined {
  const effect = Math.min(fullEffect(part, offer), roomOf(part, policy));
  if (!isPermitted(part, effect, policy)) return undefined;
  const beats = policy === 'replace_if_larger' ? part.existing : 0;
  const spending: Spending[] = slot < 0 ? [] : [{ slot, units: part.effectUnits, effect, beats }];
  return {
    taken: option.taken,
    rest: option.rest,
    spending: [...option.spending, ...spending],
    saving: option.saving + effect - beats,
    value: 0,
    limited: isLimited(offer) ? [...option.limited, { offer, units: part.effectUnits }] : option.limited,
  };
}

/** The options that save most: only the first one if its rest is unlimited, otherwise all of them. */
function bestOf(options: readonly Option[]): Option[] {
  let most = 0;
  for (const { saving } of options) most = Math.max(most, saving);
  const best = options.filter(({ saving }) => saving === most).sort(byTies);
  const [first] = best as [Option];
  return first.rest && isLimited(first.rest) ? best : [first];
}

/** Fewer limited benefits first, then the higher priority of what takes the rest, then the benefitId. */
function byTies(a: Option, b: Option): number {
  if (a.limited.length !== b.limited.length) return a.limited.length - b.limited.length;
  const priority = (b.rest?.benefit.priority ?? 0) - (a.rest?.benefit.priority ?? 0);
  return priority !== 0 ? priority : (a.rest?.benefit.ordinal ?? -1) - (b.rest?.benefit.ordinal ?? -1);
}

/** Takes of one line in the order of the benefitId. */
export function sortTakes(takes: Take[]): Take[] {
  return takes.sort((a, b) => a.offer.benefit.ordinal - b.offer.benefit.ordinal);
}
