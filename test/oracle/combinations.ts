/** Every permitted line-level combination of some offers, one by one (packages/engine/README.md, rules 8 to 12). */
import { apartUnits, type GroupRules, sharingUnits, takenUnits } from './draft.ts';
import { groupDrafts } from './groups.ts';
import { familyOf } from './kinds.ts';
import { takesCheapest } from './sets.ts';
import type { Combination, Line, LinePlan, Offer } from './types.ts';

/** What is left of the limits by items while lines are planned one after the other. */
type Budgets = ReadonlyMap<Offer, number>;

/** The combinations in no order that means anything; the first is the one without any benefit. */
export function* lineCombinations(offers: readonly Offer[], rules: GroupRules): Generator<Combination> {
  const lineLevel = offers.filter((offer) => familyOf(offer.benefit) === 'line' && !takesCheapest(offer));
  const given = offers.filter(({ rungUp }) => rungUp !== undefined && rungUp.units > 0);
  const byItems = [...lineLevel.filter(({ items }) => items < Infinity), ...given];
  const whole = lineLevel.filter((offer) => !byItems.includes(offer));
  const budgets = new Map(byItems.map((offer) => [offer, offer.rungUp?.units ?? offer.items]));
  for (const draft of groupDrafts(offers, rules)) {
    const starts = rules.lines.map((line) => ({
      line,
      taken: draft.taken.get(line) ?? new Map<Offer, number>(),
      apart: apartUnits(draft, line),
      sharing: sharingUnits(draft, line, rules),
      left: line.units - takenUnits(draft, line) - apartUnits(draft, line),
    }));
    for (const plans of planLines(starts, byItems, whole, budgets)) yield { plans, bundles: draft.bundles };
  }
}

interface Start {
  readonly line: Line;
  /** Units that groups and benefits limited by items have taken. */
  readonly taken: ReadonlyMap<Offer, number>;
  /** Bought units that no other benefit takes. */
  readonly apart: number;
  /** Of them those that share what their offers give. */
  readonly sharing: ReadonlyMap<Offer, number>;
  readonly left: number;
}

function* planLines(
  [start, ...others]: readonly Start[],
  byItems: readonly Offer[],
  whole: readonly Offer[],
  budgets: Budgets,
): Generator<LinePlan[]> {
  if (!start) {
    yield [];
    return;
  }
  for (const [taken, budgetsLeft] of takeItems(start, byItems, budgets)) {
    const { line, apart, sharing } = start;
    const own = restsOf(taken, whole).map((rest): LinePlan => ({ line, taken: taken.taken, apart, sharing, rest }));
    for (const plan of own) {
      for (const plans of planLines(others, byItems, whole, budgetsLeft)) yield [plan, ...plans];
    }
  }
}

/** Every way in which benefits limited by items can take units of the line. */
function* takeItems(start: Start, [offer, ...others]: readonly Offer[], budgets: Budgets): Generator<[Start, Budgets]> {
  if (!offer) {
    yield [start, budgets];
    return;
  }
  yield* takeItems(start, others, budgets);
  const { taken, left } = start;
  if (!isOpenTo(start, offer)) return;
  const budget = budgets.get(offer)!;
  for (let units = 1; units <= Math.min(left, budget); units++) {
    const next = { ...start, taken: new Map(taken).set(offer, units), left: left - units };
    yield* takeItems(next, others, new Map(budgets).set(offer, budget - units));
  }
}

/** The benefits that what is left of the line may take: none, or one of them. */
function restsOf(start: Start, whole: readonly Offer[]): (Offer | undefined)[] {
  return start.left === 0 ? [undefined] : [undefined, ...whole.filter((offer) => isOpenTo(start, offer))];
}

function isOpenTo({ line, taken, apart }: Start, { benefit, eligible, rungUp }: Offer): boolean {
  if (!(rungUp?.lines ?? eligible[0]!).has(line) || !line.takesLineLevel) return false;
  if (!line.isSplittable && taken.size + apart > 0) return false;
  return benefit.kind !== 'unit_price' || line.joined !== undefined || benefit.unitPrice < line.body.unitPrice;
}
