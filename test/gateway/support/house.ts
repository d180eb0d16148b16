/** The public listener in the test's own process: real sockets, a real Redis, and everything behind the calls as the service has it. */

import { decodeSecret } from '@loyalty/contract/secret';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { calculateBasket } from '../../../src/calls/basket-call.ts';
import type { CallContext, Outcome } from '../../../src/calls/call.ts';
import type { CallFacts } from '../../../src/calls/call-facts.ts';
import { type PricingTask, priceTask } from '../../../src/calls/pricing.ts';
import { settle } from '../../../src/calls/sale-call.ts';
import { replayAnswer } from '../../../src/calls/stored/stored-answer.ts';
import type { CallRecord } from '../../../src/gateway/call-record.ts';
import type { CallEnd } from '../../../src/gateway/exchange.ts';
import { PublicServer, type PublicServerOptions } from '../../../src/gateway/server.ts';
import { loadEnvironment } from '../../../src/programme/load.ts';
import { Connection } from '../../../src/redis/connection.ts';
import { createKeys } from '../../../src/store/keys.ts';
import type { Store } from '../../../src/store/store.ts';
import { type RateLimit, Tokens } from '../../../src/store/tokens.ts';
import { Caller } from '../../support/caller.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { configurationOf } from '../../support/configuration.ts';
import { RawConnection, requestBytes } from '../../support/raw-connection.ts';
import { RedisServer } from '../../support/redis-server.ts';
import { newSecret, signatureOf } from '../../support/signer.ts';
import { until } from '../../support/wait.ts';
import type { BasketBody } from '../../support/wire.ts';

/** A call that has ended, as its observers are told. */
export interface Ended extends Omit<CallEnd, 'phases'> {
  readonly record: Omit<CallRecord, 'end'>;
  readonly phases: readonly string[];
}

type Changing<Value> = { -readonly [Name in keyof Value]: Value[Name] };

export interface House {
  redis: RedisServer;
  store: Store;
  gateway: PublicServer;
  /** What the gateway has around it; a test may change it, and it is as before for the next test. */
  parts: Changing<PublicServerOptions>;
  baseUrl: string;
  secret: string;
  /** It repeats nothing. */
  caller: Caller;
  ended: Ended[];
  faults: string[];
  outcomes: Outcome[];
  /** The facts of these outcomes. */
  facts: CallFacts[];
  /** What threads were asked to price. */
  tasks: PricingTask[];
  /** What the calls have of the service; a test may change it. */
  context: Changing<CallContext>;
  rateLimit: RateLimit;
}

const environment = loadEnvironment(JSON.stringify(configurationOf()), 'environment.yaml');
/** Nobody waits in these tests, so a busy machine is not too late. */
const DEADLINE_MS = 60_000;

export function useHouse(more: Partial<PublicServerOptions> = {}): House {
  const house = { secret: newSecret() } as House;
  beforeAll(async () => {
    house.redis = await RedisServer.launch();
    const connection = new Connection({ kind: 'socket', path: house.redis.socket }, 'test');
    await until('the connection to be ready', () => connection.isAvailable);
    house.store = { connection, keys: createKeys('staging'), periods: environment.calculation };
    house.parts = { ...partsOf(house), ...more };
    house.gateway = new PublicServer(house.parts);
    const port = await house.gateway.listen('127.0.0.1', 0);
    house.baseUrl = `http://127.0.0.1:${port}`;
    house.caller = new Caller(house.baseUrl, { secret: house.secret, isPatient: false });
  });
  beforeEach(async () => {
    await house.redis.client.flushall();
    Object.assign(house, { rateLimit: environment.rateLimit, context: contextOf(house) });
    Object.assign(house.parts, partsOf(house), more);
    Object.assign(house, { ended: [], faults: [], outcomes: [], facts: [], tasks: [] });
  });
  afterAll(async () => {
    house.caller?.close();
    await house.gateway?.drain(0);
    house.store?.connection.close();
    await house.redis?.stop();
    cleanUp();
  });
  return house;
}

function contextOf(house: House): CallContext {
  const { store } = house;
  const tokens = new Tokens(
    () => store,
    () => house.rateLimit,
  );
  const threads: CallContext['threads'] = {
    price: async (task) => {
      house.tasks.push(task);
      return priceTask(environment, task);
    },
    replay: async (stored, request) => replayAnswer(stored, request),
  };
  return { environment, store, tokens, threads, repairDir: '', inlineBytes: 16_384 };
}

function partsOf(house: House): PublicServerOptions {
  return {
    ...{ tls: undefined, docsUrl: undefined, publicPages: undefined },
    calls: { basket: calculateBasket, sale: settle },
    context: () => house.context,
    credentials: () => ({ secrets: [decodeSecret(house.secret)!], bearerTokens: [] }),
    deadlineMs: () => DEADLINE_MS,
    p95BudgetMs: () => DEADLINE_MS,
    environmentName: () => 'staging',
    obstacle: () => undefined,
    onFault: (_call, fault) => house.faults.push(fault),
    onOutcome: (outcome, facts) => {
      house.outcomes.push(outcome);
      house.facts.push(facts);
    },
    onCallEnd: ({ end, ...record }) => {
      house.ended.push({ ...end, record, phases: Object.keys(end.phases) });
    },
  };
}

/** Lets basket calls do something else. */
export function basketsDo(house: House, basket: PublicServerOptions['calls']['basket']): void {
  house.parts.calls = { ...house.parts.calls, basket };
}

/** Lets basket calls end with this outcome. */
export function basketsEndWith(house: House, outcome: Outcome): void {
  basketsDo(house, async () => outcome);
}

/** The bytes of a signed call. */
export function signed(house: House, path: string, body: BasketBody, headers: readonly string[] = []): Buffer {
  const bytes = Buffer.from(JSON.stringify(body));
  return requestBytes(
    `POST ${path} HTTP/1.1`,
    [
      ...['Host: x', 'Content-Type: application/json', `Content-Length: ${bytes.length}`],
      ...[`Idempotency-Key: ${body.calculationId}`, `POS-Signature: ${signatureOf(house.secret, bytes)}`, ...headers],
    ],
    bytes,
  );
}

/** Sends bytes on a connection of their own. */
export async function connectTo(
  { baseUrl }: House,
  ...parts: readonly (string | Uint8Array)[]
): Promise<RawConnection> {
  const connection = await RawConnection.open(baseUrl);
  for (const part of parts) connection.write(part);
  return connection;
}
