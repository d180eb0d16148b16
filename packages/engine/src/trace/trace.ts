import type { BasketLineOut } from '@loyalty/contract/basket-response';
import type { Programme } from '../compile/programme.ts';
import { effectiveOffers, type Outcome } from '../decide/outcome.ts';
import type { SettledPart } from '../settle/settled-part.ts';
import type { Trace, TracedChange, TracedPurchase } from '../types.ts';
import { traceBenefits, withDisabled } from './benefits.ts';
import type { BenefitTracing } from './tracing.ts';
import { refused } from './wording.ts';

/**
 * Builds the trace of a decision from what the decision was made of; `lines` are the lines of the answer, undefined where the basket
 * stays as it is.
 */
export function buildTrace(tracing: BenefitTracing, lines: readonly BasketLineOut[] | undefined): Trace {
  return {
    ...tracing.outcome.search,
    changes: lines ? traceChanges(tracing.outcome, lines) : [],
    bought: lines ? traceBought(tracing.outcome, lines) : [],
    benefits: traceBenefits(tracing),
  };
}

/** The trace for a member who is not active: nothing was looked at. */
export function traceInactive(programme: Programme): Trace {
  const traced = programme.benefits.map(({ benefitId }) => refused(benefitId, { reason: 'member_inactive' }));
  return {
    steps: 0,
    gap: 0,
    changes: [],
    bought: [],
    benefits: withDisabled(traced, programme),
  };
}

/** Every minor unit of difference, by outgoing line, benefit and rule. `lines` are the outcome's lines as rendered. */
function traceChanges(outcome: Outcome, lines: readonly BasketLineOut[]): TracedChange[] {
  const { parts, orders, gifts, standing } = outcome;
  const changes: TracedChange[] = [];
  parts.forEach((part, p) => {
    const { lineId } = lines[p]!;
    addLineChanges(changes, part, lineId);
    for (const { offer, shares } of orders) {
      const { benefitId } = offer.benefit;
      if (shares[p]! > 0) changes.push({ lineId, benefitId, rule: 'order_discount', amount: -shares[p]! });
    }
    const isFirstOfLine = p === 0 || parts[p - 1]!.line !== part.line;
    const { givenUp } = part.line;
    if (isFirstOfLine && givenUp > 0) {
      const benefitId = firstBenefit(outcome);
      changes.push({ lineId, benefitId, rule: 'existing_line_discount_removed', amount: givenUp });
    }
    const removed = isFirstOfLine && standing.removed ? removedAmount(part, standing.removed) : 0;
    if (removed > 0) {
      // The staff's discount gives way to all loyalty order discounts together; the first stands for them.
      const benefitId = orders[0]?.offer.benefit.benefitId ?? firstBenefit(outcome);
      changes.push({ lineId, benefitId, rule: 'existing_order_discount_removed', amount: removed });
    }
  });
  gifts.forEach(({ offer, worth }, g) => {
    const { lineId } = lines[parts.length + g]!;
    const { benefitId } = offer.benefit;
    changes.push({ lineId, benefitId, rule: 'product_added', amount: worth });
    changes.push({ lineId, benefitId, rule: 'line_discount', amount: -worth });
  });
  return changes;
}

/** What gives way to all benefits together is put down to the first of them. */
function firstBenefit(outcome: Outcome): string {
  return effectiveOffers(outcome)[0]?.benefit.benefitId ?? '';
}

/** The units that were bought for benefits, by the outgoing line that they are part of. */
function traceBought({ parts, bought }: Outcome, lines: readonly BasketLineOut[]): TracedPurchase[] {
  return bought.map(({ line, units, offer }) => {
    const ofLine = [...parts.keys()].filter((p) => parts[p]!.line.index === line);
    const sharing = ofLine.find((p) => parts[p]!.offer === offer && parts[p]!.boughtUnits > 0);
    const part = sharing ?? ofLine.find((p) => !parts[p]!.offer) ?? ofLine[0]!;
    return { lineId: lines[part]!.lineId, benefitId: offer.benefit.benefitId, units };
  });
}

function addLineChanges(changes: TracedChange[], part: SettledPart, lineId: string): void {
  const { offer, effect, existing, isCleared, expression } = part;
  if (!offer) return;
  const { benefitId } = offer.benefit;
  const rule = expression.overrideUnitPrice === undefined ? 'line_discount' : 'unit_price';
  if (effect > 0) changes.push({ lineId, benefitId, rule, amount: -effect });
  if (isCleared && existing > 0) {
    changes.push({ lineId, benefitId, rule: 'existing_line_discount_removed', amount: existing });
  }
}

function removedAmount({ line }: SettledPart, removed: ReadonlySet<string>): number {
  let amount = 0;
  for (const { orderDiscountId, orderDiscountAllocationAmount } of line.line.orderDiscountAllocation) {
    if (removed.has(orderDiscountId)) amount += orderDiscountAllocationAmount;
  }
  return amount;
}
