/** A warehouse that has nothing but the events: the ledger of a month, its vouchers, and who is who, as docs/events.md says. */
import type { ToldEvent } from '../support/told-events.ts';
import { changesOf, dayOf, fateOf, type Ticket, type Voucher } from './books.ts';
import { type Given, NO_CHANGE, type Posting } from './ledger.ts';
import { VENUES } from './shop.ts';

interface Event extends Record<'at' | 'answeredAt' | 'venueId' | 'programmeId' | 'currency' | 'member', string> {
  readonly calculationId: string;
  readonly result: string;
  readonly status: string;
  readonly outcome: string;
  readonly tier?: string;
  readonly share?: string;
  readonly total?: number;
  readonly benefits: readonly (Omit<Given, 'fundedBy'> & Partial<Pick<Given, 'fundedBy'>>)[];
  readonly uses: readonly Use[];
  readonly refund: number;
  readonly returnId: string;
  readonly lost: Ticket['kept'];
  readonly gained?: readonly (Ticket['kept'][number] & { readonly fundedBy?: string })[];
  readonly givenBack: readonly Use[];
  readonly grantId: string;
  readonly quantity: number;
  readonly to?: string;
}
interface Use {
  readonly counter: string;
  readonly units: number;
}
interface Sale {
  readonly event: Event;
  kept: Ticket['kept'];
  readonly funders: Map<string, string>;
  refunded: number;
}

export interface Vouchers {
  given: number;
  used: number;
  revoked: number;
  ended: number;
  outstanding: number;
}

/** The events, each counted once. */
export function onceEach(events: readonly ToldEvent[]): ToldEvent[] {
  const once = new Map<string, ToldEvent>();
  for (const event of events) {
    const { calculationId, result, returnId, member, into, grantId, at } = event;
    const key = calculationId ? [calculationId, result, returnId] : [result, member, into, grantId, at];
    const name = JSON.stringify(key);
    if (!once.has(name)) once.set(name, event);
  }
  return [...once.values()].sort((one, other) => (String(one['at']) < String(other['at']) ? -1 : 1));
}

export function postingsOf(events: readonly ToldEvent[]): Posting[] {
  const sales = new Map<string, Sale>();
  return (events as unknown as readonly Event[]).flatMap((event): Posting[] => {
    const id = event.calculationId;
    const known = sales.get(id);
    switch (event.result) {
      case 'recorded':
        sales.set(id, saleOf(event));
        return isCounted(event) ? [posting(event, event, { sold: 1, turnover: event.total! })] : [];
      case 'resolved': {
        const [before, after] = [known && isCounted(known.event), isCounted(event)];
        if (event.outcome === 'second') sales.set(id, saleOf(event));
        if (before === after) return [];
        return after
          ? [posting(event, event, { sold: 1, turnover: event.total! })]
          : [posting(event, known!.event, { isUndone: true, turnover: known!.event.total! })];
      }
      case 'conflict':
        // Of a sale that came before its answer nobody knows what was sold, and it is in no costs.
        return known?.event.total === undefined ? [] : [posting(event, known.event, { conflicts: 1 })];
      case 'returned':
        return [returned(event, known!)];
      default:
        return [];
    }
  });
}

function saleOf(event: Event): Sale {
  const kept = event.status === 'applied' ? event.benefits : [];
  const funders = new Map(kept.map(({ benefitId, fundedBy = '' }) => [benefitId, fundedBy]));
  return { event, kept, funders, refunded: 0 };
}

function isCounted(event: Event): boolean {
  return event.total !== undefined && (event.status === 'applied' || event.status === 'unchanged');
}

