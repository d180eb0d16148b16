import { assignUnits } from '../assignment.ts';
import { type BundleOffer, isAt, type LineOffer } from '../offers/offers.ts';
import { COST, type Work } from '../work.ts';
import type { Consider } from './deals.ts';
import type { Table } from './hand.ts';
import type { LineOption } from './line-option.ts';
import { optionOf, unitsDrawn } from './line-options.ts';
import { unitsIn } from './roles.ts';

/**
 * However many bundles of each offer are formed, which units they take is an assignment: each item of a bundle takes as many
 * units as there are bundles, and the limited percentages take theirs beside them. So only the numbers of bundles are
 * searched, one more, one less, or one in the place of another, as long as that gains something. Sets keep what they have.
 */
export function countBundles(
  table: Table,
  best: { readonly options: readonly LineOption[] },
  considerAll: Consider,
): void {
  const { model, inputs } = table;
  const { work } = inputs[0]!;
  const bundles = [...model.couplings.bundleOf.values()]
    .map(({ offer }) => offer)
    .filter((offer) => !offer.pool && offer.mostDiscount === Number.POSITIVE_INFINITY);
  if (bundles.length === 0) return;
  const search = new CountSearch(table, bundles, best.options);
  const start = bundles.map((offer) => search.bundlesIn(best.options, offer));
  for (const from of [start, bundles.map(() => 0)]) {
    const dealt = climbCounts(search, from, work);
    if (dealt) considerAll(search.optionsOf(dealt));
  }
}

/** So many bundles are counted one by one; of more, they are counted in fewer steps first. */
const FEW_BUNDLES = 64;
const TIMES_FEWER = 8;

/** Changes the numbers until no change gains anything, or the work is used up: first by many at once, at last by one. */
function climbCounts(search: CountSearch, from: readonly number[], work: Work): Dealt | undefined {
  const all = [...from.keys()];
  const moves: (readonly (readonly [bundle: number, sign: number])[])[] = [
    ...all.map((own) => [[own, 1] as const]),
    ...all.flatMap((own) =>
      all.filter((other) => other !== own).map((other) => [[own, 1] as const, [other, -1] as const]),
    ),
    ...all.map((own) => [[own, -1] as const]),
  ];
  let best = search.deal(from);
  let step = 1;
  while (step * FEW_BUNDLES < search.mostBundles) step *= TIMES_FEWER;
  for (; step >= 1; step /= TIMES_FEWER) {
    let unchanged = 0;
    for (let at = 0; unchanged < moves.length && work.left > 0; at = (at + 1) % moves.length) {
      const counts = [...(best?.counts ?? from)];
      for (const [bundle, sign] of moves[at]!) counts[bundle]! += sign * step;
      const dealt = counts.every((count) => count >= 0) ? search.deal(counts) : undefined;
      const isBetter = dealt !== undefined && (!best || dealt.value > best.value);
      unchanged = isBetter ? 0 : unchanged + 1;
      if (isBetter) best = dealt;
    }
  }
  return best;
}

/** Units dealt out to limited percentages and to items of so many bundles. */
interface Dealt {
  readonly counts: readonly number[];
  /** What all units gain, in parts of a minor unit. */
  readonly value: number;
  /** Units at `line × takers + taker`. */
  readonly amounts: ArrayLike<number>;
}

interface Taker {
  readonly offer: LineOffer | BundleOffer;
  readonly item: number | undefined;
  /** Its units in each bundle, and the place of its bundle. */
  readonly perBundle: number;
  readonly bundle: number;
}

const PARTS_OF_A_MINOR_UNIT = 8;

class CountSearch {
  readonly #table: Table;
  readonly #takers: readonly Taker[];
  readonly #bundles: readonly BundleOffer[];
  readonly #held: readonly (readonly number[])[];
  readonly #units: readonly number[];
  readonly #gains: Float64Array;
  /** An item's unit gains this much more, so that every bundle is full. */
  readonly #full: number;

