import { firstDayAfter } from '../compile/calendar.ts';
import type { Benefit, Programme } from '../compile/programme.ts';
import { formsDeals } from '../compile/rule.ts';
import type { Limit } from '../compile/words.ts';
import { membersOf } from '../decide/benefit-groups.ts';
import { decide } from '../decide/decide.ts';
import { changesBasket, effectiveOffers, lowSavers, type Outcome, savingsOf, takenOf } from '../decide/outcome.ts';
import type { LineFacts } from '../lines/lines.ts';
import { type Matches, matchLines } from '../lines/matching.ts';
import { type Situation, unmetCondition } from '../offers/conditions.ts';
import { chooseGrant } from '../offers/grants.ts';
import { limitedUse } from '../offers/limits.ts';
import { missingUnits } from '../offers/minimums.ts';
import { joinUnits } from '../offers/modified-line.ts';
import { discountableLines, eligibleLines, namesAnyLine, type Offer } from '../offers/offers.ts';
import type { TracedBenefit } from '../types.ts';
import { withoutOver, wordsOfCondition } from './conditions.ts';
import { unmetMinimum } from './minimums.ts';
import type { BenefitTracing, Refusal } from './tracing.ts';
import { formatAmount, leftOfLimit, moreUnits, NEXT_PERIOD, NOTHING_LEFT, refused } from './wording.ts';

/** Why each benefit applied or did not. */

interface MatchedTracing extends BenefitTracing {
  readonly matches: Matches;
  /** The lines as benefits at line level see them: a unit with its modifiers as one. */
  readonly seen: readonly LineFacts[];
  /** As if the programme left no line out; absent where it leaves none out. */
  readonly unhidden: Matches | undefined;
  /** As if no selector left out lines with an existing discount; absent where none does. */
  readonly withDiscounted: Matches | undefined;
}

/** One entry per benefit of the programme, in the order of the benefitId. */
export function traceBenefits(priced: BenefitTracing): readonly TracedBenefit[] {
  const { situation, input } = priced;
  const { lines } = situation.basket;
  const { selectorIndex, existingLineDiscounts } = situation.venue.programme;
  const matches = matchLines(selectorIndex, lines, input.work);
  const unhidden = selectorIndex.outside && matchLines({ ...selectorIndex, outside: undefined }, lines, input.work);
  const isDiscountedOut = selectorIndex.undiscounted.length > 0;
  const withDiscounted = isDiscountedOut
    ? matchLines({ ...selectorIndex, undiscounted: [] }, lines, input.work)
    : undefined;
  const seen = joinUnits(priced.lines, matches.modified, existingLineDiscounts);
  const tracing = { ...priced, matches, seen, unhidden, withDiscounted };
  const saved = new Map([...savingsOf(tracing.outcome)].map(([{ benefit }, amount]) => [benefit.benefitId, amount]));
  const { programme } = situation.venue;
  const traced = programme.benefits.map((benefit): TracedBenefit => {
    const { benefitId } = benefit;
    const own = saved.get(benefitId);
    if (own !== undefined) return { benefitId, applied: true, saved: own, ...leftAfter(benefit, tracing) };
    return refused(benefitId, refusalOf(benefit, tracing));
  });
  return withDisabled(traced, programme);
}

/** What is left of the limits and the grants that the benefit spends, in words. */
function leftAfter(benefit: Benefit, tracing: BenefitTracing): Pick<TracedBenefit, 'left' | 'explanation'> {
  const { outcome, available, situation } = tracing;
  const words: string[] = [];
  let isUsedUp = false;
  const { currency } = situation.basket;
  for (const limit of benefit.limits) {
    const { usageKey } = limitedUse(benefit, limit, currency, situation.time);
    const spent = outcome.uses.find((use) => use.usageKey === usageKey);
    if (!spent) continue;
    const left = (available.get(usageKey) ?? 0) - spent.units;
    isUsedUp ||= left <= 0 && limit.of === 'member';
    words.push(leftOfLimit(left, limit, currency));
  }
  if (benefit.audience === 'granted') {
    const standing = chooseGrant(situation.member, benefit.benefitId, situation.time, available);
    if (standing.outcome === 'open' && standing.use) {
      const left = standing.quantity - standing.used - 1;
      isUsedUp ||= left === 0;
      words.push(`${left} of ${cards(standing.quantity)} left`);
    }
  }
  const explanation = isUsedUp ? 'Applied; used up by this sale.' : incompleteSet(benefit, tracing);
  return {
    ...(words.length > 0 && { left: words.join(', ') }),
    ...(explanation !== undefined && { explanation }),
  };
}

