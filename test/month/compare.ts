/** The month is compared, to the minor unit: the till's books, the costs, a warehouse of events, reconciliation, vouchers and limits. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { memberPath } from '../ops/admin-client.ts';
import { runCommand } from '../support/run-command.ts';
import { readToldEvents } from '../support/told-events.ts';
import { until } from '../support/wait.ts';
import { fateOf, standing, usesOf } from './books.ts';
import { costsOf, DIMENSIONS, type Dimension, type Posting, type Reading, type Row, shownRow } from './ledger.ts';
import type { Month } from './month.ts';
import { order } from './till.ts';
import { onceEach, postingsOf, vouchersOf } from './warehouse.ts';

/** Every set of dimensions. */
const GROUPINGS: readonly (readonly Dimension[])[] = Array.from({ length: 2 ** DIMENSIONS.length - 1 }, (_, bits) =>
  DIMENSIONS.filter((_name, at) => ((bits + 1) >> at) % 2 === 1),
);
const READINGS: readonly Reading[] = ['calculation', 'booking'];

type CostRow = Row & { readonly currency: string };

async function readCosts(month: Month, by: string, on: Reading, to = today()): Promise<CostRow[]> {
  const { from } = month.days;
  const words = `GET /admin/costs?by=${by}&on=${on}&from=${from}&to=${to}`;
  return (await order<{ rows: CostRow[] }>(month, words)).rows;
}

const today = (): string => new Date().toISOString().slice(0, 10);
const sumOf = (rows: readonly Row[], figure: string): number => rows.reduce((sum, row) => sum + Number(row[figure]), 0);
const count = (postings: readonly Posting[], figure: 'sold' | 'conflicts' | 'refunded'): number =>
  postings.reduce((sum, posting) => sum + posting[figure], 0);

/** Both gateways write their figures once a second. */
export async function untilTold(month: Month): Promise<void> {
  const { postings } = month.books;
  let told: unknown;
  const wanted = (['sold', 'conflicts', 'refunded'] as const).map((figure) => count(postings, figure));
  await until('the gateways to have told', async () => {
    const rows = await readCosts(month, 'venue', 'calculation');
    const found = ['allBaskets', 'conflicts', 'refunded'].map((figure) => sumOf(rows, figure));
    told = found;
    return JSON.stringify(found) === JSON.stringify(wanted);
  }).catch((error: Error) => {
    throw new Error(`${error.message}: baskets, conflicts and refunds are ${told}, and should be ${wanted}`);
  });
}

/** The rows of a closed month by booking, as an accountant keeps them. */
function closedRows(month: Month): Promise<CostRow[]> {
  return readCosts(month, 'day,venue,benefit,fundedBy,tier,share', 'booking', month.days.to);
}

/** The books, the costs and the warehouse, by every grouping and both readings. */
export async function compareCosts(month: Month): Promise<void> {
  const events = onceEach(await readToldEvents(month.clock.redis.client));
  const warehouse = postingsOf(events);
  let units: number[] | undefined;
  for (const on of READINGS) {
    for (const by of GROUPINGS) {
      const rows = await readCosts(month, by.join(), on);
      const where = `${on} by ${by.join()}`;
      const own = costsOf(month.books.postings, by, on);
      expectRows(`costs ${where}`, rows.flatMap(shownRow), own);
      // Whose benefits a conflict is about, only the offers of the tills tell.
      const known = by.includes('benefit') || by.includes('fundedBy') ? withoutConflicts : (list: Row[]) => list;
      expectRows(`warehouse ${where}`, known(costsOf(warehouse, by, on)), known(own));
      const sums = ['units', 'undoneUnits'].map((figure) => sumOf(rows, figure));
      units ??= sums;
      expect({ where, units: sums }).toEqual({ where, units });
    }
  }
}

/** The rows in any order; of those that differ both sides are told. */
function expectRows(where: string, found: readonly Row[], own: readonly Row[]): void {
  const textsOf = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).sort();
  const [one, other] = [textsOf(found), textsOf(own)];
  const [more, less] = [one.filter((text) => !other.includes(text)), other.filter((text) => !one.includes(text))];
  expect({ where, found: more, books: less }).toEqual({ where, found: [], books: [] });
  expect([where, one.length]).toEqual([where, other.length]);
}

function withoutConflicts(rows: readonly Row[]): Row[] {
  return rows.flatMap(({ conflicts: _, ...row }) => shownRow(row));
}

