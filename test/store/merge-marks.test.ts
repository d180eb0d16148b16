/** The scripts that mark a member who is merged, and take the marks back, each by what its header promises. */
import { describe, expect, test } from 'vitest';
import { useFixture } from './fixture.ts';
import { useScripts } from './script-stage.ts';

const fixture = useFixture();
const { run } = useScripts(fixture);
const [MEMBER, USE] = ['member', 'use'] as const;

describe('lead-member and end-merged', () => {
  const lead = () => run('lead-member', [MEMBER], ['"berit"']);

  test('lead a stored member on, once, and nobody who is not there', async () => {
    const { client } = fixture.redis;
    expect(await lead()).toBe(-1);
    expect(await client.exists(MEMBER)).toBe(0);
    await client.hset(MEMBER, { status: 'active' });
    expect([await lead(), await lead()]).toEqual([1, 0]);
    expect(await client.hgetall(MEMBER)).toEqual({ status: 'active', into: '"berit"' });
    // Of one that was merged before nothing else is left.
    await client.hset(MEMBER, { into: '"carl"' });
    await client.hdel(MEMBER, 'status');
    expect(await lead()).toBe(0);
    expect(await client.hgetall(MEMBER)).toEqual({ into: '"carl"' });
  });

  test('of a merged member only the other one is remembered', async () => {
    const { client } = fixture.redis;
    await client.hset(MEMBER, { status: 'active' });
    expect(await run('end-merged', [MEMBER], [])).toBe(0);
    expect(await client.hgetall(MEMBER)).toEqual({ status: 'active' });
    await client.hset(MEMBER, { into: 'berit' });
    expect(await run('end-merged', [MEMBER], [])).toBe(1);
    expect(await client.hgetall(MEMBER)).toEqual({ into: 'berit' });
  });
});

describe('close-counters and reopen-counters', () => {
  const close = () => run('close-counters', [MEMBER, USE], ['"berit"', 'token']);
  const reopen = () => run('reopen-counters', [MEMBER, USE], ['"berit"']);

  test('close the counters of a member that is led on there, without an end', async () => {
    const { client } = fixture.redis;
    await client.hset(USE, { 'a:*': 3 });
    await client.pexpire(USE, 10_000);
    for (const into of [undefined, '"carl"']) {
      if (into !== undefined) await client.hset(MEMBER, { into });
      expect(await close()).toBe(0);
    }
    expect(await client.hgetall(USE)).toEqual({ 'a:*': '3' });
    expect(await client.pttl(USE)).toBeGreaterThan(0);
    await client.hset(MEMBER, { into: '"berit"' });
    expect(await close()).toBe(1);
    expect(await client.hgetall(USE)).toEqual({ 'a:*': '3', '!moved': 'token' });
    expect(await client.pttl(USE)).toBe(-1);
  });

  test('take back what led a member on, with the mark of its counters', async () => {
    const { client } = fixture.redis;
    await client.hset(USE, { 'a:*': 3, '!moved': 'token' });
    for (const fields of [{ status: 'active' }, { status: 'active', into: '"carl"' }]) {
      await client.hset(MEMBER, fields);
      expect(await reopen()).toBe(0);
    }
    expect(await client.hget(USE, '!moved')).toBe('token');
    await client.hset(MEMBER, { into: '"berit"' });
    expect(await reopen()).toBe(1);
    expect(await client.hgetall(MEMBER)).toEqual({ status: 'active' });
    expect(await client.hgetall(USE)).toEqual({ 'a:*': '3' });
  });
});
