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
}

/** Who pays for benefits, by their IDs. */
export type Funders = ReadonlyMap<string, string>;

export const NOBODY: Funders = new Map();

/** The basket of a calculation, as its events tell of it. The bytes that are kept of it are read when facts are asked for. */
export interface BasketDescription {
  /** Who pays for its benefits. */
  readonly funders: Funders;
  /** When and where the till asked, and by which configuration it was answered; nothing of what was sold. */
  asked(): BasketFacts;
  /** This, and the basket by its answer: what the benefits gave, and what was left to pay. */
  answered(): BasketFacts;
  /** This, and the basket as the till sent it, without our benefits. */
  sent(): BasketFacts;
}

/**
 * Describes the basket of a calculation. The store keeps bytes that only the layer above reads (calls/event-facts.ts). May throw
 * `StoreUnavailable`.
 */
export type DescribeBasket = (stored: AnsweredCalculation) => Promise<BasketDescription>;

/** How a sale ended. */
function outcomeFields({ status, transactionId, failureReason }: SaleOutcome) {
  return { status: status as SaleStatus, ...given({ transactionId, failureReason }) };
}

/** The event of a settled sale. `booked` is there where the sale was booked before. */
export async function recordedEvent(
  store: Store,
  stored: AnsweredCalculation,
  sale: Sale,
  basket: BasketDescription,
  booked?: Booked,
): Promise<string> {
  const facts = await soldFacts(store, stored, sale, basket, booked);
  return eventText({ calculationId: sale.calculationId, result: 'recorded', ...facts });
}

/**
 * The event of a person's decision between two outcomes: the one that stands from now on, and the status that stood before. `booked` is there
 * where the decision was booked before.
 */
export async function resolvedEvent(
  store: Store,
  stored: AnsweredCalculation,
  sale: Sale,
  { outcome, first }: Pick<Decision, 'outcome' | 'first'>,
  basket: BasketDescription,
  booked?: Booked,
): Promise<string> {
  const facts = await soldFacts(store, stored, sale, basket, booked);
  const before = first.status as SaleStatus;
  return eventText({ calculationId: sale.calculationId, result: 'resolved', outcome, before, ...facts });
}

type Booked = Pick<EventOf<'recorded'>, 'late' | 'overRedeemed'>;

/** What a sale's event tells of it, whoever decided its outcome. */
async function soldFacts(
  store: Store,
  stored: AnsweredCalculation,
  sale: Sale,
  basket: BasketDescription,
  booked: Booked | undefined,
) {
  const facts = soldBasket(stored, sale, basket);
  return {
    ...outcomeFields(sale),
    ...(await dimensionsOf(store, stored, facts)),
    ...amountsOf(facts),
    uses: sale.status === 'applied' ? usesOf(stored) : [],
    ...booked,
  };
}

function soldBasket(stored: AnsweredCalculation, { status }: Sale, basket: BasketDescription): BasketFacts {
  // An answer that came after its sale is not what was sold, so nobody knows what was.
  if (isSoldBefore(stored)) return basket.asked();
  // A cancelled sale tells what was offered, and any other one without our benefits what the till had.
  return status === 'applied' || status === 'cancelled' ? basket.answered() : basket.sent();
}

/** The event of a sale event that was refused, because another outcome stands. */
export async function conflictEvent(
  store: Store,
  stored: AnsweredCalculation,
  sale: Sale,
  standing: SaleOutcome,
  basket: BasketDescription,
): Promise<string> {
  const facts = basket.asked();
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
  basket: BasketDescription,
): Promise<string> {
  const facts = basket.answered();
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
  basket: BasketDescription,
): Promise<string> {
  const facts = basket.asked();
  const { refund, lines, lost = [], gained } = answer;
  const { sale } = stored;
  const paid = ({ benefitId, saved }: (typeof lost)[number]) => ({
    ...{ benefitId, saved },
    ...given({ fundedBy: basket.funders.get(benefitId) }),
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
  const { venueId, status, reason, tier, share, answeredAtMs } = stored;
  return given({
    member: await pseudonymOf(store, stored.member),
    ...{ requestedAt, configuration, baxId, cashRegisterId, channel },
    answeredAt: new Date(answeredAtMs).toISOString(),
    programmeId: stored.given?.programmeId,
    currency: stored.given?.currency,
    ...{ venueId, tier, share, reason },
    answered: status as EventOf<'recorded'>['answered'],
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
