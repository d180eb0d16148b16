import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareContestants } from '../../bench/equality/compare.ts';
import { Generator } from '../../bench/generator/generator.ts';
import type { Mix } from '../../bench/generator/mix.ts';
import { CONTESTANTS, Contestant } from '../../bench/machine/contestant.ts';
import { provideBenchPackages } from '../../bench/packages.ts';
import { countTraffic } from '../../bench/scenarios/redis-traffic.ts';
import { until } from '../support/wait.ts';

/**
 * The part of the benchmark that says the same on every machine: who answers what, and how much is asked of Redis. No
 * time is looked at, since other tests run beside this one.
 */

/**
 * Bounds on one call of 20 lines; a change that moves more bytes than this should know that it does. Two of the keys are the
 * sums of holds and their order, by which a call costs the same with one open calculation and with thousands.
 */
const MOST = {
  first: { roundTrips: 2, bytesSent: 2400, bytesReceived: 400 },
  replay: { roundTrips: 2, bytesSent: 1000, bytesReceived: 1000 },
  // Its event tells what each line cost, what each benefit took off it and what was paid: about 230 bytes a line. It is given to be
  // counted by a script that looks whether its member was merged: 150 bytes.
  sale: { roundTrips: 5, bytesSent: 6600, bytesReceived: 1300 },
} as const;

beforeAll(() => provideBenchPackages(), 120_000);

describe('the contestants of the benchmark', () => {
  it('answer the same requests alike', async () => {
    const { requests, differences } = await compareContestants(CONTESTANTS);
    expect(differences).toEqual([]);
    expect(requests).toBeGreaterThan(70);
  }, 120_000);
});

const CALLS = 15;
const COUNT_LIMIT_MS = 90_000;

describe('a call', () => {
  let traffic: Awaited<ReturnType<typeof countTraffic>>;

  beforeAll(async () => {
    // A machine that stood still past a call's deadline had it refused; the median leaves a few of those out.
    traffic = await until(
      'a count with few refusals',
      async () => {
        const counted = await countTraffic(CALLS);
        return Object.values(counted).every(({ failures }) => failures < CALLS / 3) && counted;
      },
      COUNT_LIMIT_MS,
    );
  });

  it.each(['first', 'replay', 'sale'] as const)('asks no more of Redis than it has to: %s', (kind) => {
    const { roundTrips, bytesSent, bytesReceived } = traffic[kind];
    expect(roundTrips).toBeLessThanOrEqual(MOST[kind].roundTrips);
    expect(bytesSent).toBeLessThanOrEqual(MOST[kind].bytesSent);
    expect(bytesReceived).toBeLessThanOrEqual(MOST[kind].bytesReceived);
  });
});

describe('the load generators', () => {
  const mix: Mix = { lines: 5, replayShare: 0.2 };
  let generator: Generator;
  let service: Contestant;

  beforeAll(async () => {
    // Not before the packages are there, which its process imports at once.
    generator = new Generator();
    service = await Contestant.start('service');
  });
  afterAll(async () => {
    generator.stop();
    await service.stop();
  });

  it('get a right answer to every request of a closed loop', async () => {
    await generator.run('prepare', { mix, secret: service.secret, seed: 1, count: 200, distance: 20 });
    const load = { url: service.url, connections: 2, seconds: 30, amount: 100 };
    const { requests, accepted, refused, faults } = await generator.run('closed', load);
    expect({ requests, faults }).toEqual({ requests: 100, faults: 0 });
    // A busy machine has a call refused at its deadline.
    expect(accepted + refused).toBe(100);
    expect(accepted).toBeGreaterThan(0);
  });

  it('get a right answer to every request of an open loop, and tell replays from first calls', async () => {
    // A repeated request comes later than the deadline of its first call, so that it never overtakes it.
    await generator.run('prepare', { mix, secret: service.secret, seed: 2, count: 300, distance: 41 });
    const phases = [
      { name: 'slow', perSecond: 30, seconds: 2 },
      { name: 'faster', perSecond: 60, seconds: 2 },
    ];
    const result = await generator.run('open', {
      url: service.url,
      phases,
      connections: { least: 4, most: 50 },
      seed: 1,
    });
    expect(result).toMatchObject({ lost: 0, wrongBodies: 0 });
    expect(result.verified).toBeGreaterThan(0);
    for (const { sent, acceptedAll, refused } of result.phases) {
      // A busy machine has a call refused at its deadline.
      expect(acceptedAll.count + refused.count).toBe(sent);
      expect(acceptedAll.count).toBeGreaterThan(0);
    }
    const kinds = result.phases.flatMap(({ accepted }) => Object.keys(accepted));
    expect(new Set(kinds)).toEqual(new Set(['basket', 'replay']));
  });
});
