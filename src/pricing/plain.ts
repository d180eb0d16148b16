import { lineKindOf } from './benefits/register.ts';
import type { LineFacts } from './lines.ts';
import { WORD_MASK, WORD_SHIFT } from './matching.ts';
import type { Offer } from './offers.ts';
import type { ExistingLineDiscounts, LineRule } from './programme.ts';
import { COST, type Work } from './work.ts';

/**
 * The best line-level benefit for every whole line, among those that spend nothing shared: no cap per basket and no
 * limit by items. There every line chooses for itself, which most programmes never leave.
 */
export interface PlainChoice {
  readonly offers: (Offer | undefined)[];
  /** What the guest saves on the line by it, in minor units. */
  readonly savings: number[];
  /** Per line the limited offers that save the same, where no unlimited one does. */
  readonly ties: Map<number, Offer[]>;
  /** False when there were too few steps to look at every offer. */
  isComplete: boolean;
}

/** A line-level offer that spends nothing shared. */
export function isPlain({ benefit }: Offer): boolean {
  return (
    benefit.level === 'line' &&
    benefit.maximumDiscount === Number.POSITIVE_INFINITY &&
    benefit.limit?.counts !== 'items'
  );
}

/**
 * Leaves out what cannot be best on any line: of unlimited benefits that name every line, one of a family that is neither
 * stronger nor of higher priority than an earlier one.
 */
export function withoutDominated(offers: readonly Offer[], lines: readonly LineFacts[]): readonly Offer[] {
  if (!offers.some(namesEverything)) return offers;
  const strongest = new Strongest(1);
  const isDecided = lines.every((line) => line.room === line.original);
  return offers.filter((offer) => {
    const rule = offer.benefit.rule as LineRule;
    if (!namesEverything(offer) || (rule.kind === 'unit_price' && !isDecided)) return true;
    return !strongest.isAsGood(offer, familyOf(rule), strengthOf(rule), 0);
  });
}

function namesEverything({ benefit }: Offer): boolean {
  return benefit.selectors[0]!.namesEverything;
}

/** Chooses per line: most saved, then unlimited, then the higher priority, then the benefitId (the order of the offers). */
export function choosePlain(
  offers: readonly Offer[],
  lines: readonly LineFacts[],
  policy: ExistingLineDiscounts,
  work: Work,
): PlainChoice {
  const choice: PlainChoice = {
    offers: new Array<Offer | undefined>(lines.length).fill(undefined),
    savings: new Array<number>(lines.length).fill(0),
    ties: new Map(),
    isComplete: true,
  };
  const replaces = policy === 'replace_if_larger';
  const strongest = new Strongest(lines.length);
  for (const offer of offers) {
    const { benefit, matches } = offer;
    const { isPercentage } = benefit;
    const rule = benefit.rule as LineRule;
    const kind = lineKindOf(rule);
    const family = familyOf(rule);
    const strength = strengthOf(rule);
    const from = benefit.selectors[0]!.id * matches.words;
    let steps = COST.offer;
    for (let word = 0; word < matches.words; word++) {
      for (let left = matches.bits[from + word]!; left !== 0; left &= left - 1) {
        const i = (word << WORD_SHIFT) + WORD_MASK - Math.clz32(left & -left);
        const line = lines[i]!;
        steps += COST.listedLine;
        if (isDecidedByStrength(rule, line) && strongest.isAsGood(offer, family, strength, i)) continue;
        if (!line.isOpenToLineBenefits || (isPercentage && !line.isOpenToPercentages)) continue;
        steps += line.isWeighed ? COST.weighedEffect : COST.effect;
        let effect = kind.effect(rule as never, line, line.units);
        if (effect > line.room) effect = kind.canBeCut ? line.room : 0;
        const saving = replaces ? effect - line.existing : effect;
        if (saving > 0 && saving >= choice.savings[i]!) consider(choice, i, offer, saving);
      }
    }
    if (work.spend(steps)) continue;
    choice.isComplete = offer === offers.at(-1);
    break;
  }
  return choice;
}

/** Families of kinds in which the stronger one is never worse on the same line. */
const FAMILIES = 4;

/** 0 to 3; offers of one family are compared by `strengthOf`. */
export function familyOf(rule: LineRule): number {
  if (rule.kind === 'line_percent') return 0;
  if (rule.kind === 'unit_price') return 1;
  return rule.per === 'unit' ? 2 : 3;
}

export function strengthOf(rule: LineRule): number {
  if (rule.kind === 'line_percent') return rule.percentHundredths;
  return rule.kind === 'line_amount' ? rule.amount : -rule.unitPrice;
}

/**
 * True where strength decides. A unit price is all or nothing: on a line with a discount that stays, the lower one may
 * take too much where the higher one still fits.
 */
export function isDecidedByStrength(rule: LineRule, line: LineFacts): boolean {
  return rule.kind !== 'unit_price' || line.room === line.original;
}

/**
 * Remembers per line and family the strongest unlimited offer. One that is as strong, has as high a priority and comes
 * first leaves nothing to a later one, so that most of many offers on a line are passed over without computing them.
 */
export class Strongest {
  readonly #strength: number[];
  readonly #priority: number[];

  constructor(lines: number) {
    this.#strength = new Array<number>(FAMILIES * lines).fill(Number.NEGATIVE_INFINITY);
    this.#priority = new Array<number>(FAMILIES * lines).fill(0);
  }

  /** True when an offer seen before is as good on this line; otherwise the offer is remembered if it is stronger. */
  isAsGood({ benefit, use }: Offer, family: number, strength: number, line: number): boolean {
    const at = line * FAMILIES + family;
    if (strength <= this.#strength[at]!) return benefit.priority <= this.#priority[at]!;
    if (use) return false;
    this.#strength[at] = strength;
    this.#priority[at] = benefit.priority;
    return false;
  }
}

function consider(choice: PlainChoice, i: number, offer: Offer, saving: number): void {
  const best = choice.offers[i];
  if (best && saving === choice.savings[i]) {
    if (offer.use && best.use) {
      const tied = choice.ties.get(i);
      if (tied) tied.push(offer);
      else choice.ties.set(i, [best, offer]);
    }
    if (!beats(offer, best)) return;
  }
  if (!best || saving > choice.savings[i]! || !offer.use) choice.ties.delete(i);
  choice.offers[i] = offer;
  choice.savings[i] = saving;
}

/** Of two offers that save the same: the unlimited one, then the one with the higher priority. */
function beats(offer: Offer, best: Offer): boolean {
  const isLimited = offer.use !== undefined;
  if (isLimited !== (best.use !== undefined)) return !isLimited;
  return offer.benefit.priority > best.benefit.priority;
}
