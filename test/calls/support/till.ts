/** Calls of a till on a real Redis in the test's own process, without a service around them. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { calculateBasket } from '../../../src/calls/basket-call.ts';
import type { CallContext, CallRequest } from '../../../src/calls/call.ts';
import { type CallFacts, factsOf } from '../../../src/calls/call-facts.ts';
import { priceTask } from '../../../src/calls/pricing.ts';
import { settle } from '../../../src/calls/sale-call.ts';
import { replayAnswer } from '../../../src/calls/stored/stored-answer.ts';
import { loadEnvironment } from '../../../src/programme/load.ts';
import { Connection } from '../../../src/redis/connection.ts';
import { createKeys } from '../../../src/store/keys.ts';
import type { Store } from '../../../src/store/store.ts';
import { Tokens } from '../../../src/store/tokens.ts';
import { monotonicMs, Stopwatch } from '../../../src/telemetry/stopwatch.ts';
import { divertedStore } from '../../store/meddled-store.ts';
import { saleOf } from '../../support/baskets.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { RedisServer } from '../../support/redis-server.ts';
import { until } from '../../support/wait.ts';
import type { BasketBody, SaleBody } from '../../support/wire.ts';

/** Nobody waits in these tests, so a busy machine is not too late. */
const PATIENCE_MS = 60_000;
const LIMIT = { sustained: 1_000, burst: 1_000 };

export interface Till {
  redis: RedisServer;
  context: CallContext;
}

/**
 * A till for all tests of a file, whose Redis is emptied before each; `open` gives another Redis than one server. What is heavy is
 * priced at once, as a thread would.
 */
export function useTill(configuration: object, open = openServer): Till {
  const till = {} as Till;
  beforeAll(async () => {
    const environment = loadEnvironment(JSON.stringify(configuration), 'environment.yaml');
    const { redis, store } = await open(environment.calculation);
    till.redis = redis;
    const threads: CallContext['threads'] = {
      price: async (task) => (task.configuration === environment.version ? priceTask(environment, task) : undefined),
      replay: async (stored, request) => replayAnswer(stored, request),
    };
    const tokens = new Tokens(
      () => store,
      () => LIMIT,
    );
    till.context = { environment, store, tokens, threads, repairDir: '', inlineBytes: 16_384 };
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

async function openServer(periods: Store['periods']): Promise<{ redis: RedisServer; store: Store }> {
  const redis = await RedisServer.launch();
  return { redis, store: await openStore(redis, periods) };
}

/** A store as another process has it. */
async function openStore({ socket }: RedisServer, periods: Store['periods']): Promise<Store> {
  const connection = new Connection({ kind: 'socket', path: socket }, 'test');
  await until('the connection to be ready', () => connection.isAvailable);
  return { connection, keys: createKeys('staging'), periods };
}

/** A store that does something else before each command on some keys, as another process may. */
export function interrupted(store: Store, isMeant: (key: string) => boolean, interrupt: () => Promise<unknown>): Store {
  return divertedStore(store, async (key, send) => {
    if (isMeant(key)) await interrupt();
    return send();
  });
}

/** A context in which something happens once between what a call reads and its commit: while a thread prices. */
export function whilePriced(context: CallContext, happens: () => Promise<unknown>): CallContext {
  let hasHappened = false;
  const price: CallContext['threads']['price'] = async (task, deadlineMs) => {
    if (!hasHappened) {
      hasHappened = true;
      await happens();
    }
    return context.threads.price(task, deadlineMs);
  };
  return { ...context, inlineBytes: 0, threads: { ...context.threads, price } };
}

/** A call as the gateway hands it on. */
export function callOf(
  sent: BasketBody | SaleBody,
  more: Partial<CallRequest> = {},
): CallRequest & { facts: CallFacts[] } {
  const facts: CallFacts[] = [];
  return {
    facts,
    kind: 'status' in sent ? 'sale' : 'basket',
    calculationId: sent.calculationId,
    headRefusal: undefined,
    body: new TextEncoder().encode(JSON.stringify(sent)),
    deadlineMs: monotonicMs() + PATIENCE_MS,
    isOver: () => false,
    note: (found) => facts.push(found),
    stopwatch: new Stopwatch(),
    ...more,
  };
}

/** A basket call. */
export async function ask(context: CallContext, basket: BasketBody, more: Partial<CallRequest> = {}) {
  const call = callOf(basket, more);
  const { facts, ...outcome } = await calculateBasket(context, call);
  return { outcome, ...endOf(call, facts), answer: answerIn(outcome) };
}

/** Tells the sale of a calculation. */
export async function tellSale(
  { context }: Till,
  calculationId: string,
  { status = 'applied', transactionId = 'receipt-1', ...sale }: Partial<SaleBody> = {},
  more: Partial<CallRequest> = {},
) {
  const call = callOf(saleOf(calculationId, status, { transactionId, ...sale }), more);
  const { facts, ...outcome } = await settle(context, call);
  return { outcome, ...endOf(call, facts) };
}

function endOf(
  { facts, stopwatch }: ReturnType<typeof callOf>,
  last: CallFacts,
): { facts: CallFacts; phases: string[] } {
  stopwatch.enter('reply');
  // The call began with its body, which came before these tests.
  return {
    facts: factsOf([...facts, last]),
    phases: Object.keys(stopwatch.phases).filter((phase) => phase !== 'body'),
  };
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
