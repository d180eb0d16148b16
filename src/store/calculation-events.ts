import type { EventLine, EventOf } from '@loyalty/contract/events';
import type { SaleStatus } from '@loyalty/contract/sale';
import type { BookedReturn } from './booked-return.ts';
import { eventText } from './events.ts';
import { pseudonymOf } from './pseudonyms.ts';
import type { Sale, SaleOutcome } from './sale.ts';
import type { Store } from './store.ts';
import { type AnsweredCalculation, allUses, type Decision, isSoldBefore } from './stored-calculation.ts';

/** The texts of the events of a calculation. Each of these functions throws `StoreUnavailable`. */

type Maybe<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

/** What only the kept basket and its configuration know of a calculation, for its events. */
export interface BasketFacts
  extends Maybe<
    Pick<EventOf<'recorded'>, 'requestedAt' | 'configuration' | 'baxId' | 'cashRegisterId' | 'channel' | 'total'>
  > {
  readonly lines?: EventLine[] | undefined;
  readonly benefits: EventOf<'recorded'>['benefits'];
  readonly funders?: Funders;
}

/** Who pays for benefits, by their IDs. */
export type Funders = ReadonlyMap<string, string>;

export const NOBODY: Funders = new Map();

/**
 * Describes a basket: as it was answered, or as the till sent it; `funded`: only who pays for its benefits. The store keeps bytes
 * that only the layer above reads (calls/event-facts.ts). May throw `StoreUnavailable`.
 */
export type DescribeBasket = (
  stored: AnsweredCalculation,
  as: 'answered' | 'sent' | 'unsaid' | 'funded',
) => Promise<BasketFacts>;

/** Without anybody who reads the basket, an event tells what the record itself has. */
export const describeNothing: DescribeBasket = async ({ given }, as) => ({
  benefits: as === 'answered' ? [...(given?.benefits ?? [])] : [],
});

/** How a sale ended. */
function outcomeFields({ status, transactionId, failureReason }: SaleOutcome) {
  return { status: status as SaleStatus, ...given({ transactionId, failureReason }) };
}

/** The event of a settled sale. `booked` is there where the sale was booked before. */
export async function recordedEvent(
  store: Store,
  stored: AnsweredCalculation,
  sale: Sale,
  describe: DescribeBasket,
  booked?: Booked,
): Promise<string> {
  const facts = await soldFacts(store, stored, sale, describe, booked);
  return eventText({ calculationId: sale.calculationId, result: 'recorded', ...facts });
}

/** The event of a person's decision between two outcomes: the one that stands from now on, and the status that stood before. */
export async function resolvedEvent(
  store: Store,
  stored: AnsweredCalculation,
  sale: Sale,
  { outcome, first }: Decision,
  describe: DescribeBasket,
  booked: Booked,
): Promise<string> {
  const facts = await soldFacts(store, stored, sale, describe, booked);
  const before = first.status as SaleStatus;
  return eventText({ calculationId: sale.calculationId, result: 'resolved', outcome, before, ...facts });
}

type Booked = Pick<EventOf<'recorded'>, 'late' | 'overRedeemed'>;

/** What a sale's event tells of it, whoever decided its outcome. */
async function soldFacts(
  store: Store,
  stored: AnsweredCalculation,
  sale: Sale,
  describe: DescribeBasket,
  booked: Booked | undefined,
) {
  // An answer that came after its sale is not what was sold, so nobody knows what was.
  const facts = await describe(stored, isSoldBefore(stored) ? 'unsaid' : soldAs(sale.status));
  return {
    ...outcomeFields(sale),
    ...(await dimensionsOf(store, stored, facts)),
    ...amountsOf(facts),
    uses: sale.status === 'applied' ? usesOf(stored) : [],
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
  stored: AnsweredCalculation,
  sale: Sale,
  standing: SaleOutcome,
  describe: DescribeBasket,
): Promise<string> {
  const facts = await describe(stored, 'unsaid');
  return eventText({
    calculationId: sale.calculationId,
    result: 'conflict',
    ...outcomeFields(sale),
    ...(await dimensionsOf(store, stored, facts)),
    recorded: outcomeFields(standing),
  });
}

/** The event of a sale event for a calculation that nobody knows; of two different ones, that they are in conflict. */
export function unknownEvent(sale: Sale, result: 'unknown_calculation' | 'conflict'): string {
  return eventText({ calculationId: sale.calculationId, result, ...outcomeFields(sale) });
}

/** The event of a calculation that ended unsold: what was offered. */
export async function expiredEvent(
  store: Store,
  stored: AnsweredCalculation,
  describe: DescribeBasket,
): Promise<string> {
  const facts = await describe(stored, 'answered');
  return eventText({
    calculationId: stored.calculationId,
    result: 'expired',
    ...(await dimensionsOf(store, stored, facts)),
    ...amountsOf(facts),
    uses: usesOf(stored),
  });
}

/** The event of a return of goods. */
export async function returnedEvent(
  store: Store,
  stored: AnsweredCalculation,
  { returnId, answer, givenBack, returnedAt }: BookedReturn,
  describe: DescribeBasket,
): Promise<string> {
  const facts = await describe(stored, 'unsaid');
  const { refund, lines, lost = [], gained } = answer;
  const { sale } = stored;
  const paid = ({ benefitId, saved }: (typeof lost)[number]) => ({
    ...{ benefitId, saved },
    ...given({ fundedBy: facts.funders?.get(benefitId) }),
  });
  return eventText({
    calculationId: stored.calculationId,
    result: 'returned',
    returnId,
    refund,
    ...(sale && outcomeFields(sale)),
    ...(await dimensionsOf(store, stored, facts)),
    lines: lines.map((line) => ({ lineId: line.lineId, quantity: line.quantity, refund: line.refund })),
    lost: lost.map(paid),
    givenBack: givenBack.map(([counter, units]) => ({ counter, units })),
    ...given({ gained: gained?.map(paid), returnedAt }),
  });
}

async function dimensionsOf(store: Store, stored: AnsweredCalculation, facts: BasketFacts) {
  const { requestedAt, configuration, baxId, cashRegisterId, channel } = facts;
  const { venueId, answered, reason, tier, share, answeredAtMs } = stored;
  return given({
    member: await pseudonymOf(store, stored.member),
    ...{ requestedAt, configuration, baxId, cashRegisterId, channel },
    answeredAt: new Date(answeredAtMs).toISOString(),
    programmeId: stored.given?.programmeId,
    currency: stored.given?.currency,
    ...{ venueId, tier, share, reason },
    answered: answered as EventOf<'recorded'>['answered'],
  });
}

function amountsOf({ lines, total, benefits }: BasketFacts) {
  return { benefits, ...given({ lines, total }) };
}

function usesOf(stored: AnsweredCalculation): EventOf<'recorded'>['uses'] {
  return allUses(stored).map(({ usageKey, units, limit }) => ({ counter: usageKey, units, limit }));
}

/** What is known of some fields. */
function given<Fields extends object>(fields: Fields) {
  const known = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(known) as { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };
}