/** The till's file of transactions has nothing that the service lacks, and lacks nothing that the service has. */
export async function compareTransactions(month: Month): Promise<void> {
  const { tickets } = month.books;
  const sold = tickets.filter(({ outcome }) => outcome && outcome.status !== 'cancelled');
  const rows = sold.map(({ basket, outcome, paid, refunded, answered }) => ({
    ...{ calculationId: basket.calculationId, transactionId: outcome!.transactionId, refunded },
    total: outcome!.status === answered ? paid : basket.totals.total,
    ...{ loyaltyStatus: outcome!.status, failureReason: outcome!.failureReason },
  }));
  const { dataDirectory } = month.service;
  const [file, out] = [join(dataDirectory, 'transactions.ndjson'), join(dataDirectory, 'findings.ndjson')];
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const { stderr } = await runCommand(
    ['reconcile', file, '--from', '2020-01-01', '--to', '2099-01-01', '--out', out],
    month.environment,
  );
  expect(stderr).not.toMatch(/reconcile:/);
  const found = readFileSync(out, 'utf8').split('\n').filter(Boolean);
  const findings = found.map((text) => JSON.parse(text) as { readonly kind: string; readonly calculationId: string });
  const kept = (ids: readonly string[]) => ids.toSorted();
  const ofKind = (...kinds: string[]) =>
    kept(findings.filter(({ kind }) => kinds.includes(kind)).map(({ calculationId }) => calculationId));
  const idsOf = (which: (ticket: (typeof tickets)[number]) => unknown) =>
    kept(sold.filter(which).map(({ basket }) => basket.calculationId));
  const isErased = ({ card }: (typeof tickets)[number]) => standing(card).isErased;
  expect({ erased: ofKind('erased_member') }).toEqual({
    erased: idsOf((ticket) => isErased(ticket) && !ticket.isUntold),
  });
  expect({ unknown: ofKind('unknown_calculation') }).toEqual({
    unknown: idsOf((ticket) => isErased(ticket) && ticket.isUntold),
  });
  // Of a sale that came before its answer nothing was booked, and there is nothing to decide.
  const isOpen = ({ second, isDecided, isBefore }: (typeof tickets)[number]) => second && !isDecided && !isBefore;
  expect({ conflicts: ofKind('conflicting_events') }).toEqual({
    conflicts: idsOf((ticket) => isOpen(ticket) && !isErased(ticket)),
  });
  // A sale without our benefits had reserved nothing, and may be in time although its basket was superseded.
  const isLate = (ticket: (typeof tickets)[number]) => ticket.isLate && !isErased(ticket);
  const late = new Set(ofKind('late_sale'));
  expect({ late: idsOf((ticket) => late.has(ticket.basket.calculationId) && !isLate(ticket)) }).toEqual({ late: [] });
  const mustBe = idsOf((ticket) => isLate(ticket) && ticket.outcome?.status === 'applied');
  expect({ late: mustBe.filter((id) => late.has(id)) }).toEqual({ late: mustBe });
  const usual = new Set(['erased_member', 'unknown_calculation', 'conflicting_events', 'late_sale', 'over_redeemed']);
  expect(findings.filter(({ kind }) => !usual.has(kind))).toEqual([]);
}

/** Vouchers by the service, by the books and by the events. */
export async function compareVouchers(month: Month): Promise<void> {
  const { cards, tickets } = month.books;
  const own = { given: 0, used: 0, revoked: 0, ended: 0, outstanding: 0 };
  const uses = usesOf(tickets, 'voucher');
  for (const holder of cards.filter(({ voucher, into }) => voucher && !into)) {
    const { quantity } = holder.voucher!;
    const used = uses.filter(({ card }) => standing(card) === holder).length;
    const spent = Math.min(quantity, used);
    own.given += quantity;
    own.used += spent;
    own[fateOf(holder.voucher!, month.now(), 'outstanding')] += quantity - spent;
  }
  const { rows } = await order<{ rows: Row[] }>(month, 'GET /admin/vouchers');
  const { given, used, revoked, ended, outstanding } = rows[0] ?? {};
  expect({ given, used, revoked, ended, outstanding }).toEqual(own);
  const told = async () => vouchersOf(onceEach(await readToldEvents(month.clock.redis.client)));
  // Grants that have ended are told a few seconds after their end.
  await until('the ended grants to be told', async () => (await told()).ended === own.ended).catch(() => undefined);
  expect(await told()).toEqual(own);
}

/** What was consumed of limits, of each member and of all. */
export async function compareLimits(month: Month): Promise<void> {
  const { cards, tickets } = month.books;
  type Limits = { readonly limits: { readonly limitId?: string; readonly consumed: number }[] };
  const consumedOf = async (path: string, limitId: string) => {
    const { limits } = await order<Limits>(month, `GET ${path}`);
    return limits.find((limit) => limit.limitId === limitId)?.consumed;
  };
  const meals = usesOf(tickets, 'meal');
  expect(await consumedOf('/admin/limits', 'all-meals')).toBe(meals.length);
  for (const card of cards.filter(({ programmeId, into, isErased }) => programmeId === 'club' && !into && !isErased)) {
    const { loyaltyId } = card;
    const own = meals.filter((ticket) => standing(ticket.card) === card).length;
    const consumed = await consumedOf(memberPath(loyaltyId, 'club'), 'meals');
    expect({ loyaltyId, consumed }).toEqual({ loyaltyId, consumed: own });
  }
}

/** Everything that can be compared. */
export async function compareMonth(month: Month): Promise<void> {
  await untilTold(month);
  await compareCosts(month);
  await compareTransactions(month);
  await compareVouchers(month);
  await compareLimits(month);
}

/** Three days after the month its rows by booking are the same, whatever was booked meanwhile. Returns how many there are. */
export async function compareClosed(month: Month): Promise<number> {
  const closed = await closedRows(month);
  await month.playThreeDaysLater();
  await untilTold(month);
  expect(await closedRows(month)).toEqual(closed);
  await compareMonth(month);
  return closed.length;
}
