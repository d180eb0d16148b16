import type { EventOf } from '@loyalty/contract/events';
import type { SaleStatus } from '@loyalty/contract/sale';
import type { BookedReturn } from './booked-return.ts';
import type { Decision } from './calculation-record.ts';
import { joinUses } from './common-uses.ts';
import { eventText } from './events.ts';
import { type BasketFacts, type DescribeBasket, isSoldBefore, type KeptCalculation } from './kept-calculation.ts';
import { pseudonymOf } from './pseudonyms.ts';
import type { Sale, SaleOutcome } from './sale.ts';
import type { Store } from './store.ts';

/** The texts of the events of a calculation. Each of these functions throws `StoreUnavailable`. */

/** How a sale ended. */
function outcomeFields({ status, transactionId, failureReason }: SaleOutcome) {
  return { status: status as SaleStatus, ...given({ transactionId, failureReason }) };
}

/** The event of a settled sale. `booked` is there where the sale was booked before. */
export async function recordedEvent(
  store: Store,
  kept: KeptCalculation,
  sale: Sale,
  describe: DescribeBasket,
  booked?: Booked,
): Promise<string> {
  const facts = await soldFacts(store, kept, sale, describe, booked);
  return eventText({ calculationId: sale.calculationId, result: 'recorded', ...facts });
}

/** The event of a person's decision between two outcomes: the one that stands from now on, and the status that stood before. */
export async function resolvedEvent(
  store: Store,
  kept: KeptCalculation,
  sale: Sale,
  { outcome, first }: Decision,
  describe: DescribeBasket,
  booked: Booked,
): Promise<string> {
  const facts = await soldFacts(store, kept, sale, describe, booked);
  const before = first.status as SaleStatus;
  return eventText({ calculationId: sale.calculationId, result: 'resolved', outcome, before, ...facts });
}

type Booked = Pick<EventOf<'recorded'>, 'late' | 'overRedeemed'>;

/** What a sale's event tells of it, whoever decided its outcome. */
async function soldFacts(
  store: Store,
  kept: KeptCalculation,
  sale: Sale,
  describe: DescribeBasket,
  booked: Booked | undefined,
) {
  // An answer that came after its sale is not what was sold, so nobody knows what was.
  const facts = await describe(kept, isSoldBefore(kept) ? 'unsaid' : soldAs(sale.status));
  return {
    ...outcomeFields(sale),
    ...(await dimensionsOf(store, kept, facts)),
    ...amountsOf(facts),
    uses: sale.status === 'applied' ? usesOf(kept) : [],
    ...booked,
  };
}

/** A cancelled sale tells what was offered, and any other one without our benefits what the till had. */
function soldAs(status: string): 'answered' | 'sent' {
  return status === 'applied' || status === 'cancelled' ? 'answered' : 'sent';
}

/** The event of a sale event that was refused, because another outcome stands. */
export async function conflictEvent(
  store: Store,
  kept: KeptCalculation,
  sale: Sale,
  standing: SaleOutcome,
  describe: DescribeBasket,
): Promise<string> {
  const facts = await describe(kept, 'unsaid');
  return eventText({
    calculationId: sale.calculationId,
    result: 'conflict',
    ...outcomeFields(sale),
    ...(await dimensionsOf(store, kept, facts)),
    recorded: outcomeFields(standing),
  });
}

/** The event of a sale event for a calculation that nobody knows; of two different ones, that they are in conflict. */
export function unknownEvent(sale: Sale, result: 'unknown_calculation' | 'conflict'): string {
  return eventText({ calculationId: sale.calculationId, result, ...outcomeFields(sale) });
}

/** The event of a calculation that ended unsold: what was offered. */
export async function expiredEvent(store: Store, kept: KeptCalculation, describe: DescribeBasket): Promise<string> {
  const facts = await describe(kept, 'answered');
  return eventText({
    calculationId: kept.calculationId,
    result: 'expired',
    ...(await dimensionsOf(store, kept, facts)),
    ...amountsOf(facts),
    uses: usesOf(kept),
  });
}

/** The event of a return of goods. */
export async function returnedEvent(
  store: Store,
  kept: KeptCalculation,
  sale: SaleOutcome | undefined,
  { returnId, answer, givenBack, returnedAt }: BookedReturn,
  describe: DescribeBasket,
): Promise<string> {
  const facts = await describe(kept, 'unsaid');
  const { refund, lines, lost = [], gained } = answer;
  const paid = ({ benefitId, saved }: (typeof lost)[number]) => ({
    ...{ benefitId, saved },
    ...given({ fundedBy: facts.funders?.get(benefitId) }),
  });
  return eventText({
    calculationId: kept.calculationId,
    result: 'returned',
    returnId,
    refund,
    ...(sale && outcomeFields(sale)),
    ...(await dimensionsOf(store, kept, facts)),
    lines: lines.map((line) => ({ lineId: line.lineId, quantity: line.quantity, refund: line.refund })),
    lost: lost.map(paid),
    givenBack: givenBack.map(([counter, units]) => ({ counter, units })),
    ...given({ gained: gained?.map(paid), returnedAt }),
  });
}

async function dimensionsOf(store: Store, kept: KeptCalculation, facts: BasketFacts) {
  const { requestedAt, configuration, baxId, cashRegisterId, channel } = facts;
  const { venueId, answered, reason, tier, share, answeredAtMs } = kept;
  return given({
    member: await pseudonymOf(store, kept.member),
    ...{ requestedAt, configuration, baxId, cashRegisterId, channel },
    answeredAt: answeredAtMs > 0 ? new Date(answeredAtMs).toISOString() : undefined,
    programmeId: kept.given?.programmeId,
    currency: kept.given?.currency,
    ...{ venueId, tier, share, reason },
    answered: answered as EventOf<'recorded'>['answered'],
  });
}

function amountsOf({ lines, total, benefits }: BasketFacts) {
  return { benefits, ...given({ lines, total }) };
}

function usesOf({ uses }: KeptCalculation): EventOf<'recorded'>['uses'] {
  const words = joinUses(uses.own, uses.common).matchAll(/(\S+)=(\d+)\/(\d+)/g);
  return [...words].map(([, counter = '', units, limit]) => ({ counter, units: Number(units), limit: Number(limit) }));
}

/** What is known of some fields. */
function given<Fields extends object>(fields: Fields) {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(known) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}