/** How many more units the last set would give, where no limit forbids them. */
function incompleteSet(benefit: Benefit, { outcome, offers }: BenefitTracing): string | undefined {
  const { rule, selectors } = benefit;
  const offer = offers.find((other) => other.benefit === benefit);
  if (rule.level !== 'buyGet' || !offer) return undefined;
  let given = 0;
  for (const { offer: own, items } of outcome.parts) if (own?.benefit === benefit) given += items;
  const ofLast = given % rule.getQuantity;
  const more = rule.getQuantity - ofLast;
  const { pool, items } = offer;
  const left = pool?.counts === 'items' ? pool.left - takenOf(pool, outcome) : Number.POSITIVE_INFINITY;
  if (ofLast === 0 || given + more > items || more > left) return undefined;
  const change = moreUnits(more, selectors[1]!.description);
  return `Applied; its last set gives ${ofLast} of ${rule.getQuantity} units: ${change} would be given too.`;
}

/** Adds the benefits that are switched off, and puts all of them in the order of the benefitId. */
export function withDisabled(traced: readonly TracedBenefit[], { disabled }: Programme): readonly TracedBenefit[] {
  const off = disabled.map(({ benefitId }) => refused(benefitId, { reason: 'disabled' }));
  return [...traced, ...off].sort((a, b) => (a.benefitId < b.benefitId ? -1 : 1));
}

/** The first reason that stands in the way, in the order in which the engine asks. */
function refusalOf(benefit: Benefit, tracing: MatchedTracing): Refusal {
  const { situation, lines, offers } = tracing;
  const asked = withoutOver(benefit, situation);
  const condition = unmetCondition(asked, situation);
  if (condition) return { reason: condition, ...wordsOfCondition(asked, condition, situation) };
  const offer = offers.find((other) => other.benefit === benefit);
  if (!offer) return closedOffer(benefit, tracing);

  const eligible = benefit.selectors.flatMap((_, n) => eligibleLines(offer, n, lines));
  // A product is given beside protected lines too.
  if (eligible.length === 0 && benefit.level !== 'gift') return { reason: 'lines_protected' };
  const winners = tracing.beaten.get(benefit);
  if (winners) return lowerPriority(benefit, winners);
  return unmetMinimum(offer, tracing) ?? unusedOffer(offer, tracing);
}

/** Others of its group have a higher priority, and the group takes those. */
function lowerPriority({ group, priority }: Benefit, winners: readonly Benefit[]): Refusal {
  const names = winners.map(({ benefitId }) => benefitId);
  const explanation = `The group \`${group!.name}\` takes the highest priority: ${names.join(', ')} has ${winners[0]!.priority}, this has ${priority}.`;
  return { reason: 'lower_priority', explanation, instead: names };
}

