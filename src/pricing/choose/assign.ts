import { assignUnits } from '../assignment.ts';
import type { LineFacts } from '../lines.ts';
import { isAt, type LineOffer, type UnitOffer } from '../offers.ts';
import type { Pool } from '../pools.ts';
import { COST, type Work } from '../work.ts';
import type { LineOption, OptionInput } from './line-option.ts';
import { optionWith } from './line-options.ts';
import type { Model } from './model.ts';

/** Deals the units of a component out to the offers that are limited by items, all other offers that lines share left aside. */
export interface Assigned {
  readonly options: readonly LineOption[];
  /** What a unit of each limit is worth, by the numbers of the state. */
  readonly ofSlot: readonly number[];
}

/** Gains in fractions of a minor unit are kept to this part of one. */
const PARTS_OF_A_MINOR_UNIT = 1_000;
const MAX_OPERATIONS = 1_500_000;

export function assignLimited(
  model: Model,
  inputs: readonly OptionInput[],
  free: readonly LineOption[],
  work: Work,
): Assigned | undefined {
  const { couplings, lines, options } = model;
  const offers = [...couplings.limitsOf.keys()].filter(
    (offer): offer is LineOffer =>
      isAt(offer, 'line') && couplings.limitsOf.get(offer)!.length > 0 && couplings.sumsOf.get(offer)!.length === 0,
  );
  if (offers.length < 2) return undefined;
  const scale =
    options.flat().every(({ saving }) => Number.isInteger(saving)) && lines.every(({ units }) => units === 1)
      ? 1
      : PARTS_OF_A_MINOR_UNIT;
  const gains = new Float64Array(lines.length * offers.length);
  work.count(lines.length * offers.length * COST.comparedOffer);
  lines.forEach((line, at) => {
    const input = inputs[at]!;
    const isBare = !line.unit && line.existing === 0 && line.allocated === 0 && !input.drawn;
    const units = line.isSplittable ? 1 : line.units;
    offers.forEach((offer, number) => {
      if (!input.isDiscountable(offer, 0, line.index)) return;
      let saving = offer.benefit.rule.effect(line, units) * input.worth;
      if (!isBare) {
        work.count(COST.option);
        saving = optionWith(line, input, new Map([[offer, units]]), true)?.saving ?? 0;
      }
      const own = saving / units - free[at]!.saving / line.units;
      gains[at * offers.length + number] = Math.max(0, Math.floor(own * scale));
    });
  });
  const pools: Pool[] = [];
  const poolOf = offers.map(({ pool }) => {
    if (pool?.counts !== 'items') return undefined;
    if (!pools.includes(pool)) pools.push(pool);
    return pools.indexOf(pool);
  });
  const perUse = 1 + offers.length * lines.reduce((sum, { units }) => sum + units, 0);
  let left = MAX_OPERATIONS;
  const { amounts, offerPrices, poolPrices } = assignUnits(
    {
      units: lines.map(({ units }) => Math.max(1, units)),
      capacities: offers.map(({ items }) => items),
      poolOf,
      poolCapacities: pools.map((pool) => pool.left),
      gains,
      tieCosts: offers.map(({ use }, rank) => (use ? perUse : 0) + rank),
    },
    (operations) => {
      left -= operations;
      if (left < 0) return false;
      work.count(operations * COST.assignedCell);
      return true;
    },
  );
  const ofSlot = couplings.capacities.map(() => 0);
  offers.forEach((offer, at) => {
    const [own, shared] = couplings.limitsOf.get(offer)! as [number, number | undefined];
    ofSlot[own] = finite(offerPrices[at]!) / scale;
    if (shared !== undefined) ofSlot[shared] = finite(poolPrices[poolOf[at]!]!) / scale;
  });
  const chosen = lines.map((line, at) => {
    const wanted = new Map<UnitOffer, number>();
    offers.forEach((offer, number) => {
      const units = amounts[at * offers.length + number]!;
      if (units > 0) wanted.set(offer, units);
    });
    if (wanted.size === 0) return free[at]!;
    return optionWith(line, inputs[at]!, wanted) ?? mostOf(line, inputs[at]!, wanted) ?? free[at]!;
  });
  return { options: chosen, ofSlot };
}

/** Of a line that takes one benefit only, the offer that takes most of its units. */
function mostOf(line: LineFacts, input: OptionInput, wanted: ReadonlyMap<UnitOffer, number>): LineOption | undefined {
  const [first] = [...wanted].sort((a, b) => b[1] - a[1]);
  return first && optionWith(line, input, new Map([first]));
}

function finite(price: number): number {
  return price === Number.POSITIVE_INFINITY ? 0 : price;
}
