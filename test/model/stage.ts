/** What histories are played on: one Redis that keeps every acknowledged write, and two service processes beside it. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Connection } from '../../src/redis/connection.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { type MemberToken, memberToken } from '../../src/store/keys.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import { RedisProxy } from '../faults/proxy.ts';
import { KEYS } from '../faults/support.ts';
import { type AdminReply, ask } from '../ops/admin-client.ts';
import type { ReturnBody } from '../ops/return-stage.ts';
import { basketOf } from '../support/baskets.ts';
import type { Caller } from '../support/caller.ts';
import { type Configuration, configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { until } from '../support/wait.ts';
import { BENEFITS, CROWDED, grantsOf, type MemberRule } from './world.ts';

export interface StageOptions {
  /** How long a hold lives. */
  readonly holdMs: number;
  /** The service's own deadline for a call. */
  readonly deadlineMs: number;
  /** How far the clock of the second process is off: nothing that is stored may depend on it. */
  readonly skewDays: number;
  /** A proxy between each process and Redis. */
  readonly hasProxies: boolean;
}

/** Calm histories share their stage, and the machine may be busy; stormy ones have faults to wait for. */
export const CALM: StageOptions = { holdMs: 300, deadlineMs: 450, skewDays: 8, hasProxies: false };
export const STORMY: StageOptions = { holdMs: 700, deadlineMs: 300, skewDays: -8, hasProxies: true };

const PROGRAMME = 'coffee-club';
const OPS_TOKEN = 'an-operator-of-the-model';
const SECONDS_PER_DAY = 86_400;
const SABOTEUR = join(import.meta.dirname, '..', 'faults', 'saboteur.mjs');

/** The events of the members that are written are kept, and with them those of all. */
const PERIODS = { holdMs: 0, idempotencyMs: 0, retentionMs: 86_400_000 };

/** Open calculations of each member of a crowded history, which nobody ever settles. */
const CROWD = 1_000;
/** Beyond all jumps of a history. */
const CROWD_LIFE_MS = 24 * 3_600_000;
const SERVING_LIMIT_MS = 15_000;
const EYE_RETRY_MS = 20;
/** Of each process, where a history failed. */
const WARNINGS = 40;

export class Stage {
  static #lastOpened: Promise<unknown> = Promise.resolve();
  readonly options: StageOptions;
  readonly redis: RedisServer;
  readonly proxies: readonly RedisProxy[];
  readonly callers: Caller[] = [];
  /** For looking into Redis: it waits while Redis is away, which may be another history's doing. */
  readonly eye: Redis;
  readonly #secret = newSecret();
  readonly #services: Service[] = [];
  readonly #writer: Connection;

  private constructor(options: StageOptions, redis: RedisServer, proxies: readonly RedisProxy[]) {
    this.options = options;
    this.redis = redis;
    this.proxies = proxies;
    this.eye = new Redis({ path: redis.socket, maxRetriesPerRequest: null, retryStrategy: () => EYE_RETRY_MS });
    this.eye.on('error', () => {
      // It comes back by itself.
    });
    this.#writer = new Connection({ kind: 'socket', path: redis.socket }, 'model');
  }

  /** One process after another, over all stages: many that load their code at once keep each other from it. */
  static open(options: StageOptions): Promise<Stage> {
    const opened = Stage.#lastOpened.then(() => Stage.#open(options));
    Stage.#lastOpened = opened.catch(() => undefined);
    return opened;
  }

