/** A month of trade: its days in order, on a Redis whose clock moves with them. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import { memberPath, OPS_TOKEN } from '../ops/admin-client.ts';
import { environmentOf, Service } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';
import { Books, type Card, dayOf, fateOf, standing, type Ticket } from './books.ts';
import { MovedClock } from './moved-clock.ts';
import { shopOf } from './shop.ts';
import { contradict, decide, offer, order, outcomeOf, takeBack, tell, type World } from './till.ts';

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
/** Visits at once: two gateways have something to do, and two visits may meet at a limit. */
const LANES = 4;

export interface MonthWords {
  readonly seed: number;
  readonly days: number;
  readonly visitsADay: number;
  readonly cards: number;
  readonly onDay?: (day: number, calculations: number) => Promise<void> | void;
}

/** What is left to do on a later day. */
type Task = () => Promise<void>;

export class Month implements World {
  readonly books = new Books();
  changes = 0;
  readonly clock: MovedClock;
  readonly service: Service;
  readonly #random: Random;
  readonly #words: MonthWords;
  readonly #startMs: number;
  #offsetMs = 0;
  #later: Task[] = [];
  readonly caller;

  private constructor(words: MonthWords, clock: MovedClock, service: Service) {
    [this.#words, this.clock, this.service] = [words, clock, service];
    this.#random = new Random(words.seed);
    this.caller = service.newCaller({ isPatient: true });
    // The month is over three days before this one, and begins with a whole day.
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    this.#startMs = today - (words.days + 4) * DAY_MS;
  }

  static async open(words: MonthWords): Promise<Month> {
    const clock = await MovedClock.launch();
    const configuration = shopOf(0);
    const service = await Service.start({ configuration, redisUrl: clock.url, env: { OPS_TOKEN, PROCESSES: '2' } });
    return new Month(words, clock, service);
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.clock.stop();
  }

  get opsUrl(): string {
    return this.service.opsUrl;
  }

  get summary(): string {
    const { tickets, postings } = this.books;
    const returns = postings.filter(({ refunded }) => refunded > 0).length;
    return `${tickets.length} calculations, ${returns} returns, ${postings.length} postings`;
  }

  now(): number {
    return Date.now() + this.#offsetMs;
  }

  /** The first and the last day of the month, anywhere. */
  get days(): { readonly from: string; readonly to: string } {
    const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    return { from: dayAt(this.#startMs), to: dayAt(this.#startMs + (this.#words.days - 1) * DAY_MS) };
  }

  async play(): Promise<void> {
    const { days, onDay } = this.#words;
    for (let day = 0; day < days; day += 1) {
      await this.#begin(day);
      await this.#day(day, day === 0 ? [] : this.#later.splice(0));
      await onDay?.(day + 1, this.books.tickets.length);
    }
  }

  /**
   * Kills a gateway while baskets are being asked for, which the tills ask again; half of them are sold later. Its figures must have been
   * written: those of its last second would be lost.
   */
  async killGateway(): Promise<void> {
    const killed = this.service.gateways[0]!;
    const asked: Ticket[] = [];
    const visits = Array.from({ length: 20 }, () => {
      const [random, card] = [this.#newRandom(), this.#random.pick(this.#living)];
      return async () => void asked.push(await offer(this, random, { card }));
    });
    await Promise.all([this.#inLanes(visits), sleep(10).then(() => process.kill(killed, 'SIGKILL'))]);
    await until('another gateway', () => this.service.gateways.length === 2 && !this.service.gateways.includes(killed));
    await this.service.untilReady();
    const sold = asked.filter((_ticket, at) => at % 2 === 0);
    await this.#inLanes(sold.map((ticket) => () => tell(this, this.#newRandom(), ticket)));
  }

  /** Three days after the month: what was left to do is done now, and more of what the month sold comes back. */
  async playThreeDaysLater(): Promise<void> {
    await this.#begin(this.#words.days + 2);
    const open = this.books.tickets.filter(({ outcome }) => outcome !== undefined);
    const back = open
      .filter(() => this.#random.chance(0.1))
      .map((ticket) => () => takeBack(this, this.#random, ticket));
    await this.#inLanes([...this.#later.splice(0), ...back, ...Array.from({ length: 10 }, () => this.#visit())]);
    // What is late there is told when its reservation is over.
    await this.#begin(this.#words.days + 3);
    await this.#inLanes(this.#later.splice(0));
  }

  /** A day begins in the morning, or so late that it is tomorrow in Helsinki and still today in Oslo. */
  async #begin(day: number): Promise<void> {
    const hour = day % 3 === 1 ? 22.5 : 9;
    const atMs = this.#startMs + day * DAY_MS + hour * HOUR_MS;
    await this.clock.moveTo(atMs);
    this.#offsetMs = atMs - Date.now();
  }

  async #day(day: number, tasks: Task[]): Promise<void> {
    const { days, visitsADay, cards } = this.#words;
    if (day === 0) {
      for (let number = 0; number < cards; number += 1) await this.#register(number);
      const club = this.books.cards.filter(({ programmeId }) => programmeId === 'club');
      await this.#inLanes(club.map((card) => () => this.#firstFlowers(card)));
    } else if (day % 2 === 1) {
      this.changes += 1;
      await this.service.configure(shopOf(this.changes));
    }
    await this.#inLanes([...tasks, ...Array.from({ length: visitsADay }, () => this.#visit())]);
    for (let times = Math.ceil(cards / days / 12); times > 0; times -= 1) await this.#merge();
    if (day === Math.floor(days / 2) || day === days - 1) await this.#erase();
    for (let times = 2; times > 0; times -= 1) await this.#changeVoucher(randomUUID());
  }

  async #inLanes(tasks: Task[]): Promise<void> {
    const rest = [...tasks];
    const lane = async () => {
      for (let task = rest.shift(); task; task = rest.shift()) await task();
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  async #register(number: number): Promise<void> {
    const programmeId = number % 3 === 2 ? 'fair' : 'club';
    const tier = number % 2 === 0 ? 'gold' : '';
    const card: Card = { loyaltyId: `card-${number}`, programmeId, tier, share: '', isErased: false };
    this.books.cards.push(card);
    const body = { status: 'active', ...(tier !== '' && { tier }) };
    await order(this, `PUT ${memberPath(card.loyaltyId, programmeId)}`, body);
    if (number % 4 === 0 && programmeId === 'club') await this.#give(card, `first-${number}`);
  }

  /** Every other voucher of the first days ends soon. */
  async #give(card: Card, grantId: string): Promise<void> {
    const isEnding = this.#random.chance(0.5) && this.now() < this.#startMs + (this.#words.days - 4) * DAY_MS;
    const to = isEnding ? dayOf(this.now() + DAY_MS, 'Europe/Oslo') : undefined;
    const body = { benefitId: 'voucher', quantity: 2, ...(to !== undefined && { to }) };
    const path = `${memberPath(card.loyaltyId, 'club')}/grants/${grantId}`;
    await order(this, `PUT ${path}`, body);
    card.voucher = { grantId, quantity: 2, to };
  }

  /** Half of the club gets ten per cent off flowers, and this shows who. */
  async #firstFlowers(card: Card): Promise<void> {
    const random = this.#newRandom();
    const ticket = await offer(this, random, { card, wants: 'flower' });
    const isIn = ticket.given.some(({ benefitId }) => benefitId === 'spring');
    card.share = isIn ? 'spring 0-50' : 'spring 50-100';
    Object.assign(ticket, { share: card.share });
    await tell(this, random, ticket);
  }

  #newRandom(): Random {
    return new Random(this.#random.below(2 ** 31));
  }

  get #living(): Card[] {
    return this.books.cards.filter((card) => !standing(card).isErased);
  }

  #visit(): Task {
    const random = this.#newRandom();
    return async () => {
      const card = random.pick(this.#living);
      const fate = random.weighted({
        ...{ sold: 58, cancelled: 5, failed: 5, unsold: 5, superseded: 4, late: 7, before: 3, twice: 9, back: 4 },
      });
      if (fate === 'before') return this.#soldBefore(random, card);
      const ticket = await offer(this, random, { card });
      if (fate === 'unsold') return;
      if (fate === 'superseded') {
        await tell(this, random, await offer(this, random, { card, supersedes: ticket }));
        if (!random.chance(0.5)) return;
        ticket.isLate = true;
        return tell(this, random, ticket);
      }
      if (fate === 'late')
        return this.#onLaterDay(ticket, async () => {
          ticket.isLate = true;
          await tell(this, random, ticket);
          await takeBack(this, random, ticket);
        });
      if (fate === 'twice') return this.#soldTwice(random, ticket);
      await tell(this, random, ticket, outcomeOf(ticket, fate === 'cancelled' || fate === 'failed' ? fate : undefined));
      if (random.chance(0.3)) await takeBack(this, random, ticket);
      if (random.chance(0.3)) this.#onLaterDay(ticket, () => takeBack(this, random, ticket));
    };
  }

  /** Nothing is done of a member that was erased meanwhile: it left no calculation. */
  #onLaterDay(ticket: Ticket, task: Task): void {
    this.#later.push(async () => (standing(ticket.card).isErased ? undefined : task()));
  }

  /** The till gave up and told so, before the basket came that it had sent. */
  async #soldBefore(random: Random, card: Card): Promise<void> {
    const calculationId = randomUUID();
    const outcome = { status: 'failed', failureReason: 'timeout', transactionId: `receipt-${calculationId}` };
    const body = { calculationId, ...outcome };
    expect((await this.caller.sale(body)).json()).toEqual({ result: 'unknown_calculation' });
    const ticket = await offer(this, random, { card, calculationId, isBefore: true });
    ticket.outcome = outcome;
    const again = random.chance(0.7);
    ticket.isUntold = !again;
    if (again) expect((await this.caller.sale(body)).status).toBe(200);
    if (again && random.chance(0.4)) await contradict(this, random, ticket, { status: 'cancelled' });
  }