function returned(event: Event, sale: Sale): Posting {
  const { lost, gained = [], refund } = event;
  const saved = new Map(sale.kept.map((benefit) => [benefit.benefitId, benefit.saved]));
  for (const change of lost) saved.set(change.benefitId, saved.get(change.benefitId)! - change.saved);
  for (const change of gained) saved.set(change.benefitId, (saved.get(change.benefitId) ?? 0) + change.saved);
  const kept = [...saved].flatMap(([benefitId, left]) => (left > 0 ? [{ benefitId, saved: left }] : []));
  const before = sale.kept;
  [sale.kept, sale.refunded] = [kept, sale.refunded + refund];
  for (const { benefitId, fundedBy = '' } of gained) sale.funders.set(benefitId, fundedBy);
  const funder = (benefitId: string) => sale.funders.get(benefitId) ?? '';
  const losses = changesOf(before, kept, funder);
  const gains = changesOf(kept, before, funder).filter((change) => change.saved > 0);
  return posting(event, sale.event, {
    ...{ refunded: refund, lost: losses, gained: gains, left: sale.event.total! - sale.refunded },
    ...{ losesAll: losses.length > 0 && kept.length === 0, gainsAll: gains.length > 0 && before.length === 0 },
  });
}

function posting(event: Event, sale: Event, more: Partial<Posting>): Posting {
  const { calculationId, venueId, programmeId, currency, answeredAt, tier = '', share = '' } = sale;
  const { timeZone } = VENUES.find((venue) => venue.venueId === venueId)!;
  const isOurs = sale.status === 'applied' || more.conflicts === 1;
  return {
    calculationId,
    venueId,
    programmeId,
    currency,
    tier,
    share,
    benefits: isOurs ? sale.benefits.map((benefit) => ({ ...benefit, fundedBy: benefit.fundedBy ?? '' })) : [],
    calculated: dayOf(Date.parse(answeredAt), timeZone),
    booked: dayOf(Date.parse(event.at), timeZone),
    wasSold: isCounted(sale),
    ...NO_CHANGE,
    ...more,
  };
}

/** What became of the vouchers: their grants, and the uses of these by the sales that stand. */
export function vouchersOf(events: readonly ToldEvent[]): Vouchers {
  const granted = new Map<string, Voucher & { used: number }>();
  const into = joined(events);
  const grantOf = (grantId: string) => granted.get(grantId);
  const take = (grantId: string, at: string) => {
    const grant = grantOf(grantId)!;
    grant.fate = fateOf(grant, Date.parse(at), 'revoked');
  };
  const standing = new Map<string, readonly Use[]>();
  const members = new Map<string, string>();
  for (const event of events as unknown as readonly Event[]) {
    const { result, grantId, calculationId, returnId } = event;
    if (result === 'granted') {
      granted.set(grantId, { grantId, quantity: event.quantity, to: event.to, used: 0 });
      members.set(grantId, event.member);
    } else if (result === 'grant_ended') grantOf(grantId)!.fate ??= 'ended';
    else if (result === 'revoked') take(grantId, event.at);
    else if (result === 'erased') {
      for (const [id, member] of members) if (into(member) === into(event.member)) take(id, event.at);
    } else if (result === 'recorded' || result === 'resolved') {
      standing.set(calculationId, event.uses);
    } else if (result === 'returned') {
      const back = event.givenBack.map(({ counter, units }) => ({ counter, units: -units }));
      standing.set(`${calculationId} ${returnId}`, back);
    }
  }
  for (const { counter, units } of [...standing.values()].flat()) {
    const grant = grantOf(/^voucher\/(.+):\*$/.exec(counter)?.[1] ?? '');
    if (grant) grant.used += units;
  }
  const sums = { given: 0, used: 0, revoked: 0, ended: 0, outstanding: 0 };
  for (const { quantity, fate = 'outstanding', used } of granted.values()) {
    const spent = Math.min(quantity, used);
    sums.given += quantity;
    sums.used += spent;
    sums[fate] += quantity - spent;
  }
  return sums;
}

/** The pseudonym that stands for a member after all merges. */
function joined(events: readonly ToldEvent[]): (member: string) => string {
  const into = new Map<string, string>();
  for (const event of events) if (event.result === 'merged') into.set(String(event['member']), String(event['into']));
  const find = (member: string): string => (into.has(member) ? find(into.get(member)!) : member);
  return find;
}