/** The offer is open and its minimums are met, but it has no part in the outcome. */
function unusedOffer(offer: Offer, tracing: MatchedTracing): Refusal {
  const { seen, outcome, input, situation } = tracing;
  const { currency } = situation.basket;
  const { benefit } = offer;
  const isLineLevel = benefit.level === 'line' || formsDeals(benefit.level);
  const discountable = benefit.selectors.flatMap((_, n) => discountableLines(offer, n, seen));
  if (isLineLevel && discountable.length === 0) return { reason: 'existing_discount_kept' };
  if (outcome.standing.ofBasket === 'kept') {
    return { reason: 'existing_discount_kept', explanation: explainStaffDiscounts(tracing) };
  }
  const items = missingUnits(offer, seen, situation.venue.programme.existingLineDiscounts);
  if (items.length > 0) {
    const change = items.map(({ units, description }) => moreUnits(units, description)).join(', ');
    return {
      reason: 'too_few_units',
      change,
      explanation: `Missing: ${items.map(({ units, description }) => `${units} ${description}`).join(', ')}.`,
    };
  }
  const rest = tooSmallRest(offer, tracing);
  if (rest) return rest;
  // Where there are no steps left to look at it alone, it is taken to save something.
  const isAffordable = input.work.left > 0;
  const alone = isAffordable ? decide([offer], { ...input, ignoresMinimums: true }) : undefined;
  if (alone && !changesBasket(alone)) return { reason: 'nothing_to_save' };
  const left = outcome.leftOut.find((own) => own.offer.benefit === benefit);
  const low = left ?? (alone && lowSavers(alone)[0]);
  if (low) {
    const [saved, least] = [low.saved, benefit.minimumSaving].map((amount) => formatAmount(amount, currency));
    return { reason: 'below_minimum_saving', change: `saves ${saved}, and ${least} at least are asked for` };
  }
  const others = effectiveOffers(outcome);
  const instead = others.map((other) => other.benefit.benefitId);
  const spent = sharedLimitThatIsSpent(offer, tracing);
  if (spent) return spent;
  const full = groupThatIsFull(benefit, outcome, currency);
  if (full) return full;
  const isExclusive = benefit.exclusive || others.some((other) => other.benefit.exclusive);
  return { reason: isExclusive ? 'not_combinable' : 'others_save_more', instead };
}

/** A set or a bundle takes more units at once than are left of a limit by items. */
function tooSmallRest({ benefit }: Offer, { situation, available }: BenefitTracing): Refusal | undefined {
  const { rule } = benefit;
  const atOnce =
    rule.level === 'bundle'
      ? rule.quantities.reduce((units, quantity) => units + quantity, 0)
      : rule.level === 'buyGet'
        ? rule.leastGiven
        : 1;
  if (benefit.maximumUnits < atOnce) return undefined;
  const { currency } = situation.basket;
  const leftOf = (limit: Limit): number =>
    available.get(limitedUse(benefit, limit, currency, situation.time).usageKey) ?? 0;
  const few = benefit.limits.filter((own) => own.counts === 'items' && leftOf(own) < atOnce);
  const limit = few.find(({ quantity }) => quantity < atOnce) ?? lastToRenew(few, situation);
  if (!limit) return undefined;
  const left = leftOf(limit);
  const change = limit.quantity < atOnce ? undefined : NEXT_PERIOD[limit.period];
  return {
    reason: 'limit_used_up',
    ...(change !== undefined && { change }),
    explanation: `It takes ${atOnce} units at once, and ${left} ${left === 1 ? 'is' : 'are'} left of its limit.`,
  };
}

/** What the staff gave and what the benefits would, of which the guest has the larger. */
function explainStaffDiscounts({ situation: { basket }, open, input }: BenefitTracing): string {
  const staff =
    basket.orderDiscounts.reduce((sum, { amount }) => sum + amount, 0) +
    basket.lines.reduce((sum, { existingLineDiscountAmount }) => sum + existingLineDiscountAmount, 0);
  const other = input.work.left > 0 ? decide(open, { ...input, givesUpStaffDiscounts: true }) : undefined;
  const isOther = other !== undefined && other.standing.ofBasket !== 'kept';
  const benefits = isOther ? [...savingsOf(other).values()].reduce((sum, saved) => sum + saved, 0) : undefined;
  const given = `Staff discounts of ${formatAmount(staff, basket.currency)}`;
  if (benefits === undefined) return `${given} or benefits, never both: the staff discounts stay.`;
  return `${given} or benefits of ${formatAmount(benefits, basket.currency)}, never both: the cheaper for the guest stays.`;
}

