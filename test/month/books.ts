/** The till's own books of a month: what it asked, what it was answered, and what the service must say of it in the end. */
import type { AppliedBody, BasketBody } from '../support/wire.ts';
import { type Change, type Given, NO_CHANGE, type Posting } from './ledger.ts';
import { funderOf, type Venue } from './shop.ts';

/** A voucher for so many baskets, up to a day where it has one. */
export interface Voucher {
  readonly grantId: string;
  readonly quantity: number;
  readonly to: string | undefined;
  /** What became of it when it was taken, or its member erased. */
  fate?: 'revoked' | 'ended';
}

/** What becomes of the rest of a voucher that is taken, or looked at, at an instant. */
export function fateOf<Fate>({ to, fate }: Voucher, ms: number, otherwise: Fate): Fate | 'revoked' | 'ended' {
  return fate ?? (to !== undefined && to < dayOf(ms, 'Europe/Oslo') ? 'ended' : otherwise);
}

export interface Card {
  /** As the till reads it. */
  readonly loyaltyId: string;
  readonly programmeId: string;
  readonly tier: string;
  /** The half of the club that it is in, which the first flowers show. */
  share: string;
  /** The card that it was merged into. */
  into?: Card;
  isErased: boolean;
  /** The voucher it was given, if any. */
  voucher?: Voucher;
}

/** The card whose benefits another one has. */
export function standing(card: Card): Card {
  return card.into ? standing(card.into) : card;
}

export interface Outcome {
  readonly status: string;
  readonly transactionId?: string;
  readonly failureReason?: string;
}

export interface Ticket {
  readonly basket: BasketBody;
  readonly card: Card;
  readonly venue: Venue;
  readonly answeredMs: number;
  /** How often the configuration had been changed when it was answered. */
  readonly changes: number;
  readonly answered: string;
  readonly given: readonly Given[];
  readonly paid: number;
  /** The lines as they were answered. */
  readonly ourLines: readonly { readonly lineId: string; readonly quantity: number }[];
  /** What was sold, by our lines or the till's, with what has not come back. */
  lines: { readonly lineId: string; left: number }[];
  readonly tier: string;
  readonly share: string;
  /** True where the sale event came before the answer, so that nobody knows what was sold. */
  readonly isBefore: boolean;
  /** True where the sale event came before the answer and was not repeated: of a member that is erased nothing is left of it. */
  isUntold: boolean;
  /** True where the sale event came when the reservation was over. */
  isLate: boolean;
  outcome: Outcome | undefined;
  second: Outcome | undefined;
  isDecided: boolean;
  kept: readonly { readonly benefitId: string; readonly saved: number }[];
  refunded: number;
}

/** What an answer gave, benefit by benefit, as its texts on the receipt say. */
export function givenBy(basket: BasketBody, answer: AppliedBody | undefined, changes: number): Given[] {
  if (answer === undefined) return [];
  const saved = new Map<string, number>();
  const add = (benefitId: string, amount: number) => saved.set(benefitId, (saved.get(benefitId) ?? 0) + amount);
  for (const { lineDiscountAmount, lineDiscountText = '' } of answer.lines) {
    if (lineDiscountAmount > 0) add(lineDiscountText, lineDiscountAmount);
  }
  const own = new Set(basket.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId));
  for (const { orderDiscountId, amount, text = '' } of answer.orderDiscounts) {
    if (!own.has(orderDiscountId)) add(text, amount);
  }
  return [...saved].map(([benefitId, amount]) => {
    return { benefitId, saved: amount, fundedBy: funderOf(changes, benefitId) };
  });
}

export class Books {
  readonly tickets: Ticket[] = [];
  readonly cards: Card[] = [];
  readonly postings: Posting[] = [];

  /** An outcome that stands, which a decision may have put in the place of another one. */
  settle(ticket: Ticket, outcome: Outcome, bookedMs: number): void {
    const [before, after] = [isCounted(ticket, ticket.outcome), isCounted(ticket, outcome)];
    ticket.outcome = outcome;
    const isOurs = outcome.status === 'applied';
    ticket.kept = isOurs ? ticket.given : [];
    ticket.lines = (isOurs ? ticket.ourLines : ticket.basket.lines).map(({ lineId, quantity }) => ({
      lineId,
      left: quantity,
    }));
    if (before === after) return;
    this.#post(
      ticket,
      bookedMs,
      after ? { sold: 1, turnover: ticket.paid } : { isUndone: true, turnover: ticket.paid },
    );
  }

  /** A second outcome was reported. Of a sale that came before its answer nothing is in the costs. */
  conflict(ticket: Ticket, second: Outcome, bookedMs: number): void {
    if (ticket.second) return;
    ticket.second = second;
    if (!ticket.isBefore) this.#post(ticket, bookedMs, { conflicts: 1 });
  }

  takeBack(ticket: Ticket, refund: number, kept: Ticket['kept'], bookedMs: number): void {
    const funder = (benefitId: string) => funderOf(ticket.changes, benefitId);
    const lost = changesOf(ticket.kept, kept, funder);
    const gained = changesOf(kept, ticket.kept, funder).filter(({ saved }) => saved > 0);
    const losesAll = lost.length > 0 && kept.length === 0;
    const gainsAll = gained.length > 0 && ticket.kept.length === 0;
    ticket.refunded += refund;
    const left = ticket.paid - ticket.refunded;
    ticket.kept = kept;
    this.#post(ticket, bookedMs, { refunded: refund, lost, gained, losesAll, gainsAll, left });
  }

  #post(ticket: Ticket, bookedMs: number, more: Partial<Posting>): void {
    const { basket, venue, answeredMs, given, tier, share, outcome } = ticket;
    // A basket that the till kept as it was has none of our benefits, unless a second outcome is told of the answer.
    const isOurs = more.conflicts === 1 || more.isUndone === true || outcome?.status === 'applied';
    this.postings.push({
      calculationId: basket.calculationId,
      calculated: dayOf(answeredMs, venue.timeZone),
      booked: dayOf(bookedMs, venue.timeZone),
      venueId: venue.venueId,
      programmeId: venue.programmeId,
      tier,
      share,
      currency: basket.currency,
      benefits: isOurs ? given : [],
      wasSold: isCounted(ticket, outcome),
      ...NO_CHANGE,
      ...more,
    });
  }
}

/** The day of an instant at a venue. */
export function dayOf(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(ms);
}

/** True of an outcome by which what was answered was sold. */
function isCounted({ isBefore, given }: Ticket, outcome: Outcome | undefined): boolean {
  if (isBefore || outcome === undefined) return false;
  return outcome.status === 'applied' || (outcome.status === 'unchanged' && given.length === 0);
}

/** What is in the first list and not in the second one. */
export function changesOf(from: Ticket['kept'], to: Ticket['kept'], funder: (benefitId: string) => string): Change[] {
  return from.flatMap(({ benefitId, saved }) => {
    const stays = to.find((other) => other.benefitId === benefitId);
    const less = saved - (stays?.saved ?? 0);
    return less > 0 || !stays
      ? [{ benefitId, saved: Math.max(0, less), isWhole: !stays, fundedBy: funder(benefitId) }]
      : [];
  });
}

/** Uses of a limited benefit that stand: of sales by our answer, of which something of the benefit is left. */
export function usesOf(tickets: readonly Ticket[], benefitId: string): Ticket[] {
  return tickets.filter(
    ({ outcome, isBefore, kept, given }) =>
      outcome?.status === 'applied' &&
      !isBefore &&
      given.some((benefit) => benefit.benefitId === benefitId) &&
      kept.some((benefit) => benefit.benefitId === benefitId),
  );
}
