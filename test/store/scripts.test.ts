/** The script loader, and the rate limit's bucket. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { loadScripts } from '../../src/redis/scripts.ts';
import { takeToken } from '../../src/store/rate-limit.ts';
import { runScript } from '../../src/store/scripts.ts';
import { useFixture } from './fixture.ts';

const fixture = useFixture();

test('every script is loaded with its includes, starts as a declared script and says its keys', () => {
  const scripts = loadScripts(new URL('../../src/store/scripts/', import.meta.url));
  expect(scripts.size).toBeGreaterThan(5);
  for (const { source, keyCount } of scripts.values()) {
    expect(source).toMatch(/^#!lua/);
    expect(source).not.toContain('@include');
    const named = [...source.matchAll(/KEYS\[(\d+)\]/g)].map((match) => Number(match[1]));
    expect(Math.max(...named)).toBe(keyCount);
  }
});

test('a script file whose name does not say its keys is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-scripts-'));
  writeFileSync(join(folder, 'unnamed.lua'), 'return 1');
  expect(() => loadScripts(pathToFileURL(`${folder}/`))).toThrow('<name>-<number of keys>.lua');
  rmSync(folder, { recursive: true });
});

test('a script that is not there, or that has another number of keys, is not sent', () => {
  const { connection, keys } = fixture.store;
  expect(() => runScript(connection, 'no-such-script', [keys.rate()], [])).toThrow('No script no-such-script of 1');
  expect(() => runScript(connection, 'read-clock', [], [])).toThrow('No script read-clock of 0 keys');
});

test('the bucket gives a burst, then says exactly when the next token is there', async () => {
  const limit = { sustained: 0.5, burst: 10 };
  await fixture.redis.client.flushall();
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => takeToken(fixture.store, limit, 'basket')));
  expect(outcomes.filter(({ isAllowed }) => isAllowed)).toHaveLength(10);
  expect(outcomes.filter(({ isAllowed }) => !isAllowed).map(({ retryAfterSeconds }) => retryAfterSeconds)).toEqual([
    2, 2,
  ]);
});

test('calls of one turn of the event loop share a command, and get neither more nor less by it', async () => {
  const limit = { sustained: 0.01, burst: 7 };
  const { client } = fixture.redis;
  await client.flushall();
  await client.config('RESETSTAT');
  const together = await Promise.all(Array.from({ length: 5 }, () => takeToken(fixture.store, limit, 'basket')));
  const alone = [];
  for (let call = 0; call < 4; call += 1) alone.push(await takeToken(fixture.store, limit, 'basket'));
  expect([...together, ...alone].map(({ isAllowed }) => isAllowed)).toEqual([...Array(7).fill(true), false, false]);
  expect(await client.info('commandstats')).toContain('cmdstat_evalsha:calls=5,');
});

test('sale events leave half of the burst to baskets', async () => {
  const limit = { sustained: 0.01, burst: 10 };
  await fixture.redis.client.flushall();
  const sales = await Promise.all(Array.from({ length: 10 }, () => takeToken(fixture.store, limit, 'sale')));
  expect(sales.filter(({ isAllowed }) => isAllowed)).toHaveLength(5);
  const baskets = await Promise.all(Array.from({ length: 10 }, () => takeToken(fixture.store, limit, 'basket')));
  expect(baskets.filter(({ isAllowed }) => isAllowed)).toHaveLength(5);
});

test('a clock that was set back does not lock callers out', async () => {
  const limit = { sustained: 20, burst: 2 };
  await fixture.redis.client.set(fixture.store.keys.rate(), String((Date.now() + 3_600_000) * 1000));
  const refused = await takeToken(fixture.store, limit, 'basket');
  expect(refused).toMatchObject({ isAllowed: false, retryAfterSeconds: 1 });
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(await takeToken(fixture.store, limit, 'basket')).toMatchObject({ isAllowed: true });
});