/** Others have taken what was left of a limit that it shares with them; of several such limits the last to renew is named. */
function sharedLimitThatIsSpent(offer: Offer, { outcome, situation }: BenefitTracing): Refusal | undefined {
  const { pool, groups, benefit } = offer;
  const applying = membersOf(outcome);
  const full = groups.filter((own) => own !== benefit.group && (applying.get(own)?.length ?? 0) >= own.atMost);
  const taken = pool && !pool.group && takenOf(pool, outcome) >= pool.left ? pool : undefined;
  if (full.length === 0 && !taken) return undefined;
  const isSpent = ({ limitId, counts }: Limit): boolean =>
    counts === 'baskets'
      ? full.some(({ name }) => name === limitId)
      : limitId !== undefined && counts === taken?.counts;
  const limit = lastToRenew(benefit.limits.filter(isSpent), situation);
  const change = limit && NEXT_PERIOD[limit.period];
  const takes = (other: Offer): boolean =>
    (taken !== undefined && other.pool === taken) || other.groups.some((own) => full.includes(own));
  const instead = effectiveOffers(outcome).filter(takes);
  return {
    reason: 'limit_used_up',
    ...(change !== undefined && { change }),
    explanation: 'Other benefits take what is left of its limit.',
    instead: instead.map((other) => other.benefit.benefitId),
  };
}

/** As many others of its group apply as may. */
function groupThatIsFull({ group }: Benefit, outcome: Outcome, currency: string): Refusal | undefined {
  const members = group && membersOf(outcome).get(group);
  if (!group || !members || members.length < group.atMost) return undefined;
  const saved = savingsOf(outcome);
  const given = members.reduce((sum, member) => sum + saved.get(member)!, 0);
  const instead = members.map(({ benefit }) => benefit.benefitId).sort();
  const change = `the group \`${group.name}\` gave ${formatAmount(given, currency)} already`;
  return { reason: 'group_used_up', change, instead };
}

/** No offer was made although the conditions are met: nothing is left of the limit or the grants, or no line is named. */
function closedOffer(benefit: Benefit, tracing: MatchedTracing): Refusal {
  const { matches, unhidden, withDiscounted, situation, available } = tracing;
  if (benefit.audience === 'granted' && namesAnyLine(benefit, matches)) {
    const standing = chooseGrant(situation.member, benefit.benefitId, situation.time, available);
    if (standing.outcome === 'used up') {
      return { reason: 'grants_used_up', change: `${standing.used} of ${cards(standing.quantity)} used` };
    }
  }
  const spent = spentLimit(benefit, situation, available);
  if (spent && namesAnyLine(benefit, matches)) {
    const change = NEXT_PERIOD[spent.period];
    const explanation = NOTHING_LEFT[spent.of];
    return { reason: 'limit_used_up', ...(change !== undefined && { change }), explanation };
  }
  if (unhidden && namesAnyLine(benefit, unhidden)) return { reason: 'lines_excluded' };
  if (withDiscounted && namesAnyLine(benefit, withDiscounted)) return { reason: 'lines_discounted' };
  return { reason: 'no_matching_line', change: moreUnits(1, benefit.selectors[0]!.description) };
}

/** Of the limits of which nothing is left, the one that has to begin anew. */
function spentLimit(benefit: Benefit, situation: Situation, available: ReadonlyMap<string, number>): Limit | undefined {
  const { basket, time } = situation;
  const isSpent = (limit: Limit): boolean =>
    (available.get(limitedUse(benefit, limit, basket.currency, time).usageKey) ?? 0) <= 0;
  return lastToRenew(benefit.limits.filter(isSpent), situation);
}

/** Of several limits the one that begins anew last, or never; of those that do on the same day the one for all members. */
function lastToRenew(limits: readonly Limit[], { time: { day } }: Situation): Limit | undefined {
  const renewal = ({ period }: Limit): number =>
    period === 'lifetime' ? Number.POSITIVE_INFINITY : firstDayAfter(period, day);
  const isOfAll = ({ of }: Limit): number => (of === 'member' ? 0 : 1);
  const isLater = (one: Limit, other: Limit): boolean =>
    renewal(one) === renewal(other) ? isOfAll(one) > isOfAll(other) : renewal(one) > renewal(other);
  return limits.reduce<Limit | undefined>((last, limit) => (last && !isLater(limit, last) ? last : limit), undefined);
}

function cards(quantity: number): string {
  return `${quantity} ${quantity === 1 ? 'card' : 'cards'}`;
}
