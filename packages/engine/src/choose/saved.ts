import type { ExistingLineDiscounts, LineFacts } from '../lines/lines.ts';
import { isAt, type LineOffer, type UnitOffer } from '../offers/offers.ts';
import { fullEffect, isPermitted } from '../settle/settle.ts';
import { roomOf } from '../settle/settled-part.ts';
import { type LineTakes, NOTHING_BOUGHT, type Shares, type SharesOf, shareOut, splitLine } from '../settle/split.ts';
import { ByNumbers } from './by-numbers.ts';
import type { Couplings } from './couplings.ts';
import type { CutEffect, Role, Way } from './way.ts';

/** What the parts of a line save, with what sums of money may cut set apart. */
export type Saved = Pick<Way, 'saving' | 'cut'>;

/** What the search knows of the basket beside the line. */
export interface SavingInput {
  readonly policy: ExistingLineDiscounts;
  readonly couplings: Couplings;
  /** What a minor unit saved on the line is worth after order-level benefits. */
  readonly worth: number;
  /** Sums of money may be spent in another order than lines are walked, so that a line may seem to get nothing. */
  readonly mayCutToNothing: boolean;
}

const NO_SUMS: readonly number[] = [];
const NO_CUT: readonly CutEffect[] = [];

/** What takes of one line save. What many of them have in common is computed once. */
export class Savings {
  readonly #line: LineFacts;
  readonly #input: SavingInput;
  /** How parts of so many units share the discounts of the line, whatever takes them. */
  readonly #shares = new ByNumbers<Shares>();
  /** What units of an offer save, by their number. */
  readonly #parts = new Map<UnitOffer, (Saved | undefined)[]>();

  constructor(line: LineFacts, input: SavingInput) {
    this.#line = line;
    this.#input = input;
  }

  /** Undefined where a benefit has no effect on a part, or too small a one. */
  of(takes: LineTakes): Saved | undefined {
    return savedOn(this.#line, takes, this.#input, (quantities) => {
      let own = this.#shares.find(quantities);
      if (!own) {
        own = shareOut(this.#line, quantities);
        this.#shares.add(quantities, own);
      }
      return own;
    });
  }

  /** The same of a line whose parts save each by itself: so many units in each role, and those that are left. */
  ofParts(
    roles: readonly Role[],
    counts: readonly number[],
    rest: LineOffer | undefined,
    left: number,
  ): Saved | undefined {
    let saving = 0;
    let cut = NO_CUT;
    for (let at = 0; at <= counts.length; at++) {
      const units = at < counts.length ? counts[at]! : left;
      const offer = at < counts.length ? roles[at]!.offer : rest;
      if (units === 0 || !offer || roles[at]?.part === 'bought') continue;
      const own = this.#ofPart(offer, units);
      if (!own) return undefined;
      saving += own.saving;
      if (own.cut.length > 0) cut = [...cut, ...own.cut];
    }
    return { saving, cut };
  }

  #ofPart(offer: UnitOffer, units: number): Saved | undefined {
    let parts = this.#parts.get(offer);
    if (!parts) {
      parts = [];
      this.#parts.set(offer, parts);
    }
    if (!(units in parts))
      parts[units] = this.of({
        taken: [{ offer, line: this.#line.index, units }],
        bought: NOTHING_BOUGHT,
        rest: undefined,
      });
    return parts[units];
  }
}

/** What the parts of the line save. Undefined where a benefit has no effect on a part, or too small a one. */
function savedOn(line: LineFacts, takes: LineTakes, input: SavingInput, sharesOf?: SharesOf): Saved | undefined {
  const { policy, worth, couplings } = input;
  const replaces = policy === 'replace_if_larger';
  let saving = 0;
  let cut: Map<UnitOffer, number> | undefined;
  for (const part of splitLine(line, takes, sharesOf)) {
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
    if (isLine && !isPermitted(part, effect, policy)) return undefined;
    const sums = couplings.sumsOf.get(offer) ?? NO_SUMS;
    if (sums.length > 0) cut = (cut ?? new Map()).set(offer, (cut?.get(offer) ?? 0) + effect);
    else saving += effect;
    // A sum of money may leave nothing for some of the units of a set, or lines of a unit; they keep their discount then.
    const mayBeCutToNothing = sums.length > 0 && (part.joined !== undefined || !isLine);
    if (replaces && effect > 0 && !mayBeCutToNothing) saving -= part.existing;
  }
  // How its discounts are shared out changes with what takes its units, and a sum of money is spent in the order of the basket.
  const isShared = line.existing > 0 || line.allocated > 0;
  return {
    saving: saving * worth,
    cut: cut ? Array.from(cut, ([offer, effect]) => cutEffect(offer, effect, input, isShared)) : NO_CUT,
  };
}

/** No effect is larger than the sums of money from which it is paid. */
function cutEffect(offer: UnitOffer, effect: number, input: SavingInput, isShared: boolean): CutEffect {
  const { worth, couplings, mayCutToNothing } = input;
  const sums = couplings.sumsOf.get(offer)!;
  return {
    offer,
    sums,
    effect: sums.reduce((least, slot) => Math.min(least, couplings.capacities[slot]!), effect),
    worth,
    mayBeNothing: isShared || mayCutToNothing || isAt(offer, 'buyGet'),
  };
}
