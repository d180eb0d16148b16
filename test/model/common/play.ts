/** Plays one history of limits over all members on two processes' stores, and compares all counters with the model after each step. */

import { StoreUnavailable } from '../../../src/redis/failure.ts';
import { confirmHolds } from '../../../src/store/common-endings.ts';
import { readCommon } from '../../../src/store/common-limits.ts';
import { readIndexEntry } from '../../../src/store/index-entry.ts';
import { settleSale } from '../../../src/store/sales.ts';
import type { Store } from '../../../src/store/store.ts';
import { describeNothing, sweepOnce } from '../../support/plain-books.ts';
import { sleep, until } from '../../support/wait.ts';
import { bookAlone, bringBack, CALL_MS, printOf, sendBasket } from './calls.ts';
import { CommonModel, keyOf } from './model.ts';
import { Names } from './names.ts';
import { passTime } from './time.ts';
import {
  type BasketStep,
  type Call,
  DAYS,
  MEMBERS,
  RULES,
  type Rule,
  type SaleStep,
  type Step,
  usageKeyOf,
  VENUES,
} from './world.ts';

const HOUR_MS = 3_600_000;
/** A step of time passes every call, two are within a hold, and three are past it: hours, so that no pause of a machine matters. */
const STEP_MS = 2 * HOUR_MS;
export const PERIODS = { holdMs: 4.5 * HOUR_MS, idempotencyMs: 48 * HOUR_MS, retentionMs: 96 * HOUR_MS };
const AGREE_MS = 5_000;

export interface CommonStage {
  /** Two processes, and one that looks and is never cut off. */
  readonly stores: readonly [Store, Store];
  readonly eye: Store;
  /** Brings a fault about while the call of this process runs; absent where there are none. */
  broken?(
    process: number,
    script: string,
    ambush: 'reset before' | 'reset after',
    work: () => Promise<void>,
  ): Promise<void>;
  kill?(): Promise<void>;
}

/** A promise that was not kept. */
class Broken extends Error {}

export class CommonPlay {
  readonly #stage: CommonStage;
  readonly #model = new CommonModel();
  readonly #names = new Names();

  constructor(stage: CommonStage) {
    this.#stage = stage;
  }

  async play(steps: readonly Step[]): Promise<void> {
    for (const [at, step] of [...steps, ...ENDING].entries()) {
      const said = `step ${at} ${JSON.stringify(step)}`;
      await this.#step(step, said);
      await this.#agree(said);
    }
    const held = [...this.#model.counters.keys()].filter((key) => this.#model.held(key) > 0);
    if (held.length > 0) throw new Broken(`in the end something is held of ${held.join(', ')}`);
  }

  async #step(step: Step, said: string): Promise<void> {
    const { eye, kill, broken } = this.#stage;
    switch (step.kind) {
      case 'time':
        this.#model.time();
        return untilAnswered(() => passTime(eye, STEP_MS, this.#names.keysOf(eye)));
      case 'sweep':
        return this.#sweep();
      case 'kill':
        return kill?.();
      case 'rush':
        return this.#rush(step.baskets, said);
      case 'broken': {
        await broken!(step.call.process, step.script, step.ambush, async () => {
          await this.#answer(step.call).then((word) => this.#judge(step.call, word, said, true));
        });
        return this.#sweep();
      }
      default:
        return this.#judge(step, await this.#answer(step), said, false);
    }
  }

  /** A call that was cut off is sent again, so that its answer may be that of a repetition. */
  #judge(call: Call, word: string, said: string, isRepeated: boolean): void {
    if (call.kind === 'return') return;
    const isNew = this.#model.calculations.get(call.calculation)?.print === undefined;
    // The commit was carried out, and its answer lost: the process has confirmed nothing.
    const isCutOff = isRepeated && call.kind === 'basket' && isNew && word === 'replay';
    const due = isCutOff ? this.#model.basket({ ...call, dies: 'committed' }, printOf(call)) : this.#due(call);
    const isRepetition = isCutOff || (isRepeated && due === 'recorded' && word === 'duplicate');
    if (word !== due && !isRepetition) throw new Broken(`${said} was answered ${word} instead of ${due}`);
  }

  #due(call: BasketStep | SaleStep): string {
    return call.kind === 'basket' ? this.#model.basket(call, printOf(call)) : this.#model.sale(call);
  }

