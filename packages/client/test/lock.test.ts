/** One process at most has an outbox: among contenders of the same instant, across containers, and after a kill. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { LoyaltyClient } from 'loyalty-basket-client';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../test/support/cleanup.ts';
import { SECRET } from './fixture.ts';
import { OutboxProcess } from './outbox-driver.ts';

/** A process-ID namespace, which every container has: what runs in it is process 1. */
const CONTAINER = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc'];
const hasContainers = spawnSync(CONTAINER[0]!, [...CONTAINER.slice(1), 'true']).status === 0;

const NOWHERE = 'http://127.0.0.1:1';
const secret = SECRET.toString('hex');

test('of three processes exactly one takes over from one that was killed', async () => {
  const outbox = join(temporaryDirectory(), 'outbox.log');
  const start = () => OutboxProcess.start(NOWHERE, secret, outbox);
  let holder = await start();
  for (let round = 0; round < 2; round += 1) {
    await expect(start()).rejects.toThrow('uses this outbox');
    await holder.kill();
    const starts = await Promise.allSettled([start(), start(), start()]);
    const refusals = starts.flatMap((result) => (result.status === 'rejected' ? [result.reason.message] : []));
    expect(refusals).toEqual(Array(2).fill(expect.stringContaining('uses this outbox')));
    holder = starts.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))[0]!;
  }
  await holder.kill();
}, 60_000);

test.runIf(hasContainers)('of two containers on one volume, each of them process 1, one has the outbox', async () => {
  const outbox = join(temporaryDirectory(), 'outbox.log');
  const start = () => OutboxProcess.start(NOWHERE, secret, outbox, CONTAINER);
  const first = await start();
  expect(readFileSync(`${outbox}.lock`, 'utf8')).toMatch(/^1 /);
  await expect(start()).rejects.toThrow('process 1 on');
  await first.close();
  const second = await start();
  await Promise.all([first.kill(), second.kill()]);
});

test('an outbox that could not be opened is free again', async () => {
  const outbox = join(temporaryDirectory(), 'outbox.log');
  const options = { baseUrl: NOWHERE, secret, outbox };
  mkdirSync(outbox);
  await expect(LoyaltyClient.open(options)).rejects.toThrow('EISDIR');
  rmdirSync(outbox);
  await (await LoyaltyClient.open(options)).close();
});
