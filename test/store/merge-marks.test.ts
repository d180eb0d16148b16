/** The scripts that mark a member who is merged, and take the marks back, each by what it promises. */
import { describe, expect, test } from 'vitest';
import {
  adoptHoldsScript,
  closeCountersScript,
  endMergedScript,
  leadMemberScript,
  reopenCountersScript,
} from '../../src/store/scripts/merges.ts';
import { BERIT, useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const { call } = useScripts(fixture);
const [MEMBER, USE, HOLD, HELD] = ['member', 'use', 'hold', 'held'] as const;
const FAR_MS = Date.UTC(2100, 0, 1);

describe('lead-member and end-merged', () => {
  const lead = () => call(leadMemberScript, { intoId: '"berit"' });

  test('lead a stored member on, once, and nobody who is not there', async () => {
    const { client } = fixture.redis;
    expect(await lead()).toBe('missing');
    expect(await client.exists(MEMBER)).toBe(0);
    await client.hset(MEMBER, { status: 'active' });
    expect([await lead(), await lead()]).toEqual(['marked', 'marked_before']);
    expect(await client.hgetall(MEMBER)).toEqual({ status: 'active', into: '"berit"' });
    // Of one that was merged before nothing else is left.
    await client.hset(MEMBER, { into: '"carl"' });
    await client.hdel(MEMBER, 'status');
    expect(await lead()).toBe('marked_before');
    expect(await client.hgetall(MEMBER)).toEqual({ into: '"carl"' });
  });

  test('of a merged member only the other one is remembered', async () => {
    const { client } = fixture.redis;
    await client.hset(MEMBER, { status: 'active' });
    expect(await call(endMergedScript, {})).toBe(false);
    expect(await client.hgetall(MEMBER)).toEqual({ status: 'active' });
    await client.hset(MEMBER, { into: 'berit' });
    expect(await call(endMergedScript, {})).toBe(true);
    expect(await client.hgetall(MEMBER)).toEqual({ into: 'berit' });
  });
});

describe('close-counters and reopen-counters', () => {
  const close = () => call(closeCountersScript, { intoId: '"berit"', into: BERIT });
  const reopen = () => call(reopenCountersScript, { intoId: '"berit"' });

  test('close the counters of a member that is led on there, without an end', async () => {
    const { client } = fixture.redis;
    await client.hset(USE, { 'a:*': 3 });
    await client.pexpire(USE, 10_000);
    for (const into of [undefined, '"carl"']) {
      if (into !== undefined) await client.hset(MEMBER, { into });
      expect(await close()).toBe(false);
    }
    expect(await client.hgetall(USE)).toEqual({ 'a:*': '3' });
    expect(await client.pttl(USE)).toBeGreaterThan(0);
    await client.hset(MEMBER, { into: '"berit"' });
    expect(await close()).toBe(true);
    expect(await client.hgetall(USE)).toEqual({ 'a:*': '3', '!moved': BERIT });
    expect(await client.pttl(USE)).toBe(-1);
  });

  test('take back what led a member on, with the mark of its counters', async () => {
    const { client } = fixture.redis;
    await client.hset(USE, { 'a:*': 3, '!moved': BERIT });
    for (const fields of [{ status: 'active' }, { status: 'active', into: '"carl"' }]) {
      await client.hset(MEMBER, fields);
      expect(await reopen()).toBe(false);
    }
    expect(await client.hget(USE, '!moved')).toBe(BERIT);
    await client.hset(MEMBER, { into: '"berit"' });
    expect(await reopen()).toBe(true);
    expect(await client.hgetall(MEMBER)).toEqual({ status: 'active' });
    expect(await client.hgetall(USE)).toEqual({ 'a:*': '3' });
  });
});

test('adopt-holds writes what is live and not there yet, with its sums', async () => {
  const { client } = fixture.redis;
  const adopt = (...holds: string[]) => call(adoptHoldsScript, { holdMs: 60_000, holds });
  await client.hset(HOLD, { known: `${FAR_MS} a=2/3` });
  expect(await adopt('known', `${FAR_MS} a=9/9`, 'new', `${FAR_MS} a=1/3`, 'ended', '5 a=1/3')).toBe(1);
  expect(await client.hgetall(HOLD)).toEqual({ known: `${FAR_MS} a=2/3`, new: `${FAR_MS} a=1/3` });
  expect(await client.pttl(HOLD)).toBeGreaterThan(50_000);
  const many = Array.from({ length: 40 }, (_, at) => [`many-${at}`, `${FAR_MS} b=2/9`]).flat();
  expect(await adopt(...many)).toBe(40);
  expect(await client.hgetall(HELD)).toEqual({ a: '3', b: '80' });
  expect(await adopt()).toBe(0);
});