  async #answer(call: Call): Promise<string> {
    const store = this.#stage.stores[call.process]!;
    const returned = call.kind === 'return' ? this.#model.bringBack(call.calculation) : undefined;
    return untilAnswered(async () => {
      if (call.kind === 'basket') return sendBasket(store, this.#names, call);
      if (call.kind === 'sale') return this.#sale(store, call);
      if (returned) await bringBack(store, this.#names, call.calculation, returned);
      return 'done';
    });
  }

  async #sale(store: Store, { calculation, status, dies }: SaleStep): Promise<string> {
    const calculationId = this.#names.id(calculation);
    const isNew = this.#model.calculations.get(calculation)?.sale === undefined;
    const { member } = this.#model.calculations.get(calculation) ?? {};
    const isCommitted = this.#model.calculations.get(calculation)?.print !== undefined;
    const transactionId = status === 'applied' ? 't-1' : undefined;
    if (dies && isNew && isCommitted) {
      await this.#untilConfirmed(calculation);
      await bookAlone(store, calculationId, this.#names.member(member!), [status, transactionId ?? null, null]);
      return 'died';
    }
    const sale = { calculationId, status, transactionId, failureReason: undefined };
    const entry = await readIndexEntry(store, calculationId);
    const clock = { remainingMs: () => CALL_MS, redisMs: Number.MAX_SAFE_INTEGER };
    return (await settleSale(store, sale, entry, clock, describeNothing, () => undefined)).outcome;
  }

  /** Confirms what a call that was cut off has left unconfirmed, so that the model knows whether anybody will look it up. */
  async #untilConfirmed(calculation: number): Promise<void> {
    const { eye } = this.#stage;
    const { isUnconfirmed, taken, member: number } = this.#model.calculations.get(calculation)!;
    if (isUnconfirmed) return;
    const uses = taken
      .filter(({ key }) => !key.startsWith('member'))
      .map(({ key, ...use }) => ({ ...use, ...this.#names.place(key) }));
    const member = this.#names.member(number!);
    await untilAnswered(() =>
      confirmHolds(eye, { calculationId: this.#names.id(calculation), member, uses, dropped: [] }),
    );
  }

  async #sweep(): Promise<void> {
    const { eye } = this.#stage;
    const first = this.#model.sweepable().map((id) => [this.#names.id(id)]);
    this.#model.sweep();
    for (const ids of [...first, [...this.#names.ids.values()]]) {
      const due = ids.flatMap((id) => [1, id]);
      await untilAnswered(async () => {
        if (due.length > 0)
          await eye.connection.run(eye.keys.examinations(0), (client, key) => client.zadd(key, ...due));
        await sweepOnce(eye);
      });
    }
  }

  /** As many as there is room for are given what they want, and no more. */
  async #rush(baskets: readonly BasketStep[], said: string): Promise<void> {
    const model = this.#model;
    if (baskets.some(({ calculation }) => model.calculations.has(calculation))) {
      for (const basket of baskets) await this.#step(basket, said);
      return;
    }
    const [{ rule: name, limit }] = baskets[0]!.wishes as [BasketStep['wishes'][number]];
    const key = keyOf(RULES.find((rule) => rule.name === name)!, baskets[0]!);
    const room = Math.max(0, model.left(key, limit, []));
    const words = await Promise.all(baskets.map((basket) => this.#answer(basket)));
    const given = words.filter((word) => word !== 'applied').length;
    const freed = baskets.reduce(
      (sum, { supersedes = -1 }) => sum + (model.counter(key).holds.get(supersedes)?.units ?? 0),
      0,
    );
    if (given < Math.min(room, baskets.length) || given > room + freed) {
      throw new Broken(`${said}: ${given} were given of ${room} and ${freed} that came free: ${words.join(', ')}`);
    }
    // Those who were given something came first; the others found that nothing was left.
    for (const [at, basket] of baskets.entries()) model.adopt(basket, printOf(basket), words[at] !== 'applied');
  }

  /** Waits for what no call waits for, and compares every counter with the model. */
  async #agree(said: string): Promise<void> {
    await Promise.all(COUNTERS.map((counter) => this.#agreeOn(counter, said)));
  }

  async #agreeOn({ rule, ...place }: (typeof COUNTERS)[number], said: string): Promise<void> {
    const key = keyOf(rule, place);
    const { consumed, over } = this.#model.counter(key);
    const due = JSON.stringify({ consumed, over, held: this.#model.held(key) });
    let found = '';
    const agrees = async () => {
      found = JSON.stringify(await untilAnswered(() => this.#read(rule, place)));
      return found === due;
    };
    const isRight = (await agrees()) || (await until(key, agrees, AGREE_MS).catch(() => false));
    if (!isRight) throw new Broken(`after ${said} the counter ${key} says ${found} instead of ${due}`);
  }

  async #read(
    rule: Rule,
    { member, venue, day }: { readonly member: number; readonly venue: number; readonly day: number },
  ) {
    const usageKey = usageKeyOf(rule, day);
    if (rule.of === undefined) return this.#own(member, usageKey);
    const place = { programmeId: this.#names.programme, venueId: VENUES[venue]! };
    const read = await readCommon(this.#stage.eye, place, [{ usageKey, of: rule.of }]);
    const { consumed, overRedeemed, held } = read.get(usageKey)!;
    return { consumed, over: overRedeemed, held };
  }

  /** A member's own counter, read from what is stored. */
  async #own(member: number, usageKey: string) {
    const { connection, keys } = this.#stage.eye;
    const token = this.#names.member(member);
    const use = await connection.run(keys.use(token), (client, key) => client.hgetall(key));
    const holds = await connection.run(keys.hold(token), (client, key) => client.hgetall(key));
    const live = Object.values(holds).filter((hold) => Number(hold.split(' ')[0]) > Date.now());
    const held = live.reduce((sum, hold) => sum + Number(hold.split(`${usageKey}=`)[1]?.split('/')[0] ?? 0), 0);
    return { consumed: Number(use[usageKey] ?? 0), over: Number(use[`${usageKey}!over`] ?? 0), held };
  }
}

/** Asks again what a Redis that was away, or a machine that stood still, had refused. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await sleep(5);
    }
  }
}

/** Every counter that a history can reach. */
const COUNTERS = RULES.flatMap((rule) => {
  const days = rule.period === 'day' ? DAYS.length : 1;
  const [venues, members] = [rule.of === 'venue' ? VENUES.length : 1, rule.of ? 1 : MEMBERS];
  return Array.from({ length: days * venues * members }, (_, at) => ({
    ...{ rule, day: at % days, venue: Math.floor(at / days) % venues, member: Math.floor(at / days / venues) },
  }));
});

/** Whatever was left undone is completed, and every hold ends. */
const ENDING: readonly Step[] = [{ kind: 'time' }, { kind: 'time' }, { kind: 'time' }, { kind: 'sweep' }];
