/** Calls of a till on a real Redis in the test's own process, without a service around them. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { calculateBasket, calculateUsual, type WorkerContext } from '../../../src/calls/basket-call.ts';
import type { CallFacts, Door, Task } from '../../../src/calls/messages.ts';
import { settle } from '../../../src/calls/sale-call.ts';
import { loadEnvironment } from '../../../src/programme/load.ts';
import { Connection } from '../../../src/redis/connection.ts';
import { createKeys } from '../../../src/store/keys.ts';
import { takeToken } from '../../../src/store/rate-limit.ts';
import type { Store } from '../../../src/store/store.ts';
import { monotonicMs, Stopwatch, WORKER_PHASES } from '../../../src/telemetry/stopwatch.ts';
import { saleOf } from '../../support/baskets.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { RedisServer } from '../../support/redis-server.ts';
import { until } from '../../support/wait.ts';
import type { BasketBody, SaleBody } from '../../support/wire.ts';

/** Nobody waits in these tests, so a busy machine is not too late. */
const PATIENCE_MS = 60_000;
export const DOOR: Door = { rateLimit: { sustained: 1_000, burst: 1_000 }, isOver: () => false };

export interface Till {
  redis: RedisServer;
  context: WorkerContext;
}

/** A till for all tests of a file, whose Redis is emptied before each. It has taken a token, so the clock of Redis is known. */
export function useTill(configuration: object): Till {
  const till = {} as Till;
  beforeAll(async () => {
    till.redis = await RedisServer.launch();
    const environment = loadEnvironment(JSON.stringify(configuration), 'environment.yaml');
    till.context = { environment, store: await openStore(till.redis, environment.calculation), repairDir: '' };
    await takeToken(till.context.store, DOOR.rateLimit, 'basket');
  });
  beforeEach(async () => {
    await till.redis.client.flushall();
  });
  afterAll(async () => {
    till.context?.store.connection.close();
    await till.redis?.stop();
    cleanUp();
  });
  return till;
}

/** A store as another process has it. */
export async function openStore({ socket }: RedisServer, periods: Store['periods']): Promise<Store> {
  const connection = new Connection({ kind: 'socket', path: socket }, 'test');
  await until('the connection to be ready', () => connection.isAvailable);
  return { connection, keys: createKeys('staging'), periods };
}

/** A store that does something else before each command on some keys, as another process may. */
export function interrupted(
  store: Store,
  isMeant: (key?: string) => boolean,
  interrupt: () => Promise<unknown>,
): Store {
  const run: Connection['run'] = async (command, key) => {
    if (isMeant(key)) await interrupt();
    return store.connection.run(command, key);
  };
  return { ...store, connection: Object.create(store.connection, { run: { value: run } }) as Connection };
}

export function taskOf(basket: BasketBody | SaleBody, more: Partial<Task> = {}): Task {
  const body = new TextEncoder().encode(JSON.stringify(basket));
  return {
    ...{ route: 'basket', calculationId: basket.calculationId, body, deadlineMs: monotonicMs() + PATIENCE_MS },
    ...{ redisDeadlineMs: 0, indexEntry: undefined, ...more },
  };
}

/** The usual call of a basket. */
export async function askUsual(context: WorkerContext, basket: BasketBody, door = DOOR, more: Partial<Task> = {}) {
  const facts: CallFacts = {};
  const stopwatch = new Stopwatch(undefined, WORKER_PHASES.basket);
  const outcome = await calculateUsual(context, taskOf(basket, more), door, facts, stopwatch);
  return { outcome, facts, phases: Object.keys(stopwatch.phases), answer: answerIn(outcome) };
}

/** The call of a basket whose ID was looked up. */
export async function askAgain(context: WorkerContext, basket: BasketBody, more: Partial<Task> = {}) {
  const facts: CallFacts = {};
  const stopwatch = new Stopwatch(undefined, WORKER_PHASES.basket);
  const outcome = await calculateBasket(context, taskOf(basket, more), facts, stopwatch);
  return { outcome, facts, phases: Object.keys(stopwatch.phases), answer: answerIn(outcome) };
}

/** Tells the sale of a calculation, whose index entry is looked up as the gateway does. */
export async function tellSale(
  { redis, context }: Till,
  calculationId: string,
  { status = 'applied', transactionId = 'receipt-1', ...more }: Partial<SaleBody> = {},
  task: Partial<Task> = {},
) {
  const facts: CallFacts = {};
  const stopwatch = new Stopwatch(undefined, WORKER_PHASES.sale);
  const indexEntry = (await redis.client.get(context.store.keys.index(calculationId))) ?? undefined;
  const event = saleOf(calculationId, status, { transactionId, ...more });
  const usual = { route: 'sale', redisDeadlineMs: Number.MAX_SAFE_INTEGER, indexEntry } as const;
  const outcome = await settle(context, taskOf(event, { ...usual, ...task }), facts, stopwatch);
  return { outcome, facts, phases: Object.keys(stopwatch.phases) };
}

interface Answer {
  readonly status?: string;
  readonly reason?: string;
  readonly totals?: { readonly total: number };
}

/** The status and the total of an answer. */
function answerIn(outcome: { readonly kind: string; readonly body?: Uint8Array }) {
  if (outcome.kind !== 'answer' || !outcome.body) return undefined;
  const { status, totals, reason } = JSON.parse(Buffer.from(outcome.body).toString()) as Answer;
  return { status, ...(reason !== undefined && { reason }), ...(totals && { total: totals.total }) };
}
