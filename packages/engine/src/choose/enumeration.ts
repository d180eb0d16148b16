import { isAt } from '../offers/offers.ts';
import { COST } from '../work.ts';
import type { Choice } from './choice.ts';
import { cut } from './cut.ts';
import type { Model } from './model.ts';
import type { Subproblem } from './roles.ts';
import { mayBeSets } from './sets.ts';

/** Where a component has so few choices, all of them are looked at. */
const MOST_CHOICES = 400;

/** Units of one line by role. */
type Way = readonly number[];

/** All choices of a small component, none of a larger one. Each has sets and full bundles; what else is permitted the judge says. */
export function* everyChoice(model: Model): Generator<Choice> {
  const { roles, subproblems, nothing, work } = model;
  const all: (readonly Way[])[] = [];
  let count = 1;
  for (const line of model.lines.keys()) {
    const ways = waysOf(model, line, Math.floor(MOST_CHOICES / count));
    if (!ways) return;
    all.push(ways);
    count *= ways.length;
  }
  if (!work.spend(count * roles.length * all.length * COST.cell)) return;
  const deals = subproblems.filter(({ size }) => size > 1);
  for (let number = 0; number < count; number++) {
    const choice = nothing.copy();
    let rest = number;
    for (const [line, ways] of all.entries()) {
      const way = ways[rest % ways.length]!;
      rest = Math.floor(rest / ways.length);
      for (const [role, units] of way.entries()) if (units > 0) choice.add(role, line, units);
    }
    if (deals.some((deal) => !isFormed(deal, choice))) continue;
    for (const deal of deals) if (deal.form === 'row') cut(model, deal, choice);
    yield choice;
  }
}

function isFormed({ offer, roles, size }: Subproblem, choice: Choice): boolean {
  const units = choice.unitsOf(roles);
  return isAt(offer, 'buyGet') ? mayBeSets(offer.benefit.rule, units) : units % size === 0;
}

/** How the units of a line can be shared out; undefined where there are more ways than that, or no effort is left. */
function waysOf({ roles, subproblems, nothing, lines, work }: Model, line: number, most: number): Way[] | undefined {
  // Which units of a row are given follows from how it is cut, and what is left of a line is the last that anybody takes.
  const cutLater = subproblems.flatMap(({ form, roles: own }) => (form === 'row' ? own.slice(1) : []));
  const open = [...roles.keys()].filter(
    (role) => roles[role]!.gain[line]! > Number.NEGATIVE_INFINITY && !cutLater.includes(role),
  );
  const order = [
    ...open.filter((role) => roles[role]!.part !== 'rest'),
    ...open.filter((role) => roles[role]!.part === 'rest'),
  ];
  const choice = nothing.copy();
  const ways: Way[] = [];
  const isWhole = !lines[line]!.isSplittable;
  const add = (at: number): boolean => {
    if (at === order.length) {
      if (ways.length === most || !work.spend(roles.length * COST.cell)) return false;
      ways.push(choice.taken.map((taken) => taken[line]!));
      return true;
    }
    if (!add(at + 1)) return false;
    const role = order[at]!;
    const { offer, part, isExclusive, isOfDeal } = roles[role]!;
    const isTaken = order.some(
      (other) => choice.taken[other]![line]! > 0 && roles[other]!.isExclusive && roles[other]!.offer !== offer,
    );
    if (isWhole && isExclusive && isTaken) return true;
    const room = Math.min(
      isExclusive ? choice.free[line]! : Number.POSITIVE_INFINITY,
      isOfDeal ? choice.freeOfDeals[line]! : Number.POSITIVE_INFINITY,
      part === 'bought' ? Number.POSITIVE_INFINITY : offer.items,
    );
    for (let units = part === 'rest' ? Math.max(1, room) : 1; units <= room; units++) {
      choice.add(role, line, units);
      const isDone = add(at + 1);
      choice.add(role, line, -units);
      if (!isDone) return false;
    }
    return true;
  };
  return add(0) ? ways : undefined;
}
