/** What the fault tests share: a service behind a proxy, and ways to state what a caller sees and what remains. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { UnavailableReason } from '@loyalty/contract/unavailable';
import { afterAll, beforeAll, expect } from 'vitest';
import { createKeys, memberToken } from '../../src/store/keys.ts';
import type { Answer } from '../support/answer.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { type Caller, isReplayOfOther } from '../support/caller.ts';
import { cleanUp, keepForNextFiles } from '../support/cleanup.ts';
import { type Configuration, configurationOf, singleUseMembers } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { RedisServer } from '../support/redis-server.ts';
import { SCRIPTS } from '../support/scripts.ts';
import { Service, type ServiceOptions } from '../support/service.ts';
import { type Contents, readContents, restoreContents } from '../support/shared-service.ts';
import { readToldEvents, type ToldEvent } from '../support/told-events.ts';
import { sleep, until } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';
import { RedisProxy } from './proxy.ts';

/** The service's own deadline in these tests; the caller's patience is 500 ms (interface, section 8). */
export const DEADLINE_MS = 400;
/**
 * What a timer and an answer may be late by on a machine that does other work. It is wide: a call without a deadline waits
 * until its caller gives up after 10 s, and how exactly the deadline is kept is what the benchmark measures.
 */
export const SLACK_MS = 2000;
/** The service is back within 2 s of Redis' return, without a restart; the rest is slack. */
export const RECOVERY_LIMIT_MS = 2000 + SLACK_MS;
/** After this time nothing that was under way when a fault ended is under way any more. */
export const SETTLED_MS = 2500;

export const KEYS = createKeys('staging');

/** The SHA by which a script is called: a marker for the proxy. */
export function shaOf(script: string): string {
  const found = SCRIPTS.get(script);
  if (!found) throw new Error(`there is no script ${script}`);
  return found.sha;
}

/** What a service is started with that is sabotaged from inside (saboteur.mjs). */
export const SABOTEUR = `--import=${join(import.meta.dirname, 'saboteur.mjs')}`;

/** A limited benefit for each of 400 members, `guest-0` and up, so that every test has members of its own. */
export function faultConfiguration(words: Parameters<typeof configurationOf>[0] = {}): Configuration {
  return configurationOf({ deadline: DEADLINE_MS, moreMembers: singleUseMembers('guest', 400), ...words });
}

const USAGE_KEY = 'single-use:*';

export interface FaultyStage {
  redis: RedisServer;
  proxy: RedisProxy;
  service: Service;
  caller: Caller;
  /** Repeats what is refused with 503, for what is asked before a fault and after it. */
  patient: Caller;
}

export interface FaultyStageOptions extends Omit<ServiceOptions, 'redisUrl'> {
  readonly redisOptions?: readonly string[];
}

interface SharedStage extends Omit<FaultyStage, 'caller' | 'patient'> {
  readonly contents: Contents;
}
let shared: Promise<SharedStage> | undefined;

async function startStage(options: FaultyStageOptions): Promise<SharedStage> {
  const redis = await RedisServer.launch(options.redisOptions);
  const proxy = await RedisProxy.start(redis.socket);
  const configuration = options.configuration ?? faultConfiguration();
  const service = await Service.start({ ...options, configuration, redisUrl: proxy.url });
  // The first calls compile code and load scripts; no test is about them.
  const caller = service.newCaller();
  for (let count = 0; count < 20; count += 1) await caller.basket(basketOf());
  return { redis, proxy, service, contents: await readContents(redis) };
}

/**
 * A Redis, a proxy and a service behind it for the file's tests. Files that ask for nothing special share one in a process: each fault has
 * ended with its file, and Redis is put back as it was.
 */