  static async #open(options: StageOptions): Promise<Stage> {
    const redis = await RedisServer.launch(['--appendfsync', 'always']);
    const proxies = options.hasProxies
      ? [await RedisProxy.start(redis.socket, 1), await RedisProxy.start(redis.socket, 2)]
      : [];
    const stage = new Stage(options, redis, proxies);
    for (const process of [0, 1]) await stage.#startProcess(process);
    await stage.untilServing();
    // The first calls compile code and load scripts; no history is about them.
    for (let count = 0; count < 20; count += 1) for (const caller of stage.callers) await caller.basket(basketOf());
    return stage;
  }

  async close(): Promise<void> {
    this.#writer.close();
    this.eye.disconnect();
    for (const service of this.#services) if (service.isAlive) await service.stop();
    for (const proxy of this.proxies) await proxy.close();
    await this.redis.stop();
  }

  /** Writes the members of a history under names that nobody has used before. */
  async enrol(names: readonly string[], rules: readonly MemberRule[]): Promise<MemberToken[]> {
    const members = names.map((loyaltyId, index) => {
      const { status } = rules[index]!;
      return { loyaltyId, status, grants: grantsOf(rules[index]!), programmeId: PROGRAMME };
    });
    const store = { connection: this.#writer, keys: KEYS, periods: PERIODS };
    const known = members.flatMap(({ status, ...rest }) => (status === 'unknown' ? [] : [{ ...rest, status }]));
    // The history before may have taken Redis away a moment ago. Written twice they are the same members.
    await until('Redis to take the members', async () => {
      try {
        await writeMembers(store, known);
        return true;
      } catch (fault) {
        if (fault instanceof StoreUnavailable) return false;
        throw fault;
      }
    });
    return names.map((name) => memberToken(PROGRAMME, name));
  }

  /** Gives members a thousand open calculations each. They are written as the version before wrote holds: without sums. */
  async crowd(tokens: readonly MemberToken[]): Promise<void> {
    const deadlineMs = Date.now() + CROWD_LIFE_MS;
    const holds = Array.from({ length: CROWD }, () => [randomUUID(), `${deadlineMs} ${CROWDED}=1/1000000`]).flat();
    await until('Redis to take the crowd', async () => {
      const chain = this.eye.multi();
      for (const token of tokens) chain.hset(KEYS.hold(token), ...holds).pexpire(KEYS.hold(token), CROWD_LIFE_MS);
      return (await chain.exec().catch(() => undefined)) !== undefined;
    });
  }

  /** Books a return at one of the processes. */
  bringBack(process: number, body: object): Promise<AdminReply<ReturnBody>> {
    const { opsUrl } = this.#services[process]!;
    return ask<ReturnBody>(opsUrl, 'POST /admin/returns', { body, token: OPS_TOKEN });
  }

  /** kill -9 of a service, and a new one in its place. */
  async killProcess(process: number): Promise<void> {
    await this.#services[process]!.kill('SIGKILL');
    this.callers[process]!.close();
    await this.#startProcess(process);
  }

  /** kill -9 of Redis, and a start on what it left behind. */
  async killRedis(): Promise<void> {
    await this.redis.kill();
    await this.redis.start();
  }

  /** How long Redis takes to write something and sync it to the disk. */
  async syncMs(): Promise<number> {
    const startMs = performance.now();
    await this.eye.set('model:synced', startMs);
    return performance.now() - startMs;
  }

  /** What the processes complained of last, one line each. */
  lastWarnings(): string[] {
    return this.#services.flatMap(({ log, isAlive }, process) => {
      const warnings = log.filter(({ level }) => level !== 'info');
      const state = `process ${process} ${isAlive ? 'is alive' : 'has ended'}`;
      return [state, ...warnings.slice(-WARNINGS).map((line) => JSON.stringify(line))];
    });
  }

  /** Waits until both processes answer baskets again, by themselves. */
  async untilServing(): Promise<void> {
    for (const process of [0, 1]) {
      const serves = async () => {
        const answer = await this.callers[process]!.basket(basketOf()).catch(() => undefined);
        return answer?.status === 200;
      };
      await until(`process ${process} to serve again`, serves, SERVING_LIMIT_MS);
    }
  }

  async #startProcess(process: number): Promise<void> {
    const skewSeconds = process === 0 ? 0 : this.options.skewDays * SECONDS_PER_DAY;
    const service = await Service.start({
      configuration: configurationFor(this.options),
      redisUrl: this.proxies[process]?.url ?? this.redis.url,
      secrets: [this.#secret],
      // One process prices where it received the basket, the other in its thread.
      env: {
        ...{ PROCESSES: '1', WORKERS: '1', INLINE_BYTES: process === 0 ? '262144' : '0' },
        NODE_OPTIONS: `--import=${SABOTEUR}`,
        OPS_TOKEN,
        SABOTAGE_SKEW_MS: String(skewSeconds * 1000),
      },
      awaitReady: true,
    });
    this.#services[process] = service;
    this.callers[process] = service.newCaller({ isPatient: false, skewSeconds });
  }
}

function configurationFor({ holdMs, deadlineMs }: StageOptions): Configuration {
  const limited = BENEFITS.map(({ benefitId, percent, groups, limit }) => ({
    benefitId,
    kind: 'line_percent' as const,
    percent,
    audience: 'granted' as const,
    appliesTo: { productGroupIds: groups },
    ...(limit && { limit }),
  }));
  return configurationOf({
    holdMinutes: holdMs / 60_000,
    deadline: deadlineMs,
    programme: { benefits: [TWENTY, ...limited] },
    members: [memberOf('member-twenty', ['twenty'])],
    latencyBudget: { p95: 100, p99: 200, deadline: deadlineMs },
  });
}
