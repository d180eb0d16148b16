/** The public listener in the test's own process: real sockets, a real Redis, and everything behind the calls as the service has it. */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { EventLoopCalls, Task, TaskResult } from '../../../src/calls/messages.ts';
import { createEventLoopCalls, createRunner } from '../../../src/calls/runner.ts';
import { replayAnswer } from '../../../src/calls/stored/stored-answer.ts';
import { decodeSecret } from '../../../src/contract/secret.ts';
import type { Call, CallEnd } from '../../../src/gateway/call.ts';
import { Gateway, type GatewayOptions } from '../../../src/gateway/server.ts';
import type { CallRecord } from '../../../src/gateway/steps.ts';
import { loadEnvironment } from '../../../src/programme/load.ts';
import { Connection } from '../../../src/redis/connection.ts';
import { createKeys } from '../../../src/store/keys.ts';
import type { Store } from '../../../src/store/store.ts';
import { Caller } from '../../support/caller.ts';
import { cleanUp } from '../../support/cleanup.ts';
import { configurationOf } from '../../support/configuration.ts';
import { RawConnection, requestBytes } from '../../support/raw-connection.ts';
import { RedisServer } from '../../support/redis-server.ts';
import { newSecret, signatureOf } from '../../support/signer.ts';
import { until } from '../../support/wait.ts';
import type { BasketBody } from '../../support/wire.ts';

/** A call that has ended, as its observers are told. */
export interface Ended extends CallEnd {
  readonly record: CallRecord;
  readonly requestId: string;
  readonly isAborted: boolean;
  readonly phases: readonly string[];
}

type Changing<Value> = { -readonly [Name in keyof Value]: Value[Name] };

export interface House {
  redis: RedisServer;
  store: Store;
  gateway: Gateway;
  /** What the gateway has around it; a test may change it, and it is as before for the next test. */
  parts: Changing<GatewayOptions>;
  baseUrl: string;
  secret: string;
  /** It repeats nothing. */
  caller: Caller;
  ended: Ended[];
  faults: string[];
  results: TaskResult[];
  /** What threads were asked to do. */
  tasks: Task[];
}

const environment = loadEnvironment(JSON.stringify(configurationOf()), 'environment.yaml');
/** Nobody waits in these tests, so a busy machine is not too late. */
const DEADLINE_MS = 60_000;

export function useHouse(more: Partial<GatewayOptions> = {}): House {
  const house = { secret: newSecret() } as House;
  beforeAll(async () => {
    house.redis = await RedisServer.launch();
    const connection = new Connection({ kind: 'socket', path: house.redis.socket }, 'test');
    await until('the connection to be ready', () => connection.isAvailable);
    house.store = { connection, keys: createKeys('staging'), periods: environment.calculation };
    house.parts = { ...partsOf(house), ...more };
    house.gateway = new Gateway(house.parts);
    const port = await house.gateway.listen('127.0.0.1', 0, false);
    house.baseUrl = `http://127.0.0.1:${port}`;
    house.caller = new Caller(house.baseUrl, { secret: house.secret, isPatient: false });
  });
  beforeEach(async () => {
    await house.redis.client.flushall();
    Object.assign(house.parts, partsOf(house), more);
    Object.assign(house, { ended: [], faults: [], results: [], tasks: [] });
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

function partsOf(house: House): GatewayOptions {
  const context = { environment, store: house.store, repairDir: '' };
  const calls = createEventLoopCalls(context);
  const run = createRunner(context, (work) => work);
  return {
    ...{ tls: undefined, docsUrl: undefined, findPublicPage: undefined, inlineBytes: 16_384 },
    store: () => house.store,
    eventLoop: () => calls,
    runInThread: (task) => {
      house.tasks.push(task);
      return run(task);
    },
    credentials: () => ({ secrets: [decodeSecret(house.secret)!], bearerTokens: [] }),
    rateLimit: () => environment.rateLimit,
    deadlineMs: () => DEADLINE_MS,
    p95BudgetMs: () => DEADLINE_MS,
    environmentName: () => 'staging',
    obstacle: () => undefined,
    replay: replayAnswer,
    onFault: (_call, fault) => house.faults.push(fault),
    onResult: (result) => house.results.push(result),
    onCallEnd: (record: CallRecord, call: Call, end: CallEnd) => {
      const { requestId, isAborted, stopwatch } = call;
      house.ended.push({ ...end, record: { ...record }, requestId, isAborted, phases: Object.keys(stopwatch.phases) });
    },
  };
}

/** Calls of the event loop, of which some are other ones. */
export function eventLoopWith(house: House, more: Partial<EventLoopCalls>): () => EventLoopCalls {
  const calls = house.parts.eventLoop();
  return () => ({ ...calls, ...more });
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