export function useFaultyService(options?: FaultyStageOptions): FaultyStage {
  const stage = {} as FaultyStage;
  beforeAll(async () => {
    if (!options) shared ??= startStage({});
    const { redis, proxy, service, contents } = await (options ? startStage(options) : shared!);
    const callers = { caller: service.newCaller({ isPatient: false }), patient: service.newCaller() };
    Object.assign(stage, { redis, proxy, service, ...callers });
    if (options) return;
    await restoreContents(redis, contents);
    await untilServed(stage.caller);
    await service.untilReady();
    service.forgetOutput();
  });
  afterAll(async () => {
    const { redis, proxy, service } = stage;
    proxy?.heal();
    if (!options && redis?.isRunning && service?.isAlive) {
      service.closeCallers();
      keepForNextFiles(redis.pid, redis.directory);
      keepForNextFiles(service.pid, service.dataDirectory);
      return;
    }
    if (!options) shared = undefined;
    try {
      if (service?.isAlive) await service.stop();
      await proxy?.close();
      await redis?.stop();
    } finally {
      cleanUp();
    }
  });
  return stage;
}

/** The guests that a file has taken; the next file, in the same process, finds Redis as it was and begins anew. */
const taken = { file: '', guests: 0 };

/** A basket of a member nobody else in this file uses, who may have the limited benefit once. */
export function guestBasket(more: Partial<BasketBody> = {}): BasketBody {
  const { testPath: file = '' } = expect.getState();
  if (taken.file !== file) Object.assign(taken, { file, guests: 0 });
  taken.guests += 1;
  return basketOf([{}], { loyaltyId: `guest-${taken.guests}`, ...more });
}

/** A basket whose product carries the word that the saboteur listens for. */
export function sabotaged(word: string): BasketBody {
  return { ...guestBasket(), lines: basketOf([{ name: `sabotage-${word}` }]).lines };
}

/** The memory of a process. */
export function residentMegabytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** Tokens that a process has leased and not used are gone after this time: its next call asks for one. */
export const LAPSED_MS = 1_100;

export { basketOf, saleOf };

/** The answer with the time its caller waited for it, in milliseconds. */
export async function timed(call: Promise<Answer>): Promise<{ answer: Answer; waitedMs: number }> {
  const startMs = performance.now();
  const answer = await call;
  return { answer, waitedMs: performance.now() - startMs };
}

/** 503 as the caller must see it: the code, an integer Retry-After of at least 1, and inside the deadline. */
export function expectUnavailable(answer: Answer, limitMs = DEADLINE_MS + SLACK_MS): void {
  expect({ status: answer.status, code: answer.code }).toEqual({ status: 503, code: 'unavailable' });
  expect(answer.header('Retry-After')).toMatch(/^[1-9]\d*$/);
  expect(answer.durationMs).toBeLessThanOrEqual(limitMs);
}

/** An applied basket, which is a replay or not; one whose call was refused before may be a replay in any case. */
export function expectApplied(answer: Answer, isReplayed = false): void {
  const wasReplayed = isReplayed ? answer.isReplayed : isReplayOfOther(answer);
  expect({ status: answer.status, body: answer.json().status, isReplayed: wasReplayed }).toEqual({
    status: 200,
    body: 'applied',
    isReplayed,
  });
}

/**
 * Sends a call into an ambush that holds it; another one where it was over before: on a busy machine it may be refused before it meets
 * the ambush, or when it has just met it. `prepare` returns what sends the call. The call is in an object, so that nobody waits for
 * its answer here.
 */
export async function callInto<Ambush extends { readonly sprung: Promise<void>; release(): void }>(
  lay: () => Ambush,
  prepare: () => Promise<() => Promise<Answer>>,
): Promise<{ readonly armed: Ambush; readonly call: Promise<Answer | 'no answer'> }> {
  return until('the ambush to be met by a call that is not over', async () => {
    const send = await prepare();
    const armed = lay();
    let isOver = false;
    const call = send()
      .catch(() => 'no answer' as const)
      .finally(() => {
        isOver = true;
      });
    await Promise.race([armed.sprung, call]);
    // An answer that has arrived meanwhile is read in the next turns.
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    if (!isOver) return { armed, call };
    armed.release();
    return false;
  });
}

