import type { LineFacts } from '../lines/lines.ts';
import {
  type BundleOffer,
  type BuyGetOffer,
  isAt,
  isLimited,
  type LineOffer,
  type UnitOffer,
} from '../offers/offers.ts';
import { fullEffect, isPermitted } from '../settle/settle.ts';
import { type LineTakes, splitLine } from '../settle/split.ts';
import { roomOf } from '../settled-part.ts';
import type { Couplings } from './couplings.ts';
import type { CutEffect, LineOption, OptionInput } from './line-option.ts';

/** What units of a line save. */

const MOST_TIES = 3;

/** Computes what units of the line save; an effect on a line without discounts to share out is computed once. */
export class Saver {
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
    this.isBare =
      !line.unit && line.existing === 0 && line.allocated === 0 && (line.isSplittable || line.units === 1) && !drawn;
  }

  effect(offer: LineOffer | BuyGetOffer, units: number): number {
    let own = this.#known.get(offer);
    if (!own) {
      own = [];
      this.#known.set(offer, own);
    }
    own[units] ??= Math.min(offer.benefit.rule.effect(this.#line, units), units * this.#line.unitPrice);
    return own[units];
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
    this.#best[units] = best;
    return best;
  }
}

type Saved = Pick<LineOption, 'saving' | 'cut'>;

const NO_CUTS: readonly CutEffect[] = [];

export function savedOnBare(takes: LineTakes, left: number, saver: Saver, input: OptionInput): Saved | undefined {
  const { worth, couplings } = input;
  let saving = 0;
  let cut: CutEffect[] | undefined;
  const add = (offer: LineOffer | BuyGetOffer, units: number): boolean => {
    const effect = saver.effect(offer, units);
    if (effect <= 0) return isAt(offer, 'buyGet');
    const sums = couplings.sumsOf.get(offer) ?? NO_SUMS;
    cut ??= [];
    if (sums.length > 0)
      cut.push({ sums, effect: cutTo(effect, sums, couplings), worth, mayBeNothing: mayBeNothing(offer, input) });
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

/** Lines are walked in another order than sums are spent, so where every choice counts a line may seem to get nothing. */
function mayBeNothing(offer: UnitOffer, { isUneven, everyChoice }: OptionInput): boolean {
  return isUneven || everyChoice || isAt(offer, 'buyGet');
}

/** No effect is larger than the sums of money from which it is paid. */
function cutTo(effect: number, sums: readonly number[], { capacities }: Couplings): number {
  return sums.reduce((least, slot) => Math.min(least, capacities[slot]!), effect);
}

/** What the parts of the line save. Undefined where a benefit has no effect on a part, or too small a one. */
export function savedOn(line: LineFacts, takes: LineTakes, input: OptionInput): Saved | undefined {
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
      return {
        sums: couplings.sumsOf.get(offer)!,
        effect: cutTo(effect, couplings.sumsOf.get(offer)!, couplings),
        worth,
        // How its discounts are shared out changes with what takes its units, and a sum of money is spent in the order of the basket.
        mayBeNothing: line.existing > 0 || line.allocated > 0 || mayBeNothing(offer, input),
      };
    }),
  };
}