  constructor(table: Table, bundles: readonly BundleOffer[], base: readonly LineOption[]) {
    this.#table = table;
    this.#bundles = bundles;
    const { model, inputs, free, roles } = table;
    const limited = [...model.couplings.limitsOf.keys()].filter(
      (offer): offer is LineOffer => isAt(offer, 'line') && offer.items !== Number.POSITIVE_INFINITY && !offer.pool,
    );
    this.#takers = [
      ...limited.map((offer) => ({ offer, item: undefined, perBundle: 0, bundle: -1 })),
      ...bundles.flatMap((offer, bundle) =>
        offer.benefit.rule.quantities.map((perBundle, item) => ({ offer, item, perBundle, bundle })),
      ),
    ];
    this.#held = roles.map((own, at) => own.map((role) => (role.set ? unitsIn(base[at]!, role) : 0)));
    this.#units = model.lines.map(({ units, isSplittable }, at) => {
      const held = this.#held[at]!.reduce((sum, own) => sum + own, 0);
      if (!isSplittable && units > 1) return 0;
      return Math.max(0, units - unitsDrawn(inputs[at]!.drawn) - held);
    });
    const count = this.#takers.length;
    this.#gains = new Float64Array(model.lines.length * count);
    let largest = 0;
    model.lines.forEach((line, at) => {
      const { isDiscountable, worth } = inputs[at]!;
      const inLine = line.units > 0 ? free[at]!.saving / line.units : 0;
      this.#takers.forEach(({ offer, item }, taker) => {
        if (!isDiscountable(offer, item ?? 0, line.index)) return;
        const own = isAt(offer, 'bundle')
          ? offer.benefit.rule.estimate.ofPrice * line.unitPrice
          : Math.min(offer.benefit.rule.effect(line, 1), offer.mostDiscount);
        const gain = Math.round((own * worth - inLine) * PARTS_OF_A_MINOR_UNIT);
        this.#gains[at * count + taker] = item === undefined ? Math.max(0, gain) : gain;
        largest = Math.max(largest, Math.abs(gain));
      });
    });
    this.#full = (largest + 1) * (count + 1);
    model.lines.forEach((line, at) => {
      this.#takers.forEach(({ offer, item }, taker) => {
        if (item !== undefined && inputs[at]!.isDiscountable(offer, item, line.index))
          this.#gains[at * count + taker]! += this.#full;
      });
    });
  }

  /** No offer forms more bundles than this. */
  get mostBundles(): number {
    return this.#units.reduce((sum, own) => sum + own, 0);
  }

  /** The best way to deal the units out to so many bundles. Undefined where there are too few units, or too little work. */
  deal(counts: readonly number[]): Dealt | undefined {
    const { model, inputs } = this.#table;
    const { work } = inputs[0]!;
    work.count(COST.assignment);
    const capacities = this.#takers.map(({ offer, perBundle, bundle }) =>
      bundle < 0 ? offer.items : perBundle * counts[bundle]!,
    );
    for (const [at, offer] of this.#bundles.entries()) {
      const size = offer.benefit.rule.quantities.reduce((sum, own) => sum + own, 0);
      if (counts[at]! * size > offer.items) return undefined;
    }
    const { amounts, gain, isOptimal } = assignUnits(
      {
        units: this.#units.map((units) => Math.max(1, units)),
        capacities,
        poolOf: capacities.map(() => undefined),
        poolCapacities: [],
        gains: this.#units.includes(0) ? this.#gainsOfOpenLines() : this.#gains,
        tieCosts: capacities.map(() => 0),
      },
      (more) => work.spend(more * COST.assignedCell),
    );
    if (!isOptimal) return undefined;
    let value = gain;
    for (const [taker, { perBundle, bundle }] of this.#takers.entries()) {
      if (bundle < 0) continue;
      let units = 0;
      for (let at = 0; at < model.lines.length; at++) units += amounts[at * this.#takers.length + taker]!;
      if (units < perBundle * counts[bundle]!) return undefined;
      value -= units * this.#full;
    }
    for (const [at, { benefit }] of this.#bundles.entries())
      value += counts[at]! * benefit.rule.estimate.perBundle * PARTS_OF_A_MINOR_UNIT;
    return { counts, value, amounts };
  }

  #open: Float64Array | undefined;

  /** Lines of which sets have all units gain nothing here. */
  #gainsOfOpenLines(): Float64Array {
    if (this.#open) return this.#open;
    const count = this.#takers.length;
    const open = Float64Array.from(this.#gains);
    for (const [at, units] of this.#units.entries()) if (units === 0) open.fill(0, at * count, (at + 1) * count);
    this.#open = open;
    return open;
  }

  bundlesIn(options: readonly LineOption[], offer: BundleOffer): number {
    let units = 0;
    for (const { takes } of options) for (const taken of takes.taken) if (taken.offer === offer) units += taken.units;
    return Math.round(units / offer.benefit.rule.quantities.reduce((sum, own) => sum + own, 0));
  }

  optionsOf({ amounts }: Dealt): LineOption[] {
    const { model, inputs, free, roles } = this.#table;
    return model.lines.map((line, at) => {
      const chosen = [...this.#held[at]!];
      let isAny = chosen.some((units) => units > 0);
      this.#takers.forEach(({ offer, item }, taker) => {
        const units = amounts[at * this.#takers.length + taker]!;
        if (units === 0) return;
        const role = roles[at]!.findIndex((own) => own.offer === offer && own.item === item);
        if (role < 0) return;
        chosen[role] = units;
        isAny = true;
      });
      return (isAny && optionOf(line, inputs[at]!, roles[at]!, chosen)) || free[at]!;
    });
  }
}
