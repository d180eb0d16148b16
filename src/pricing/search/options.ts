import { lineKindOf } from '../benefits/register.ts';
import type { LineFacts } from '../lines.ts';
import type { Offer } from '../offers.ts';
import type { ExistingLineDiscounts, LineRule } from '../programme.ts';
import { fullEffect, isPermitted, roomOf } from '../settle.ts';
import { type Part, splitLine, type Take } from '../split.ts';

/** What one line may do with the units that no group has taken. */

/** What an option takes out of a budget that lines share. */
export interface Spending {
  readonly slot: number;
  readonly units: number;
  readonly effect: number;
  /** An effect that is cut to this or below is no effect. */
  readonly beats: number;
  readonly canBeCut: boolean;
}

export interface Option {
  /** Units that benefits limited by items take. */
  readonly taken: readonly Take[];
  readonly rest: Offer | undefined;
  readonly spending: readonly Spending[];
  /** Before any cap per basket, in minor units. */
  readonly saving: number;
  /** What it takes of limited benefits, for ties; one that takes the rest of a line counts baskets, not items. */
  readonly limited: readonly LimitedTake[];
}

export interface LimitedTake {
  readonly offer: Offer;
  readonly units: number;
}

/** The offers that may take something of one line; `slot` is an offer's number among the budgeted ones. */
export interface LineOffers {
  readonly line: LineFacts;
  /** Unit prices with the lowest first. */
  readonly plain: readonly Offer[];
  /** The largest effect on the whole line first, like `byCap`. */
  readonly byItems: readonly BudgetedOffer[];
  readonly byCap: readonly BudgetedOffer[];
}

export interface BudgetedOffer {
  readonly offer: Offer;
  readonly slot: number;
}

export interface OptionSettings {
  readonly policy: ExistingLineDiscounts;
  /** Lists every plain benefit and none at all, not only the best. */
  readonly everyChoice: boolean;
  /** Of more options than about this many, the most promising are listed. */
  readonly maximumOptions: number;
}

export interface OptionList {
  readonly options: readonly Option[];
  /** False when a line has too many ways to deal out its units; the answer is then no longer proven best. */
  readonly isComplete: boolean;
}

const NO_TAKES: readonly Take[] = [];

/** All permitted options for `units` open units of a line, of which groups have taken `grouped` before. */
export function listOptions(
  offers: LineOffers,
  units: number,
  grouped: readonly Take[],
  settings: OptionSettings,
): OptionList {
  const { deals, isComplete } = dealUnits(offers, units, settings.maximumOptions / (1 + offers.byCap.length));
  const options: Option[] = [];
  for (const deal of deals) addOptions(options, offers, deal, grouped, settings);
  return { options, isComplete };
}

/** Every way to deal units of the line out to the benefits that count items, none included. */
function dealUnits(
  { line, byItems }: LineOffers,
  units: number,
  maximumDeals: number,
): { deals: (readonly Take[])[]; isComplete: boolean } {
  const deals: (readonly Take[])[] = [NO_TAKES];
  for (const { offer } of byItems) {
    for (const deal of [...deals]) {
      for (let taken = Math.min(openUnits(line, units, deal), offer.left); taken >= 1; taken--) {
        if (deals.length >= maximumDeals) return { deals, isComplete: false };
        deals.push([...deal, { line: line.index, units: taken, offer }]);
      }
    }
  }
  return { deals, isComplete: true };
}

/** On a line that cannot be split, the first benefit takes the whole line. */
function openUnits({ isSplittable }: LineFacts, units: number, deal: readonly Take[]): number {
  if (!isSplittable) return deal.length > 0 ? 0 : units;
  return deal.reduce((open, take) => open - take.units, units);
}

/** One deal, and with it every benefit that may take what is left of the line. */
function addOptions(
  options: Option[],
  offers: LineOffers,
  deal: readonly Take[],
  grouped: readonly Take[],
  { policy, everyChoice }: OptionSettings,
): void {
  const { line, plain, byItems, byCap } = offers;
  const parts = splitLine(line, { taken: sortTakes([...grouped, ...deal]), rest: undefined });
  let base: Option = { taken: deal, rest: undefined, spending: [], saving: 0, limited: [] };
  let left: Part | undefined;
  for (const part of parts) {
    if (!part.offer) left = part;
    if (!part.offer || part.offer.benefit.level === 'group') continue;
    const { slot } = byItems.find(({ offer }) => offer === part.offer)!;
    const option = extend(base, part, { offer: part.offer, slot }, policy);
    if (!option) return;
    base = option;
  }
  const choices = [base];
  if (left) {
    let hasLowestPrice = false;
    for (const offer of plain) {
      const isUnitPrice = offer.benefit.rule.kind === 'unit_price';
      // They come with the lowest first; behind one that fits and costs no limited use none can be better.
      if (isUnitPrice && hasLowestPrice && !everyChoice) continue;
      const option = extend(base, left, { offer, slot: -1 }, policy);
      if (!option) continue;
      choices.push({ ...option, rest: offer });
      if (isUnitPrice && !offer.use) hasLowestPrice = true;
    }
  }
  options.push(...(everyChoice ? choices : bestOf(choices)));
  if (!left) return;
  for (const budgeted of byCap) {
    const option = extend(base, left, budgeted, policy);
    if (option) options.push({ ...option, rest: budgeted.offer });
  }
}

/** The option with one more part discounted, or nothing when the benefit would have no effect on it. */
function extend(
  option: Option,
  part: Part,
  { offer, slot }: BudgetedOffer,
  policy: ExistingLineDiscounts,
): Option | undefined {
  const full = fullEffect(part, offer);
  const effect = Math.min(full, roomOf(part, policy));
  if (!isPermitted(part, offer, effect, full, policy)) return undefined;
  const beats = policy === 'replace_if_larger' ? part.existing : 0;
  const { canBeCut } = lineKindOf(offer.benefit.rule as LineRule);
  const spending: Spending[] = slot < 0 ? [] : [{ slot, units: part.effectUnits, effect, beats, canBeCut }];
  return {
    taken: option.taken,
    rest: option.rest,
    spending: [...option.spending, ...spending],
    saving: option.saving + effect - beats,
    limited: offer.use ? [...option.limited, { offer, units: part.effectUnits }] : option.limited,
  };
}

/** The options that save most: one of them where an unlimited benefit does, otherwise every limited one. */
function bestOf(options: readonly Option[]): Option[] {
  let most = 0;
  for (const { saving } of options) most = Math.max(most, saving);
  const best = options.filter(({ saving }) => saving === most).sort(byTies);
  const [first] = best as [Option];
  return first.rest?.use ? best : [first];
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
