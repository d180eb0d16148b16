/**
 * Redis' own disk is full. The limit on the size of a file (EFBIG) stands in for it (ENOSPC): Redis treats both alike, and
 * it can be set and lifted without a disk.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../support/answer.ts';
import { type Caller, patiently } from '../support/caller.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import type { BasketBody } from '../support/wire.ts';
import {
  dumpOf,
  expectApplied,
  expectUnavailable,
  faultConfiguration,
  guestBasket,
  saleOf,
  unitsOf,
  untilServed,
} from './support.ts';

/** In blocks of 512 bytes, as a POSIX shell counts: room for some dozens of calculations. */
const FILE_BLOCKS = 800;
const MAX_CALLS = 390;

const realPath = process.env.PATH ?? '';
let redis: RedisServer;
let service: Service;
let caller: Caller;

/** Puts a redis-server in front of the real one whose files cannot grow past the limit. */
function limitFiles(): void {
  const directory = temporaryDirectory();
  const real = execFileSync('sh', ['-c', 'command -v redis-server'], { env: { PATH: realPath } });
  // A signal that is ignored stays ignored over exec; otherwise reaching the limit would end the process.
  const script = `#!/bin/sh\ntrap '' XFSZ\nulimit -S -f ${FILE_BLOCKS}\nexec ${real.toString().trim()} "$@"\n`;
  writeFileSync(join(directory, 'redis-server'), script);
  chmodSync(join(directory, 'redis-server'), 0o700);
  process.env.PATH = `${directory}${delimiter}${realPath}`;
}

beforeEach(limitFiles);
afterEach(async () => {
  process.env.PATH = realPath;
  await service?.stop();
  await redis?.stop();
});
afterAll(cleanUp);

async function startOn(policy: string): Promise<void> {
  redis = await RedisServer.launch(['--appendfsync', policy]);
  service = await Service.start({ configuration: faultConfiguration(), redisUrl: redis.url });
  caller = service.newCaller({ isPatient: false });
}

/**
 * Calls until Redis can write no more; returns the baskets that were answered until then, and the last refusal. A machine that
 * stands still has a call refused with room left.
 */
async function fillDisk(): Promise<{ answered: BasketBody[]; refusal: Answer }> {
  const answered: BasketBody[] = [];
  for (let count = 0; count < MAX_CALLS; count += 1) {
    const basket = guestBasket();
    const answer = await caller.basket(basket);
    if (answer.status === 200) answered.push(basket);
    else if (!(await canWrite())) return { answered, refusal: answer };
  }
  throw new Error('the disk was never full');
}

function canWrite(): Promise<boolean> {
  return redis.client.set('probe', '').then(
    () => true,
    () => false,
  );
}

test('everysec: writes are refused with 503, nothing is written in part, and it passes with the lack of room', async () => {
  await startOn('everysec');
  const { answered, refusal } = await fillDisk();
  expectUnavailable(refusal);
  const before = await dumpOf(redis);
  for (let count = 0; count < 5; count += 1) expectUnavailable(await caller.basket(guestBasket()));
  expectUnavailable(await caller.sale(saleOf(answered[0]?.calculationId ?? '')));
  expect(await dumpOf(redis)).toEqual(before);
  expect(service.isAlive).toBe(true);
  execFileSync('prlimit', ['--pid', String(redis.pid), '--fsize=unlimited:unlimited']);
  await untilServed(caller, 8000);
  for (const basket of answered.slice(0, 20)) expectApplied(await patiently(() => caller.basket(basket)), true);
});

test('always: Redis ends rather than answer what it cannot keep; restarted with room, it has all that was answered', async () => {
  await startOn('always');
  const { answered, refusal } = await fillDisk();
  expectUnavailable(refusal);
  for (let count = 0; count < 5; count += 1) expectUnavailable(await caller.basket(guestBasket()));
  expect(service.isAlive).toBe(true);
  expect(await service.readiness()).toBe(503);
  await redis.stop();
  process.env.PATH = realPath;
  await redis.start();
  await untilServed(caller);
  for (const basket of answered) {
    expectApplied(await patiently(() => caller.basket(basket)), true);
    expect(await unitsOf(redis, basket.loyaltyId)).toEqual({ consumed: 0, over: 0, held: 1 });
  }
});
