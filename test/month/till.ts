/** The tills of the month: what they ask, twice where an answer was lost, and what they write into the books. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Random } from '../../packages/simulator/src/random.ts';
import { ask } from '../ops/admin-client.ts';
import { basketOf } from '../support/baskets.ts';
import type { Caller } from '../support/caller.ts';
import { sleep } from '../support/wait.ts';
import type { AppliedBody } from '../support/wire.ts';
import { type Books, type Card, givenBy, type Outcome, standing, type Ticket } from './books.ts';
import { SHELF, VENUES, type Venue } from './shop.ts';

/** How often an answer is lost, and the call repeated. */
const LOST = 0.25;
const MOST_ATTEMPTS = 20;

export interface World {
  readonly books: Books;
  readonly opsUrl: string;
  readonly caller: Caller;
  /** Redis' clock, ms since 1970. */
  now(): number;
  /** How often the configuration was changed. */
  changes: number;
}

/** A call to the operations port, which is repeated where a busy machine refused it with 503. */
export async function order<T>({ opsUrl }: Pick<World, 'opsUrl'>, words: string, body?: unknown): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await ask<T>(opsUrl, words, body === undefined ? {} : { body });
    if (answer.status === 200) return answer.body;
    if (answer.status !== 503 || attempt === MOST_ATTEMPTS) {
      throw new Error(`${words} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    await sleep(50 * attempt);
  }
}

/** Sends a call again whose connection broke, because its gateway was killed. */
async function again<T>(send: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send();
    } catch (error) {
      const isBroken = (error as NodeJS.ErrnoException).code?.startsWith('ECONN');
      if (!isBroken || attempt === MOST_ATTEMPTS) throw error;
      await sleep(50 * attempt);
    }
  }
}

interface Offer {
  readonly card: Card;
  /** The ticket that the basket takes the place of, at the same venue: no other one may. */
  readonly supersedes?: Ticket;
  readonly calculationId?: string;
  readonly isBefore?: boolean;
  /** A group that the basket must have. */
  readonly wants?: string;
}

/** Asks for a basket of things from the shelf. */
export async function offer(world: World, random: Random, words: Offer): Promise<Ticket> {
  const { card, supersedes, calculationId = randomUUID(), isBefore = false, wants } = words;
  const venues = VENUES.filter(({ programmeId }) => programmeId === card.programmeId);
  const venue = supersedes?.venue ?? (random.pick(venues) as Venue);
  const currency = random.pick<'NOK' | 'EUR'>(venue.currencies);
  const sent = basketOf(linesOf(random, currency, wants), {
    ...{ calculationId, currency, loyaltyId: card.loyaltyId, requestedAt: new Date(world.now()).toISOString() },
    ...(supersedes && { supersedesCalculationId: supersedes.basket.calculationId }),
    context: {
      venueId: venue.venueId,
      cashRegisterId: `till-${random.between(1, 3)}`,
      baxId: venue.baxId,
      channel: 'pos',
    },
  });
  const answeredMs = world.now();
  const send = () => again(() => world.caller.basket(sent));
  const [answer, other] = await Promise.all([send(), random.chance(LOST) ? send() : undefined]);
  expect([answer.status, other?.status ?? 200]).toEqual([200, 200]);
  const body = answer.json<AppliedBody>();
  if (other) expect(other.json()).toEqual(body);
  const isApplied = body.status === 'applied';
  const given = givenBy(sent, isApplied ? body : undefined, world.changes);
  const { tier, share } = standing(card);
  const own = isApplied ? body.lines : sent.lines;
  const ticket: Ticket = {
    ...{
      basket: sent,
      card,
      venue,
      answeredMs,
      changes: world.changes,
      answered: body.status,
      given,
      isBefore,
      tier,
      share,
    },
    paid: isApplied ? body.totals.total : sent.totals.total,
    ...{ ourLines: own, lines: [] },
    ...{
      isUntold: isBefore,
      isLate: false,
      outcome: undefined,
      second: undefined,
      isDecided: false,
      kept: [],
      refunded: 0,
    },
  };
  world.books.tickets.push(ticket);
  return ticket;
}

function linesOf(random: Random, currency: 'NOK' | 'EUR', wants: string | undefined) {
  const groups = Array.from({ length: random.between(1, 4) }, () => random.pick(SHELF));
  const wanted = SHELF.filter(({ productGroupId }) => productGroupId === wants);
  return [...new Set([...wanted, ...groups])].map(({ productGroupId, prices }) => {
    const unitPrice = prices[currency];
    const isWeighed = productGroupId === 'bread' && random.chance(0.3);
    const quantity = isWeighed ? random.between(100, 2_500) / 1_000 : random.between(1, 5);
    const existing = productGroupId === 'bread' && random.chance(0.3) ? Math.floor(unitPrice / 10) : 0;
    return { productGroupId, quantity, unitPrice, ...(existing > 0 && !isWeighed && { existing }) };
  });
}

/** The outcome that a till tells of an answer that it used; with another one where it did not. */
export function outcomeOf({ answered, basket }: Ticket, status = answered): Outcome {
  return {
    status,
    ...(status !== 'cancelled' && { transactionId: `receipt-${basket.calculationId}` }),
    ...(status === 'failed' && { failureReason: 'timeout' }),
  };
}

/** Tells of the sale, which the service has to record once. */
export async function tell(world: World, random: Random, ticket: Ticket, outcome = outcomeOf(ticket)): Promise<void> {
  const body = { calculationId: ticket.basket.calculationId, ...outcome };
  const bookedMs = world.now();
  const answers = await Promise.all([
    world.caller.sale(body),
    random.chance(LOST) ? world.caller.sale(body) : undefined,
  ]);
  const results = answers.flatMap((answer) => (answer ? [answer.json<{ result?: string }>().result] : []));
  // A call that a busy machine refused with 503 may have been booked all the same, and its repetition is a duplicate.
  const recorded = results.filter((result) => result === 'recorded').length;
  expect({ body, results, recorded }).toEqual({
    ...{ body, recorded: world.caller.seen.refusals > 0 ? Math.min(1, recorded) : 1 },
    results: results.map((result) => (result === 'recorded' ? result : 'duplicate')),
  });
  world.books.settle(ticket, outcome, bookedMs);
}

/** A second outcome is reported, which is refused however often. */
export async function contradict(world: World, random: Random, ticket: Ticket, second: Outcome): Promise<void> {
  const body = { calculationId: ticket.basket.calculationId, ...second };
  const bookedMs = world.now();
  for (let times = random.between(1, 2); times > 0; times -= 1) {
    expect((await world.caller.sale(body)).status).toBe(409);
  }
  world.books.conflict(ticket, second, bookedMs);
}

/** A person decides; told twice, it is decided once. */
export async function decide(world: World, random: Random, ticket: Ticket): Promise<void> {
  const outcome = random.pick(['first', 'second'] as const);
  const words = `POST /admin/calculations/${ticket.basket.calculationId}/resolve`;
  const bookedMs = world.now();
  const { second } = ticket;
  if (ticket.isDecided || !second || (outcome === 'second' && ticket.refunded > 0)) return;
  for (let times = random.between(1, 2); times > 0; times -= 1) {
    await order(world, words, { outcome, reason: 'the till was asked' });
  }
  ticket.isDecided = true;
  if (outcome === 'second') world.books.settle(ticket, second, bookedMs);
}

/** Some of what is left of a sale comes back. */
export async function takeBack(world: World, random: Random, ticket: Ticket): Promise<void> {
  const { outcome, basket } = ticket;
  if (!outcome || outcome.status === 'cancelled' || ticket.isBefore || standing(ticket.card).isErased) return;
  const left = ticket.lines.filter((line) => line.left > 0);
  const some = random.chance(0.3) ? left : left.filter(() => random.chance(0.6));
  if (some.length === 0) return;
  const lines = some.map(({ lineId, left: most }) => ({
    lineId,
    quantity: Number.isInteger(most) ? random.between(1, most) : most,
  }));
  const { calculationId } = basket;
  const body = { returnId: `r-${random.below(1e9)}`, calculationId, lines };
  const bookedMs = world.now();
  const send = () => order<ReturnBody>(world, 'POST /admin/returns', body);
  const answers = await Promise.all([send(), random.chance(LOST) ? send() : undefined]);
  expect(answers[1] ?? answers[0]).toEqual(answers[0]);
  for (const { lineId, quantity } of lines) ticket.lines.find((line) => line.lineId === lineId)!.left -= quantity;
  const { refund, kept } = answers[0]!;
  world.books.takeBack(ticket, refund, kept, bookedMs);
}

interface ReturnBody {
  readonly refund: number;
  readonly kept: Ticket['kept'];
}