/** Asks until the service answers 200 again. Baskets of a member without limits. */
export async function untilServed(caller: Caller, limitMs = RECOVERY_LIMIT_MS): Promise<void> {
  await until('a basket to be answered again', async () => (await caller.basket(basketOf())).status === 200, limitMs);
}

/**
 * Everything in Redis, as DUMP gives it, but what proves nothing by itself: the rate limit's bucket, which every call
 * changes, and the list of calculations to look at when their hold ends, most of which will have been settled by then.
 */
export async function dumpOf(redis: RedisServer, except: readonly string[] = []): Promise<Map<string, string>> {
  const { client } = redis;
  const dump = new Map<string, string>();
  for (const key of (await client.keys('*')).sort()) {
    if (key === KEYS.rate() || key.includes(':due:') || except.some((part) => key.includes(part))) continue;
    const value = await client.dumpBuffer(key);
    if (value) dump.set(key, value.toString('hex'));
  }
  return dump;
}

export interface Units {
  readonly consumed: number;
  readonly over: number;
  readonly held: number;
}

/** Units of the limited benefit consumed, over-redeemed and in live holds for a member of the coffee club. */
export async function unitsOf(redis: RedisServer, loyaltyId: string, usageKey = USAGE_KEY): Promise<Units> {
  const token = memberToken('coffee-club', loyaltyId);
  const use = await redis.client.hgetall(KEYS.use(token));
  const holds = Object.values(await redis.client.hgetall(KEYS.hold(token)));
  const [seconds, micros] = (await redis.client.time()).map(Number) as [number, number];
  const nowMs = seconds * 1000 + micros / 1000;
  let held = 0;
  for (const [deadline, ...uses] of holds.map((hold) => hold.split(' '))) {
    if (Number(deadline) <= nowMs) continue;
    for (const used of uses) if (used.startsWith(`${usageKey}=`)) held += Number.parseInt(used.split('=')[1] ?? '', 10);
  }
  return { consumed: Number(use[usageKey] ?? 0), over: Number(use[`${usageKey}!over`] ?? 0), held };
}

/** Every event of the stream; of one calculation where it is named. */
export function eventsOf(redis: RedisServer, calculationId?: string): Promise<ToldEvent[]> {
  return readToldEvents(redis.client, calculationId);
}

/** More scenes than a machine spoils by standing still. */
const MOST_SCENES = 6;

/**
 * Plays a scene in which no call may be refused for these reasons. A machine that stands still may spoil it, by letting Redis fall
 * silent for instance; then nothing was shown, and all begins anew. A service at fault spoils every scene.
 */
export async function expectNoneRefused(
  service: Service,
  reasons: readonly UnavailableReason[],
  scene: () => Promise<void>,
): Promise<void> {
  const refused = async () => {
    const samples = await scrape(service);
    return reasons.map((reason) => [reason, readingOf(samples, 'loyalty_unavailable_total', { reason }) ?? 0]);
  };
  for (let scenes = 1; ; scenes += 1) {
    const before = await refused();
    await scene();
    const after = await refused();
    if (scenes === MOST_SCENES || isDeepStrictEqual(before, after)) return expect(after).toEqual(before);
  }
}

/** Sends one basket after another, each caller with a pause between them, until `stop`, and hands every answer out. */
export function keepCalling(
  call: () => Promise<Answer>,
  parallel = 4,
  pauseMs = 0,
): { readonly answers: Answer[]; readonly faults: Error[]; stop: () => Promise<void> } {
  const answers: Answer[] = [];
  const faults: Error[] = [];
  let isOver = false;
  const loops = Array.from({ length: parallel }, async () => {
    while (!isOver) {
      try {
        answers.push(await call());
      } catch (fault) {
        faults.push(fault as Error);
      }
      if (pauseMs > 0) await sleep(pauseMs);
    }
  });
  return {
    answers,
    faults,
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
    },
  };
}
