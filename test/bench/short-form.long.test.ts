import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareContestants } from '../../bench/equality/compare.ts';
import { Generator } from '../../bench/generator/remote.ts';
import type { Mix } from '../../bench/load/mix.ts';
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
  // Its event tells what each line cost, what each benefit took off it and what was paid: about 230 bytes a line.
  sale: { roundTrips: 5, bytesSent: 6400, bytesReceived: 1300 },
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
    await generator.prepare(mix, service.secret, 1, 200, 20);
    const load = { url: service.url, connections: 2, seconds: 30, amount: 100 };
    const { requests, statuses, faults } = await generator.runClosed(load);
    expect({ requests, faults }).toEqual({ requests: 100, faults: 0 });
    expectServed(statuses, 100);
  });

  it('get a right answer to every request of an open loop, and tell replays from first calls', async () => {
    // A repeated request comes later than the deadline of its first call, so that it never overtakes it.
    await generator.prepare(mix, service.secret, 2, 300, 41);
    const phases = [
      { name: 'slow', perSecond: 30, seconds: 2 },
      { name: 'faster', perSecond: 60, seconds: 2 },
    ];
    const load = { url: service.url, phases, connections: { least: 4, most: 50 }, seed: 1 };
    const result = await generator.runOpen(load);
    expect(result.faults).toEqual({ broken: 0, unanswered: 0, wrongBodies: 0 });
    expect(result.verified).toBeGreaterThan(0);
    let refusedInAll = 0;
    for (const phase of result.phases) {
      const refused = expectServed(phase.statuses, phase.sent);
      expect(phase.acceptedAll.count).toBe(phase.sent - refused);
      refusedInAll += refused;
    }
    // What is sent again after a refusal is computed for the first time.
    const computedAgain = result.phases.reduce((sum, phase) => sum + phase.computedAgain, 0);
    expect(computedAgain).toBeLessThanOrEqual(refusedInAll);
    const kinds = result.phases.flatMap(({ accepted }) => Object.keys(accepted));
    expect(new Set(kinds)).toEqual(new Set(['basket', 'replay']));
  });
});

/** All were answered with 200, except for those that a busy machine had refused at their deadline. Returns how many. */
function expectServed(statuses: Readonly<Record<string, number>>, sent: number): number {
  const { 200: served = 0, 503: refused = 0, ...others } = statuses;
  expect(others).toEqual({});
  expect(served + refused).toBe(sent);
  expect(served).toBeGreaterThan(0);
  return refused;
}
