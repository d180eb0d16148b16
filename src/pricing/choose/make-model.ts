import { isAt, type UnitOffer } from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { ComponentInput } from './component-input.ts';
import type { Component } from './components.ts';
import { findCouplings } from './couplings.ts';
import type { LineOption, OptionInput, UnitBound } from './line-option.ts';
import { listLineOptions } from './line-options.ts';
import { demandsOf, type Model, stepCostOf } from './model.ts';
import type { Problem } from './problem.ts';
import { mostPromising } from './promising.ts';
import { rolesOn } from './roles.ts';
import { movable, slackOf } from './slack.ts';
import { inWalkOrder } from './walk-order.ts';

/** To list the ways of all lines takes this part of the work at most. */
const PART_OF_LISTING = 1 / 3;
/** More ways than these are not listed for a line; where there are few lines, for all of them. */
const MOST_OPTIONS = 240;
const MOST_OF_ALL_LINES = 3_000;

export function modelOf(
  problem: Problem,
  component: Component,
  input: ComponentInput,
  around?: readonly LineOption[],
): { readonly model: Model; readonly inputs: readonly OptionInput[] } {
  const { lines: all, policy, work, lists } = problem;
  const { offers, leftAside } = mostPromising(component, problem);
  const sets = offers.flatMap((offer) => (isAt(offer, 'buyGet') ? input.sets(offer) : []));
  const lines = inWalkOrder(
    component.lines.map((i) => all[i]!),
    sets,
    policy,
  );
  const couplings = findCouplings(offers, sets, lines);
  const spent = new Map<number, number>();
  for (const i of component.lines)
    for (const { offer, units } of input.drawn?.[i]?.taken ?? []) {
      const pool = offer.pool?.counts === 'items' ? offer.pool : undefined;
      const sharing = pool && offers.find((other) => other.pool === pool);
      const slot = sharing && couplings.limitsOf.get(sharing)!.at(-1);
      if (slot !== undefined) spent.set(slot, (spent.get(slot) ?? 0) + units);
    }
  const capacities = couplings.capacities.map((own, slot) => own - (spent.get(slot) ?? 0));
  const discountable = new Map<UnitOffer, ReadonlySet<number>[]>();
  for (const offer of offers)
    discountable.set(
      offer,
      offer.benefit.selectors.map((_, n) => new Set(lists.discountable(offer, n))),
    );
  const inputs: OptionInput[] = [];
  const beyond: (UnitBound | undefined)[] = [];
  const worths = component.lines.map((i) => input.worth?.[i] ?? 1);
  const spread = Math.max(...worths) - Math.min(...worths);
  const steps = (work.left * PART_OF_LISTING) / lines.length;
  const mostOptions = Math.max(MOST_OPTIONS, Math.floor(MOST_OF_ALL_LINES / lines.length));
  const isDiscountable = (offer: UnitOffer, selector: number, line: number): boolean =>
    discountable.get(offer)![selector]!.has(line);
  work.count(lines.length * offers.length * COST.role);
  const options = lines.map((line, at) => {
    const worth = input.worth?.[line.index] ?? 1;
    const own: OptionInput = {
      couplings,
      offers,
      roles: rolesOn(line, { offers, couplings, isDiscountable }),
      isDiscountable,
      plain: input.plain[line.index] ?? [],
      drawn: input.drawn?.[line.index],
      policy,
      worth,
      isUneven: spread > 0,
      around: around?.[at],
      everyChoice: input.everyChoice,
      mostOptions,
      work,
    };
    inputs.push(own);
    const listed = work.within(steps, () => listLineOptions(line, own));
    beyond.push(listed.beyond);
    return listed.options;
  });
  const endsPlace = lines.map((line, at) =>
    couplings.sets.map(({ set, isOrdered }) => {
      if (!isOrdered || set.row.length === 0) return false;
      const own = set.placeOf[line.index];
      if (own === undefined) return false;
      const next = lines.slice(at + 1).find(({ index }) => set.placeOf[index] !== undefined);
      return !next || set.placeOf[next.index] !== own;
    }),
  );
  const slots = capacities.length;
  work.count(lines.length * slots * COST.comparedOffer);
  const stepCost = stepCostOf(slots);
  const model = {
    lines,
    options,
    couplings: { ...couplings, capacities },
    endsPlace,
    beyond,
    leftAside,
    stepCost,
    ...demandsOf(options, slots),
    slack: slackOf(lines, offers, problem) + spread * movable(couplings, lines),
  };
  return { model, inputs };
}
