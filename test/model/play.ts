/** Plays one history on a stage beside the model, and throws a `Violation` at the first thing that is wrong. */
import { createHash, randomUUID } from 'node:crypto';
import type { MemberToken } from '../../src/store/keys.ts';
import { KEYS } from '../faults/support.ts';
import { BERGEN, basketOf, OSLO, saleOf } from '../support/baskets.ts';
import { sleep } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';
import { whileBroken } from './fault.ts';
import type { BasketOrder, History, Order, ReturnStep, SaleOrder, Step } from './history.ts';
import { brokenInvariants, CLOCK_MS, describe, difference, isDefinite, isLive, Ledger, type Reply } from './judge.ts';
import { Lag } from './lag.ts';
import { Model, type Sighting, sightings } from './model.ts';
import { adopt, eventsSince, observe, observeReleased, type Sight, streamEnds } from './observe.ts';
import { giveBack, Returns } from './returns.ts';
import type { Stage } from './stage.ts';
import type { Tally } from './tally.ts';
import { findLostHolds, jumpClock } from './time.ts';
import { isMoot, permutations, supersedes, tookAll, Violation, wordOf } from './words.ts';
import { DAYS, priceOf, VENUES } from './world.ts';

/** A call is answered at its deadline. This only finds a hang: the rest is left to a busy machine, which is no fault. */
const HANG_MS = 5_000;
/** How much of our own lag the others may have had too. */
const LAG_SHARE = 3;
const GHOST_SLACK_MS = 40;
const lag = new Lag();
const MAX_ATTEMPTS = 20;
/**
 * A sale is up to six writes in a row, each of which Redis syncs to the disk here. Where others use the disk so much that these take
 * the deadline, an attempt does not count; for no longer than a process may take to serve again (stage.ts).
 */
const WRITES_OF_A_SALE = 6;
const ANSWER_LIMIT_MS = 15_000;

/** In one history of so many each member has a thousand open calculations besides. */
const CROWDED_EVERY = 3;

export class Play {
  readonly #stage: Stage;
  readonly #history: History;
  readonly #tally: Tally;
  readonly #tell: (line: string) => void;
  readonly #ids = new Map<number, string>();
  readonly #ledger = new Ledger();
  readonly #names: readonly string[];
  #model: Model;
  #tokens: readonly MemberToken[] = [];
  #streams: readonly string[] = [];
  /** Calculations whose hold was taken away while the clock was ahead, each with the deadline it has. */
  #lost: ReadonlyMap<number, number> = new Map();
  readonly #returns = new Returns();
  readonly #startMs = Date.now();

  constructor(stage: Stage, history: History, tally: Tally, tell: (line: string) => void = () => {}) {
    this.#stage = stage;
    this.#history = history;
    this.#tally = tally;
    this.#tell = tell;
    this.#model = new Model(history.members, stage.options.holdMs);
    const run = randomUUID().slice(0, 8);
    this.#names = history.members.map((_, index) => `model-${history.seed}-${run}-${index}`);
  }

