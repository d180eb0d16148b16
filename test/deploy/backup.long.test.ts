/** Backup, loss of everything, restore: with the commands of the runbook, what was answered replays and limits still hold. */
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import type { BasketBody } from '../support/wire.ts';
import { runBlock } from './runbook.ts';

const configuration = configurationOf({ moreMembers: singleUseMembers('guest', 300) });
const secrets = [newSecret()];

/** Calculations of before the backup: one that holds its benefit, one that is sold, and what they were answered. */
interface Books {
  readonly held: BasketBody;
  readonly sold: BasketBody;
  readonly answers: ReadonlyMap<BasketBody, string>;
}

async function writeBooks(service: Service): Promise<Books> {
  const caller = service.newCaller();
  const [held, sold] = [basketOf([{}], { loyaltyId: 'guest-1' }), basketOf([{}], { loyaltyId: 'guest-2' })];
  const answers = new Map<BasketBody, string>();
  for (const basket of [held, sold]) {
    const answer = await caller.basket(basket);
    expect(answer.json().status).toBe('applied');
    answers.set(basket, answer.text);
  }
  expect((await caller.sale(saleOf(sold.calculationId))).json().result).toBe('recorded');
  return { held, sold, answers };
}

async function expectBooks(service: Service, { held, sold, answers }: Books): Promise<void> {
  const caller = service.newCaller();
  for (const [basket, text] of answers) {
    const again = await caller.basket(basket);
    expect([again.isReplayed, again.text]).toEqual([true, text]);
  }
  for (const { loyaltyId } of [held, sold]) {
    expect((await caller.basket(basketOf([{}], { loyaltyId }))).json().status).toBe('unchanged');
  }
  expect((await caller.sale(saleOf(sold.calculationId))).json().result).toBe('duplicate');
  expect((await caller.sale(saleOf(held.calculationId))).json().result).toBe('recorded');
  expect((await caller.basket(basketOf([{}], { loyaltyId: 'guest-200' }))).json().status).toBe('applied');
}

afterEach(cleanUp);

describe('the append-only file', () => {
  test("of the service's own Redis", async () => {
    const [before, after] = [temporaryDirectory(), temporaryDirectory()];
    const BACKUP = join(temporaryDirectory(), 'backup');
    const first = await Service.start({ configuration, secrets, dataDirectory: before });
    const books = await writeBooks(first);
    const REDIS = `redis-cli -s ${join(before, 'redis', 'redis.sock')}`;
    await runBlock('Back up the append-only file', { REDIS, REDIS_DIR: join(before, 'redis'), BACKUP });
    await first.stop();
    rmSync(before, { recursive: true });
    await runBlock('Restore the append-only file', { REDIS_DIR: join(after, 'redis'), BACKUP });
    const second = await Service.start({ configuration, secrets, dataDirectory: after });
    await expectBooks(second, books);
    await second.stop();
  });

  test('of another Redis, while calls go on', async () => {
    const [lost, restored] = [await RedisServer.launch(), RedisServer.prepare()];
    const BACKUP = join(temporaryDirectory(), 'backup');
    const first = await Service.start({ configuration, secrets, redisUrl: lost.url });
    const books = await writeBooks(first);
    let isOver = false;
    const caller = first.newCaller();
    const calls = (async () => {
      for (let guest = 10; !isOver; guest = 10 + ((guest + 1) % 150)) {
        await caller.basket(basketOf([{}], { loyaltyId: `guest-${guest}` }));
      }
    })();
    // A rewrite is under way when the backup begins: it has to wait for its end.
    await lost.client.bgrewriteaof();
    await runBlock('Back up the append-only file', {
      REDIS: `redis-cli -s ${lost.socket}`,
      REDIS_DIR: lost.directory,
      BACKUP,
    });
    isOver = true;
    await calls;
    expect(await lost.client.config('GET', 'auto-aof-rewrite-percentage')).toContain('100');
    await first.stop();
    await lost.kill();
    rmSync(lost.directory, { recursive: true });
    await runBlock('Restore the append-only file', { REDIS_DIR: restored.directory, BACKUP });
    await restored.start();
    const second = await Service.start({ configuration, secrets, redisUrl: restored.url });
    await expectBooks(second, books);
    await second.stop();
    await restored.stop();
  });
});

describe('a snapshot', () => {
  test('taken over the wire becomes an append-only file, and a server on it alone would begin empty', async () => {
    const [lost, restored, careless] = [await RedisServer.launch(), RedisServer.prepare(), RedisServer.prepare()];
    const BACKUP = join(temporaryDirectory(), 'backup');
    const first = await Service.start({ configuration, secrets, redisUrl: lost.url });
    const books = await writeBooks(first);
    await runBlock('Back up a snapshot', { REDIS: `redis-cli -s ${lost.socket}`, BACKUP });
    await first.stop();
    await lost.kill();

    copyFileSync(join(BACKUP, 'dump.rdb'), join(careless.directory, 'dump.rdb'));
    await careless.start();
    expect(await careless.client.dbsize()).toBe(0);
    await careless.stop();

    await runBlock('Restore a snapshot', { REDIS_DIR: restored.directory, BACKUP });
    await restored.start();
    const second = await Service.start({ configuration, secrets, redisUrl: restored.url });
    await expectBooks(second, books);
    await second.stop();
    await restored.stop();
  });
});