  /** Two outcomes are reported, and on a later day somebody decides. */
  async #soldTwice(random: Random, ticket: Ticket): Promise<void> {
    const statuses = random.pick([
      ...[
        [ticket.answered, 'cancelled'],
        ['cancelled', ticket.answered],
      ],
      ...[
        ['failed', ticket.answered],
        [ticket.answered, 'failed'],
      ],
    ]) as [string, string];
    await tell(this, random, ticket, outcomeOf(ticket, statuses[0]));
    await contradict(this, random, ticket, outcomeOf(ticket, statuses[1]));
    const isReturned = random.chance(0.2);
    if (isReturned) await takeBack(this, random, ticket);
    if (random.chance(0.3)) return decide(this, random, ticket);
    this.#onLaterDay(ticket, async () => {
      await decide(this, random, ticket);
      await takeBack(this, random, ticket);
    });
  }

  async #merge(): Promise<void> {
    const cards = this.#living.filter(({ into }) => !into);
    const old = this.#random.pick(cards);
    const others = cards.filter(
      (card) => card !== old && card.programmeId === old.programmeId && !(card.voucher && old.voucher),
    );
    if (others.length === 0) return;
    const into = this.#random.pick(others);
    const path = memberPath(old.loyaltyId, old.programmeId);
    await order(this, `POST ${path}/merge`, { into: into.loyaltyId });
    old.into = into;
    if (old.voucher) into.voucher = old.voucher;
  }

  async #erase(): Promise<void> {
    const card = this.#random.pick(this.#living.filter(({ into }) => !into));
    await order(this, `DELETE ${memberPath(card.loyaltyId, card.programmeId)}`);
    card.isErased = true;
    if (card.voucher) card.voucher.fate = fateOf(card.voucher, this.now(), 'revoked');
  }

  /** Somebody gets a voucher, or has it taken. */
  async #changeVoucher(grantId: string): Promise<void> {
    const card = this.#random.pick(this.#living.filter(({ programmeId, into }) => programmeId === 'club' && !into));
    const { voucher } = card;
    if (!voucher) return this.#give(card, grantId);
    if (voucher.fate) return;
    const path = `${memberPath(card.loyaltyId, 'club')}/grants/${voucher.grantId}`;
    await order(this, `DELETE ${path}`);
    voucher.fate = fateOf(voucher, this.now(), 'revoked');
  }

  /** The environment of a command. */
  get environment(): Record<string, string> {
    return environmentOf({ redisUrl: this.clock.url, configuration: shopOf(this.changes) }, this.service.dataDirectory);
  }
}
