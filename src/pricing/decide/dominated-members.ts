import { MAX_LINES_DECIDED_WITH_ORDERS } from '../choose/problem.ts';
import { isLimited, lineListKey, type Offer, type OrderLevelOffer } from '../offers/offers.ts';
import type { Gift } from '../settle/gifts.ts';
import { COST } from '../work.ts';
import type { DecisionInput, Selection } from './selection.ts';

/** Members of groups that need not be chosen from, because others of their group are as good. */

/** Leaves out members that never belong to the best: as many others of their group as may apply are as good. */
export function withoutDominatedMembers(round: Selection, input: DecisionInput): readonly Offer[] {
  const dominated = new Set<Offer>([...dominatedGifts(round), ...dominatedOrders(round, input)]);
  return dominated.size === 0 ? round.selection : round.selection.filter((offer) => !dominated.has(offer));
}

/** Of another group, or a shared limit, the better ones may have to give way there. */
function isOfOneGroup({ benefit, groups, pool }: Offer): boolean {
  return benefit.group !== undefined && groups.length === 1 && pool === undefined;
}

/** A product given changes nothing else, so only those of the highest price can be best. */
function dominatedGifts({ gifts, selection }: Selection): Offer[] {
  const isOpen = new Set(selection);
  const members = gifts.filter(
    ({ offer }) => offer.benefit.level === 'gift' && isOpen.has(offer) && isOfOneGroup(offer),
  );
  const byGroup = Map.groupBy(members, ({ offer }) => offer.benefit.group!);
  return [...byGroup].flatMap(([group, own]) => {
    const spends = ({ offer }: Gift): number => Number(isLimited(offer));
    const sorted = own.toSorted((a, b) => b.worth - a.worth || spends(a) - spends(b));
    return sorted.slice(group.atMost).map(({ offer }) => offer);
  });
}

/**
 * Discounts on the order that are no larger than others on the same lines and at the same place of the sequence. On few
 * lines with discounts on different lines rounding may make the smaller one the better, and all stay.
 */
function dominatedOrders({ selection, standing }: Selection, { work }: DecisionInput): Offer[] {
  const members = selection.filter(({ benefit }) => benefit.level === 'order') as OrderLevelOffer[];
  if (!members.some(({ benefit }) => benefit.group)) return [];
  work.count(members.length * COST.list);
  const keys = new Map(members.map((offer) => [offer, lineListKey(offer, 0)]));
  const isUniform = new Set(keys.values()).size === 1;
  if (!isUniform && standing.lines.length <= MAX_LINES_DECIDED_WITH_ORDERS) return [];
  const alike = Map.groupBy(members.filter(isComparable), (offer) => {
    const { group, priority, rule } = offer.benefit;
    return `${group!.name} ${priority} ${rule.percentHundredths === undefined} ${keys.get(offer)}`;
  });
  return [...alike.values()].flatMap((own) => {
    const sorted = own.toSorted((a, b) => strengthOf(b) - strengthOf(a));
    return sorted.slice(own[0]!.benefit.group!.atMost);
  });
}

function isComparable(offer: OrderLevelOffer): boolean {
  const { group, minimumSaving, netMinimum } = offer.benefit;
  const hasMinimum = minimumSaving > 0 || netMinimum > 0;
  return group !== undefined && !isLimited(offer) && !hasMinimum && offer.mostDiscount === Number.POSITIVE_INFINITY;
}

/** The discount on more than any basket costs; of equal ones the lower benefitId comes first, as the offers do. */
function strengthOf({ benefit: { rule }, times }: OrderLevelOffer): number {
  return rule.percentHundredths ?? rule.amount(Number.MAX_SAFE_INTEGER, times);
}
