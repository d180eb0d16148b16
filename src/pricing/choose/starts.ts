import type { UnitOffer } from '../offers.ts';
import { formsGroups } from '../rule.ts';
import { COST } from '../work.ts';
import type { Couplings } from './couplings.ts';
import type { LineOption } from './line-option.ts';
import { demandsOf, type Model } from './model.ts';

/** So many offers are tried alone; with each of them a few limited benefits of lines may be walked with. */
const MOST_STARTS = 6;
const FEW_LIMITS = 3;

/** Cheap and good choices to begin with: each offer that forms bundles or sets by itself, the most promising first. */
export function startsOf(model: Model, offers: readonly UnitOffer[]): Model[] {
  const coupled = offers.filter((offer) => model.couplings.limitsOf.has(offer));
  const forming = coupled.filter(({ benefit }) => formsGroups(benefit.level));
  if (forming.length < 2) return [];
  const others = coupled.filter((offer) => !forming.includes(offer));
  const few = others.length <= FEW_LIMITS ? others : [];
  return forming.slice(0, MOST_STARTS).map((offer) => modelWith(model, [offer, ...few]));
}

/** The model with the ways that only these offers share, whose state is as small as that. */
function modelWith({ couplings, options, ...model }: Model, offers: readonly UnitOffer[]): Model {
  const bundles = couplings.bundles.filter(({ offer }) => offers.includes(offer));
  const sets = couplings.sets.filter(({ set }) => offers.includes(set.offer));
  const slots = [
    ...new Set([
      ...offers.flatMap((offer) => [...couplings.limitsOf.get(offer)!, ...couplings.sumsOf.get(offer)!]),
      ...bundles.flatMap(({ at, quantities }) => quantities.map((_, item) => at + item)),
      ...sets.flatMap(({ at }) => [at, at + 1, at + 2]),
    ]),
  ];
  const placeOf = new Map(slots.map((slot, at) => [slot, at]));
  const to = (own: readonly number[]): number[] => own.map((slot) => placeOf.get(slot)!);
  const bundleOf = new Map(bundles.map((own) => [own, { ...own, at: placeOf.get(own.at)! }]));
  const setOf = new Map(sets.map((own, number) => [own, { ...own, at: placeOf.get(own.at)!, number }]));
  const fewer: Couplings = {
    ...couplings,
    capacities: slots.map((slot) => couplings.capacities[slot]!),
    limits: to(couplings.limits.filter((slot) => placeOf.has(slot))),
    sums: to(couplings.sums.filter((slot) => placeOf.has(slot))),
    bundles: [...bundleOf.values()],
    sets: [...setOf.values()],
  };
  const fits = (option: LineOption): boolean =>
    option.slots.every((slot) => placeOf.has(slot)) &&
    option.cut.every((own) => own.sums.every((slot) => placeOf.has(slot)));
  const listed = options.map((own) =>
    own.filter(fits).map(
      (option): LineOption => ({
        ...option,
        slots: to(option.slots),
        flags: to(option.flags),
        cut: option.cut.map((one) => ({ ...one, sums: to(one.sums) })),
        bundles: option.bundles.map((one) => bundleOf.get(one)!),
        sets: option.sets.map((one) => setOf.get(one)!),
        source: option,
      }),
    ),
  );
  return {
    ...model,
    options: listed,
    // A start proves nothing, so it needs no bound of what is not listed.
    beyond: listed.map(() => undefined),
    couplings: fewer,
    endsPlace: model.endsPlace.map((own) => sets.map(({ number }) => own[number]!)),
    ...demandsOf(listed, slots.length),
    stepCost: stepCostOf(slots.length),
  };
}

/** A state is copied for every way. */
export function stepCostOf(slots: number): number {
  return COST.step * (1 + slots / 12);
}
