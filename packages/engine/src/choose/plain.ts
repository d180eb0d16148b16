import type { ExistingLineDiscounts, LineFacts } from '../lines/lines.ts';
import { WORD_MASK, WORD_SHIFT } from '../lines/matching.ts';
import { effectOn } from '../offers/modified-line.ts';
import { isLimited, type LineOffer } from '../offers/offers.ts';
import { COST, type Work } from '../work.ts';
import type { LineLists } from './line-lists.ts';

/**
 * The best line-level benefit for every whole line, among those that spend nothing shared: no cap per basket and no
 * limit by items. Every line then chooses for itself. Most programmes need nothing more than this.
 */
export interface PlainChoice {
  readonly offers: (LineOffer | undefined)[];
  /** The saving on the line, in minor units. */
  readonly savings: number[];
}

/** True for an offer that spends nothing shared. */
export function isPlain({ mostDiscount, items }: LineOffer): boolean {
  return mostDiscount === Number.POSITIVE_INFINITY && items === Number.POSITIVE_INFINITY;
}

/**
 * Leaves out the offers that cannot be best on any line. An offer that names every line is left out where an earlier
 * unlimited one of its scale names every line too, is as strong and has as high a priority.
 */
export function withoutDominated(offers: readonly LineOffer[]): readonly LineOffer[] {
  const strongest = new Strongest(1);
  return offers.filter(
    (offer) => !namesEverything(offer) || !strongest.on(offer.benefit.scaleNumber).isAsGood(offer, 0),
  );
}

function namesEverything({ benefit }: LineOffer): boolean {
  const [selector] = benefit.selectors;
  return selector!.namesEverything;
}

/** Chooses per line: most saved, then unlimited, then the higher priority, then the benefitId (the order of the offers). */
export function choosePlain(
  offers: readonly LineOffer[],
  lines: readonly LineFacts[],
  policy: ExistingLineDiscounts,
  work: Work,
): PlainChoice {
  const choice: PlainChoice = {
    offers: new Array<LineOffer | undefined>(lines.length).fill(undefined),
    savings: new Array<number>(lines.length).fill(0),
  };
  const replaces = policy === 'replace_if_larger';
  const strongest = new Strongest(lines.length);
  for (const offer of offers) {
    const { benefit, matches } = offer;
    const { effect: effectOf } = benefit.rule;
    const peers = strongest.on(benefit.scaleNumber);
    const { id, isPercentage } = benefit.selectors[0]!;
    const from = id * matches.words;
    let steps = COST.offer;
    for (let word = 0; word < matches.words; word++) {
      for (let left = matches.bits[from + word]!; left !== 0; left &= left - 1) {
        const i = (word << WORD_SHIFT) + WORD_MASK - Math.clz32(left & -left);
        const line = lines[i]!;
        steps += COST.listedLine;
        if (peers.isAsGood(offer, i)) continue;
        if (!line.isOpenToLineBenefits || (isPercentage && !line.isOpenToPercentages)) continue;
        steps += line.isWeighed ? COST.weighedEffect : COST.effect;
        const full = line.unit ? effectOn(benefit.rule, isPercentage, line, line.units) : effectOf(line, line.units);
        const effect = Math.min(full, line.room);
        const saving = replaces ? effect - line.existing : effect;
        const more = saving - choice.savings[i]!;
        if (saving <= 0 || more < 0 || (more === 0 && !beats(offer, choice.offers[i]!))) continue;
        choice.offers[i] = offer;
        choice.savings[i] = saving;
      }
    }
    if (!work.spend(steps)) break;
  }
  return choice;
}

interface PlainInput {
  readonly lines: readonly LineFacts[];
  readonly plain: readonly LineOffer[];
  readonly lists: LineLists;
  readonly work: Work;
}

/** For each of these lines the plain offers that may be best on a part of it, in the order of their benefitId. */
export function plainOffersOn(
  some: readonly LineFacts[],
  { lines, plain, lists, work }: PlainInput,
): readonly (readonly LineOffer[])[] {
  const perLine: LineOffer[][] = [];
  for (const { index } of some) perLine[index] = [];
  const strongest = new Strongest(lines.length);
  for (const offer of plain) {
    const own = lists.discountable(offer, 0);
    if (!work.spend(COST.offer + own.length * COST.comparedOffer)) break;
    const peers = strongest.on(offer.benefit.scaleNumber);
    for (const i of own) if (perLine[i] && !peers.isAsGood(offer, i)) perLine[i].push(offer);
  }
  return some.map(({ index }) => perLine[index]!);
}

/**
 * Remembers per scale and line the strongest unlimited offer. A later offer of the scale that is no stronger and has no
 * higher priority can then be passed over without computing it, as most of many offers on a line are.
 */
class Strongest {
  readonly #lines: number;
  /** By the number of the scale. */
  readonly #scales: (StrongestOfScale | undefined)[] = [];

  constructor(lines: number) {
    this.#lines = lines;
  }

  /** The strongest offers of one scale. To be asked once per offer, not for every line. */
  on(scaleNumber: number): StrongestOfScale {
    let own = this.#scales[scaleNumber];
    if (!own) {
      own = new StrongestOfScale(this.#lines);
      this.#scales[scaleNumber] = own;
    }
    return own;
  }
}

class StrongestOfScale {
  readonly #strength: number[];
  readonly #priority: number[];

  constructor(lines: number) {
    this.#strength = new Array<number>(lines).fill(Number.NEGATIVE_INFINITY);
    this.#priority = new Array<number>(lines).fill(0);
  }

  /** True when an offer seen before is as good on this line; otherwise the offer is remembered if it is stronger. */
  isAsGood(offer: LineOffer, line: number): boolean {
    const { benefit } = offer;
    const { strength } = benefit.rule;
    if (strength <= this.#strength[line]!) return benefit.priority <= this.#priority[line]!;
    if (isLimited(offer)) return false;
    this.#strength[line] = strength;
    this.#priority[line] = benefit.priority;
    return false;
  }
}

/** Decides between two offers that save the same: the unlimited one is better, then the one with the higher priority. */
function beats(offer: LineOffer, best: LineOffer): boolean {
  const spends = isLimited(offer);
  if (spends !== isLimited(best)) return !spends;
  return offer.benefit.priority > best.benefit.priority;
}