  /** All steps, each judged. */
  async run(): Promise<void> {
    this.#tokens = await this.#stage.enrol(this.#names, this.#history.members);
    if (this.#history.seed % CROWDED_EVERY === 0) await this.#stage.crowd(this.#tokens);
    this.#streams = await streamEnds(this.#stage.eye);
    for (const step of this.#history.steps) await this.#take(step);
  }

  /** Waits for the end of every hold; then nothing may be held, and every settled sale has its event. */
  async end(): Promise<void> {
    const { members } = await this.#observe();
    const ends = members.flatMap(({ holds }) => [...holds.values()].map(({ deadlineMs }) => deadlineMs));
    for (const { deadlineMs } of this.#model.calculations.values()) ends.push(deadlineMs);
    await sleep(Math.max(0, ...ends) - Date.now() + 2 * CLOCK_MS);
    const sight = await this.#observe();
    this.#refute(this.#broken(sight));
    const held = sight.members.filter(({ holds }) => holds.size > 0);
    this.#refute(held.length > 0 ? ['something is held after all holds have ended'] : []);
    const events = await eventsSince(this.#stage.eye, this.#streams, new Set(this.#ids.values()));
    this.#refute(this.#ledger.missingEvents(events, this.#ids));
    this.#tally.histories += 1;
  }

  async #take(step: Step): Promise<void> {
    if (step.kind === 'wait') return sleep(step.ms);
    if (step.kind === 'return') return this.#bringBack(step);
    if (step.kind === 'window') return this.#passWindow(step.calculation);
    if (step.kind === 'jump') return this.#jump(step.ms);
    if (step.kind === 'broken') {
      this.#tally.countFault(step.fault.kind);
      this.#tell(`while ${JSON.stringify(step.fault)}:`);
      const replies = await whileBroken(this.#stage, step.fault, () =>
        Promise.all(step.orders.map((each) => this.#send(each))),
      );
      return this.#afterTrouble(replies, step.isRetried);
    }
    const replies = await Promise.all(
      (step.kind === 'together' ? step.orders : [step]).map((each) => this.#send(each)),
    );
    if (!replies.every(isDefinite)) {
      this.#tally.busy += 1;
      const isExcused = replies.every(({ word }) => word !== 'broken off');
      this.#refute(isExcused ? [] : ['a connection ended without an answer, though nothing was broken']);
      return this.#afterTrouble(replies, true);
    }
    const isLate = replies.some((reply) => tookAll(reply, this.#stage.options.deadlineMs));
    const sight = await observeReleased(() => this.#observe(), this.#model, isLate);
    this.#refute(this.#broken(sight));
    if (this.#explain(replies, sight)) this.#tally.exact += 1;
    else this.#adopt(sight);
  }

  /** Only a window that is longer than a hold, as the configuration has it, can pass. */
  async #passWindow(calculation: number): Promise<void> {
    const sight = await this.#observe();
    const seen = sight.calculations.get(calculation);
    if (seen?.member === undefined || !seen.hasAnswer || isLive(seen, sight.nowMs)) return;
    this.#tell(`the idempotency window of ${calculation} passes`);
    await this.#stage.eye.del(KEYS.answer(this.#tokens[seen.member]!, this.#id(calculation)));
    this.#tally.windows += 1;
    this.#ledger.passWindow(calculation);
    const known = this.#model.calculations.get(calculation);
    if (known) known.hasAnswer = false;
  }

  async #jump(ms: number): Promise<void> {
    this.#tell(`Redis' clock jumps by ${ms} ms`);
    await jumpClock(this.#stage.eye, ms, this.#tokens, this.#ids.values());
    this.#tally.jumps += 1;
    const sight = await this.#observe();
    this.#lost = findLostHolds(sight, this.#ids);
    this.#refute(this.#broken(sight));
    this.#adopt(sight);
  }

  /** Everything of a calculation comes back. One whose ID was used again has two lives, and is left alone. */
  async #bringBack(step: ReturnStep): Promise<void> {
    if (this.#ledger.reborn.has(step.calculation)) return;
    const seen = (await this.#observe()).calculations.get(step.calculation);
    const came = await this.#returns.bringBack(this.#stage, step, this.#id(step.calculation), seen);
    if (!came) return;
    this.#tell(came.said);
    this.#refute(came.faults);
    if (came.isFirst) {
      this.#tally.returns += 1;
      giveBack(this.#model, seen!);
    }
    const sight = await this.#observe();
    this.#refute(this.#broken(sight));
    const fault = difference(this.#model, sight, CLOCK_MS);
    this.#refute(fault === undefined ? [] : [`after ${came.said}: ${fault}`]);
  }

  /** What was refused may have been done or not: the invariants say whether either is whole, and Redis says which it is. */
  async #afterTrouble(replies: readonly Reply[], isRetried: boolean): Promise<void> {
    const open = replies.filter((reply) => !isDefinite(reply));
    // Once every refused call's deadline has passed, nothing of it may land any more.
    const lastMs = Math.max(0, ...open.map(({ sentMs }) => sentMs));
    await sleep(lastMs + this.#stage.options.deadlineMs + 60 - Date.now());
    for (const { order } of isRetried ? open : []) await this.#sendUntilAnswered(order);
    const sight = await this.#observe();
    this.#refute(this.#broken(sight));
    this.#adopt(sight);
  }

  /** Looks for an order of effects that explains every word and all of Redis. False where none is asked for. */
  #explain(replies: readonly Reply[], sight: Sight): boolean {
    const fromMs = Math.min(...replies.map(({ sentMs }) => sentMs)) - CLOCK_MS;
    const toMs = Math.max(...replies.map(({ answeredMs }) => answeredMs)) + CLOCK_MS;
    const slackMs = toMs - fromMs + CLOCK_MS;
    const ends = [...this.#model.calculations.values()].map(({ deadlineMs }) => deadlineMs);
    const between = ends.filter((endMs) => endMs > fromMs && endMs <= toMs);
    const isSlow = toMs - fromMs > this.#stage.options.holdMs / 2;
    const isTakenOver = replies.some(({ order }) => this.#ledger.reborn.has(order.calculation));
    const isAmbiguous = between.length > 0 || isSlow || supersedes(replies) || isTakenOver;
    if (replies.length > 1 && isAmbiguous) return false;
    const reasons = new Set<string>();
    // A hold that ended while the call was under way may count as live or as ended.
    for (const nowMs of [fromMs, ...between]) {
      for (const order of permutations(replies)) {
        const model = this.#model.clone();
        const fault = this.#firstFault(model, order, nowMs) ?? difference(model, sight, slackMs);
        if (fault !== undefined) {
          reasons.add(fault);
          continue;
        }
        this.#model = model;
        for (const [number, { deadlineMs, isSuperseded }] of sight.calculations)
          Object.assign(model.calculations.get(number)!, { deadlineMs, isSuperseded });
        return true;
      }
    }
    const said = replies.map(({ order, word }) => `${describe(order)}: ${word}`).join('\n  ');
    throw new Violation(`no order of effects explains\n  ${said}\n${[...reasons].join('\n')}`);
  }

  #firstFault(model: Model, replies: readonly Reply[], nowMs: number): string | undefined {
    const earlier: Model[] = [];
    for (const { order, print, word } of replies) {
      const before = model.clone();
      const due = order.kind === 'basket' ? model.basket(order, print, nowMs) : model.sale(order, nowMs);
      if (due !== word && !(replies.length > 1 && isMoot(model, order, due, word))) {
        // What a call beside it releases may come too late for a basket's price, and in time for its commit.
        const prices = (seen: Sighting) =>
          order.kind === 'basket' && before.clone().basket(order, print, nowMs, seen) === word;
        const seen = order.kind === 'basket' && sightings([before, ...earlier], order).find(prices);
        if (order.kind !== 'basket' || !seen) return `${order.kind} ${order.calculation} should be ${due}`;
        model.become(before);
        model.basket(order, print, nowMs, seen);
      }
      earlier.push(before);
    }
    return undefined;
  }

  async #sendUntilAnswered(order: Order): Promise<void> {
    const startMs = performance.now();
    let counted = 0;
    for (let attempt = 1; ; attempt += 1) {
      const reply = await this.#send(order);
      if (isDefinite(reply)) return;
      if (WRITES_OF_A_SALE * (await this.#stage.syncMs()) < this.#stage.options.deadlineMs) counted += 1;
      if (counted === MAX_ATTEMPTS || performance.now() - startMs > ANSWER_LIMIT_MS)
        throw new Violation(`${describe(order)} was refused ${attempt} times without a fault, at last: ${reply.text}`);
      await sleep(25 * attempt);
    }
  }

  async #send(order: Order): Promise<Reply> {
    const body = order.kind === 'basket' ? this.#basketBody(order) : this.#saleBody(order);
    const bytes = Buffer.from(JSON.stringify(body));
    const print = createHash('sha256').update(bytes).digest('base64url');
    const caller = this.#stage.callers[order.process]!;
    const sentMs = Date.now();
    this.#ledger.enter(order, print, sentMs);
    const path = order.kind === 'basket' ? '/v1/pos/basket' : '/v1/pos/sale';
    const answer = await caller.send(path, bytes).catch((fault: Error) => {
      if (fault.message.startsWith('The answer breaks')) throw new Violation(`${describe(order)}: ${fault.message}`);
      return undefined;
    });
    const answeredMs = Date.now();
    this.#tally.calls += 1;
    const word = answer ? wordOf(order, answer) : 'broken off';
    if (order.kind === 'basket') this.#returns.note(print, body as BasketBody, answer);
    const reply = { order, word, text: answer?.text ?? '', print, sentMs, answeredMs };
    this.#tell(`${describe(order)}: ${word} (${answeredMs - sentMs} ms)`);
    if (!isDefinite(reply)) this.#tally.refused += 1;
    this.#refute(this.#ledger.add(reply));
    const limitMs = this.#stage.options.deadlineMs + HANG_MS + LAG_SHARE * lag.since(sentMs);
    const isLate = answeredMs - sentMs > limitMs;
    this.#refute(isLate ? [`${describe(order)} was answered after ${answeredMs - sentMs} ms`] : []);
    return reply;
  }

  #basketBody(order: BasketOrder) {
    const { calculation, member, venue, day, groups, supersedes: older } = order;
    const lines = groups.map((productGroupId, at) => ({ productGroupId, unitPrice: priceOf(at) }));
    return basketOf(lines, {
      calculationId: this.#id(calculation),
      loyaltyId: this.#names[member]!,
      requestedAt: `${DAYS[day]}T12:00:00+01:00`,
      context: venue === 0 ? OSLO : BERGEN,
      ...(older !== undefined && { supersedesCalculationId: this.#id(older) }),
    });
  }

  #saleBody({ calculation, status, outcome }: SaleOrder) {
    const transaction = outcome.split(' ')[1];
    return saleOf(this.#id(calculation), status, {
      ...(status !== 'cancelled' && { transactionId: `transaction-${transaction}` }),
    });
  }

  #id(calculation: number): string {
    const id = this.#ids.get(calculation) ?? randomUUID();
    this.#ids.set(calculation, id);
    return id;
  }

  #observe(): Promise<Sight> {
    return observe(this.#stage.eye, this.#tokens, this.#ids, this.#ledger.reborn);
  }

  #broken(sight: Sight): string[] {
    // The service counts from the last byte it has read, which a busy machine makes late.
    const patienceMs = this.#stage.options.deadlineMs + GHOST_SLACK_MS + LAG_SHARE * lag.since(this.#startMs);
    const ghosts = this.#ledger.ghostsIn(sight, patienceMs);
    const { reborn } = this.#ledger;
    const broken = brokenInvariants(sight, this.#ids, this.#lost, reborn);
    return [...broken, ...this.#ledger.missingFrom(sight), ...ghosts];
  }

  #adopt(sight: Sight): void {
    adopt(this.#model, sight, VENUES, this.#ids, this.#lost);
  }

  #refute(faults: readonly string[]): void {
    if (faults.length > 0) throw new Violation(faults.join('\n'));
  }
}
