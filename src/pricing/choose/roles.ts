import type { LineFacts } from '../lines/lines.ts';
import { isAt } from '../offers/offers.ts';
import type { LineTakes } from '../settle/split.ts';
import { COST, type Work } from '../work.ts';
import type { LineOption, OptionInput, Role } from './line-option.ts';

/** The roles in which offers take units of a line, and how many units are tried for each. */

/** Of so many units every number is tried. */
const FEW_UNITS = 12;
const FIRST_NUMBERS = Array.from({ length: FEW_UNITS + 1 }, (_, most) =>
  Array.from({ length: most }, (_, at) => at + 1),
);

/** How many ways there are to deal units out to roles, or more. */
export function waysAtMost(roles: readonly Role[], tries: readonly (readonly number[])[], units: number): number {
  let ways = [1, ...new Array<number>(units > FEW_UNITS ? 0 : units).fill(0)];
  if (units > FEW_UNITS) return tries.reduce((product, own) => Math.min(product * (1 + own.length), 1e9), 1);
  for (let at = 0; at < roles.length; at++) {
    const next = [...ways];
    for (const taken of tries[at]!)
      for (let before = 0; before + taken <= units; before++) next[before + taken]! += ways[before]!;
    ways = next;
  }
  return ways.reduce((sum, own) => sum + own, 0);
}

/** A line that cannot be split takes one benefit; units bought for others count where those share them with none. */
export function mayJoinWhole(
  roles: readonly Role[],
  chosen: readonly number[],
  at: number,
  drawn: LineTakes | undefined,
): boolean {
  const own = roles[at]!;
  if (!own.isExclusive) return true;
  if (drawn && drawn.taken.length + drawn.bought.length > 0) return false;
  for (let other = 0; other < at; other++)
    if (chosen[other]! > 0 && roles[other]!.isExclusive && roles[other]!.offer !== own.offer) return false;
  return true;
}

export function rolesOn(
  line: LineFacts,
  { offers, couplings, isDiscountable }: Pick<OptionInput, 'offers' | 'couplings' | 'isDiscountable'>,
): Role[] {
  const roles: Role[] = [];
  const { index, units } = line;
  for (const offer of offers) {
    const most = Math.min(
      units,
      offer.items,
      offer.pool?.counts === 'items' ? offer.pool.left : Number.POSITIVE_INFINITY,
    );
    if (isAt(offer, 'line')) {
      if (offer.items === Number.POSITIVE_INFINITY || !isDiscountable(offer, 0, index)) continue;
      roles.push({ offer, part: 'line', isOfGroup: false, isExclusive: true, slot: undefined, most });
    } else if (isAt(offer, 'bundle')) {
      const bundle = couplings.bundleOf.get(offer)!;
      for (let item = 0; item < bundle.quantities.length; item++) {
        if (!isDiscountable(offer, item, index)) continue;
        roles.push({
          offer,
          part: 'bundle',
          isOfGroup: true,
          isExclusive: true,
          slot: bundle.at + item,
          bundle,
          item,
          most,
        });
      }
    } else {
      const set = couplings.setOf.get(offer)!;
      const [fitsBuy, fitsGet] = [set.set.fitsBuy[index]!, set.set.fitsGet[index]!];
      const isOutside = fitsBuy !== fitsGet && set.set.row.length > 0;
      const { sharesBought, buyQuantity, getQuantity } = offer.benefit.rule;
      const sets = Math.floor(
        Math.min(offer.items, offer.pool?.counts === 'items' ? offer.pool.left : Number.POSITIVE_INFINITY) /
          getQuantity,
      );
      if (fitsBuy)
        roles.push({
          offer,
          part: 'bought',
          isOfGroup: true,
          isExclusive: !sharesBought,
          slot: set.at,
          set,
          isOutside,
          most: Math.min(units, sets * buyQuantity),
        });
      if (fitsGet)
        roles.push({
          offer,
          part: 'given',
          isOfGroup: true,
          isExclusive: true,
          slot: set.at + 1,
          set,
          isOutside,
          most,
        });
    }
  }
  return roles;
}

/** The numbers of units that are tried for each role: all of them, or of many units those at the edges. */
export function triesOf(
  roles: readonly Role[],
  units: number,
  { around, mostOptions }: OptionInput,
): { readonly tries: readonly (readonly number[])[]; readonly isComplete: boolean } {
  let each = FEW_UNITS;
  while (each > 2 && (1 + Math.min(each, units)) ** Math.min(roles.length, 4) > 4 * mostOptions && units > 4) each -= 1;
  let isComplete = true;
  const tries = roles.map((role) => {
    const { most, set, bundle, item, part } = role;
    if (most <= each) return FIRST_NUMBERS[most]!;
    isComplete = false;
    const rule = set?.set.offer.benefit.rule;
    const size = rule ? rule.buyQuantity + rule.getQuantity : bundle ? bundle.quantities[item!]! : 1;
    const full = Math.floor(units / size);
    const ofSets = rule ? full * (part === 'bought' ? rule.buyQuantity : rule.getQuantity) : full * size;
    const edges = new Set([1, size, ofSets, Math.floor(most / 2), most]);
    const taken = around ? unitsIn(around, role) : 0;
    if (around) for (const step of [0, 1, size]) for (const own of [taken - step, taken + step]) edges.add(own);
    return [...edges].filter((own) => own > 0 && own <= most).sort((a, b) => a - b);
  });
  return { tries, isComplete };
}

/** The units that a way gives a role. */
export function unitsIn({ takes, slots, amounts }: LineOption, { offer, slot }: Role): number {
  if (slot === undefined) return takes.taken.find((own) => own.offer === offer)?.units ?? 0;
  const at = slots.indexOf(slot);
  return at < 0 ? 0 : amounts[at]!;
}

/** The units of each role in ways that differ from one by a unit: taken, left, moved to another role, or two taken at once. */
export function* waysBeside(
  option: LineOption,
  roles: readonly Role[],
  ofGroups: number,
  free: number,
  work: Work,
): Generator<readonly number[]> {
  const own = roles.map((role) => unitsIn(option, role));
  const all = [...roles.keys()];
  const held = all.filter((role) => own[role]! > 0);
  const change = (...changes: readonly (readonly [role: number, by: number])[]): number[] | undefined => {
    work.count(roles.length * COST.assignedCell);
    const way = [...own];
    for (const [role, by] of changes) way[role]! += by;
    let [groups, exclusive] = [0, 0];
    for (const [at, units] of way.entries()) {
      const { most, isOfGroup, isExclusive } = roles[at]!;
      if (units < 0 || units > most) return undefined;
      if (isOfGroup) groups += units;
      if (isExclusive) exclusive += units;
    }
    return groups <= ofGroups && exclusive <= free ? way : undefined;
  };
  const some = function* (ways: Iterable<number[] | undefined>): Generator<readonly number[]> {
    for (const way of ways) if (way) yield way;
  };
  yield own;
  yield* some(held.map((role) => change([role, -1])));
  yield* some(all.map((role) => change([role, 1])));
  for (const role of held)
    yield* some(all.map((other) => (other === role ? undefined : change([role, -1], [other, 1]))));
  for (const role of all) yield* some(all.slice(role + 1).map((other) => change([role, 1], [other, 1])));
}
