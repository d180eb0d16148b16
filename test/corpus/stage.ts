/** A service with a Redis of its own, on which the conversations of one stage are played one after the other. */
import { createHmac } from 'node:crypto';
import { OPS_TOKEN } from '../ops/admin-client.ts';
import { basketOf } from '../support/baskets.ts';
import type { Caller } from '../support/caller.ts';
import type { Configuration } from '../support/configuration.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { OSLO } from './configuration.ts';

/** Several, so that with several processes a conversation is not held with one of them alone. */
const CALLERS = 4;
const WARM_UP_CALLS = 20;
const PSEUDONYM_KEY = 'c0'.repeat(32);

export class Stage {
  static #lastOpened: Promise<unknown> = Promise.resolve();
  readonly redis: RedisServer;
  readonly service: Service;
  readonly configuration: Configuration;
  readonly #callers: readonly Caller[];
  #calls = 0;

  private constructor(redis: RedisServer, service: Service, configuration: Configuration) {
    this.redis = redis;
    this.service = service;
    this.configuration = configuration;
    this.#callers = Array.from({ length: CALLERS }, () => service.newCaller({ isPatient: false }));
  }

  /** One after another: many processes that load their code at once keep each other from it. */
  static open(configuration: Configuration): Promise<Stage> {
    const opened = Stage.#lastOpened.then(() => Stage.#open(configuration));
    Stage.#lastOpened = opened.catch(() => undefined);
    return opened;
  }

  static async #open(configuration: Configuration): Promise<Stage> {
    const redis = await RedisServer.launch();
    // Pseudonyms are of the members alone, then, and not of this start.
    await redis.client.set('loyalty:staging:pseudonym-key', PSEUDONYM_KEY);
    const secrets = [newSecret(), newSecret()];
    const env = { OPS_TOKEN, PROCESSES: process.env['PROCESSES'] ?? '1' };
    const service = await Service.start({ configuration, redisUrl: redis.url, secrets, env });
    const stage = new Stage(redis, service, configuration);
    // The first calls compile code and load scripts; no conversation is about them.
    for (let call = 0; call < WARM_UP_CALLS; call += 1)
      await stage.nextCaller().basket(basketOf([{}], { loyaltyId: 'warm-up', context: OSLO }));
    return stage;
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.redis.stop();
  }

  nextCaller(): Caller {
    return this.#callers[this.#calls++ % CALLERS]!;
  }

  pseudonymOf(token: string): string {
    return createHmac('sha256', PSEUDONYM_KEY).update(token).digest('base64url').slice(0, 22);
  }
}
