/** More calls than can be served, a backlog of sale events, and secrets that are swapped while calls go on. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/answer.ts';
import { cleanUp } from '../support/cleanup.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { sleep } from '../support/wait.ts';
import { basketOf, DEADLINE_MS, durationOf, faultConfiguration, keepCalling, SLACK_MS, saleOf } from './support.ts';

let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.launch();
});
afterAll(async () => {
  await redis?.stop();
  cleanUp();
});

function countOf(answers: readonly Answer[], status: number): number {
  return answers.filter((answer) => answer.status === status).length;
}

describe('two hundred impatient callers', () => {
  test('every call is answered or refused inside the deadline, and the service is well a second later', async () => {
    const service = await Service.start({ configuration: faultConfiguration(), redisUrl: redis.url });
    try {
      const caller = service.newCaller();
      await caller.basket(basketOf());
      const lines = Array.from({ length: 60 }, () => ({}));
      const load = keepCalling(() => caller.basket(basketOf(lines)), 200);
      await sleep(4000);
      await load.stop();
      expect(load.faults).toEqual([]);
      expect(countOf(load.answers, 200)).toBeGreaterThan(500);
      const others = load.answers.filter((answer) => answer.status !== 200);
      expect(others.filter((answer) => answer.status !== 503)).toEqual([]);
      const late = load.answers.map(durationOf).filter((duration) => duration > DEADLINE_MS + SLACK_MS);
      expect(late).toEqual([]);
      await sleep(1000);
      const calm = await caller.basket(basketOf());
      expect(calm.status).toBe(200);
      expect(durationOf(calm)).toBeLessThan(100);
    } finally {
      await service.stop();
    }
  });
});

describe('a backlog of sale events', () => {
  test('leaves baskets their share of the rate limit', async () => {
    // A rate of its own environment, so that the other tests of this file keep theirs.
    const configuration = faultConfiguration({ rateLimit: { sustained: 50, burst: 100 } });
    const service = await Service.start({ configuration, redisUrl: redis.url });
    try {
      await redis.client.flushall();
      const caller = service.newCaller();
      const backlog = keepCalling(async () => {
        const answer = await caller.sale(saleOf(basketOf().calculationId));
        await sleep(5);
        return answer;
      }, 8);
      await sleep(500);
      const baskets: Answer[] = [];
      for (let count = 0; count < 60; count += 1) {
        baskets.push(await caller.basket(basketOf()));
        await sleep(40);
      }
      await backlog.stop();
      expect(countOf(baskets, 200)).toBe(60);
      expect(countOf(backlog.answers, 429)).toBeGreaterThan(100);
      for (const answer of backlog.answers) {
        if (answer.status === 429) expect(answer.header('Retry-After')).toMatch(/^[1-9]\d*$/);
        else expect(answer.status).toBe(200);
      }
    } finally {
      await service.stop();
    }
  });
});

describe('a secret that is swapped', () => {
  test('costs no call while old and new overlap, over a restart of both processes one by one', async () => {
    const [older, newer] = [newSecret(), newSecret()];
    const start = (secrets: string[]) =>
      Service.start({ configuration: faultConfiguration(), redisUrl: redis.url, secrets });
    const before = await start([older]);
    const overlap = await start([newer, older]);
    try {
      const statuses: number[] = [];
      for (let count = 0; count < 50; count += 1) {
        statuses.push((await before.newCaller().basket(basketOf())).status);
        for (const secret of [older, newer]) {
          statuses.push((await overlap.newCaller({ secret }).basket(basketOf())).status);
        }
      }
      expect(statuses).toEqual(Array(150).fill(200));
      // A retry of a call that was signed with the old secret replays under the new one.
      const basket = basketOf();
      const first = await overlap.newCaller({ secret: older }).basket(basket);
      const retried = await overlap.newCaller({ secret: newer }).basket(basket);
      expect({ text: retried.text, isReplayed: retried.isReplayed }).toEqual({ text: first.text, isReplayed: true });
      expect((await before.newCaller({ secret: newer }).basket(basketOf())).code).toBe('invalid_signature');
    } finally {
      await before.stop();
      await overlap.stop();
    }
  });

  test('SIGHUP under load drops no call and ends nothing', async () => {
    const service = await Service.start({ configuration: faultConfiguration(), redisUrl: redis.url });
    try {
      const caller = service.newCaller();
      const load = keepCalling(() => caller.basket(basketOf()), 4);
      for (let count = 0; count < 5; count += 1) {
        await sleep(200);
        await service.kill('SIGHUP');
      }
      await load.stop();
      expect(load.faults.slice(0, 1)).toEqual([]);
      expect(load.answers.length).toBe(countOf(load.answers, 200));
      expect(service.isAlive).toBe(true);
    } finally {
      if (service.isAlive) await service.stop();
    }
  });
});
