import { join } from 'node:path';
import { LoyaltyClient } from '../../packages/client/src/index.ts';
import { Books, percentile } from '../../packages/simulator/src/books.ts';
import { reconcile } from '../../packages/simulator/src/reconcile.ts';
import { Shop } from '../../packages/simulator/src/shop.ts';
import { openServiceBooks } from '../../packages/tools/src/commands/demo-books.ts';
import { Connection } from '../../src/redis/connection.ts';
import { createKeys } from '../../src/store/keys.ts';
import { HOT_MEMBER, loyaltyIdOf, MEMBER_COUNT, type Mix } from '../load/mix.ts';
import { cpuTimeUs, treeCpuTimeUs } from '../machine/accounting.ts';
import type { Contestant } from '../machine/contestant.ts';
import { showNumber, showSpread } from '../report/spread.ts';
import { entrantsOf, inRounds } from './rounds.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

/** The load for the warm-up; the simulator's baskets have one to ten lines. */
const WARM_UP: Mix = { lines: 5, members: 'many' };
const TILLS = 40;
const USUAL_PER_SECOND = 150;
const PEAK_PER_SECOND = 400;
/** The peak, as shares of the day. */
const PEAK = { from: 0.4, to: 0.65 } as const;
const LENGTH = 2;
const REPLAY_AFTER_MS = 500;
const DRAIN_PATIENCE_MS = 30_000;
const POLL_MS = 20;
const CLOCK_SLACK_MS = 60_000;
const HOLD_MS = 1_800_000;
const SHOWN_SHARES = [0.5, 0.95, 0.99, 0.999] as const;

/** One day in the shop. */
interface Day {
  readonly books: Books;
  readonly calls: number;
  /** CPU of the service and of its Redis per request; sale events count as requests. */
  readonly serviceUs: number;
  readonly redisUs: number;
  readonly findings: number;
}

/**
 * Plays the demo's shop against the measured service: it shows the service as the caller's half sees it, and whether
 * the books agree.
 */
export const shopScenario: Scenario = {
  name: 'shop',
  about: `${TILLS} simulated tills with the client, ${USUAL_PER_SECOND}/s and ${PEAK_PER_SECOND}/s in the Friday peak: changed baskets, card swaps, abandoned and offline sales, an event for each, reconciled`,
  run: runShop,
};

async function runShop(stage: Stage): Promise<ScenarioReport> {
  const results = await inRounds(
    stage,
    entrantsOf(stage, ['service']),
    WARM_UP,
    (contestant, _label, round) => playDay(stage, contestant, round),
    ({ books, findings }) => `${books.totals.sales} sales, ${findings} differences in the books`,
  );
  const days = results.get('service') ?? [];
  const wait = (share: number) => days.map(({ books }) => percentile(books.totals.waitsMs, share));
  return {
    tables: [
      {
        title: `shop: ${TILLS} tills, what a till waits for a decision`,
        head: [
          'sales',
          'calls',
          ...SHOWN_SHARES.map((share) => `p${share * 100} ms`),
          'service µs/request',
          'Redis µs/request',
          'failed',
          'differences',
        ],
        rows: [
          [
            showNumber(sum(days.map(({ books }) => books.totals.sales))),
            showNumber(sum(days.map(({ calls }) => calls))),
            ...SHOWN_SHARES.map((share) => showSpread(wait(share))),
            showSpread(days.map(({ serviceUs }) => serviceUs)),
            showSpread(days.map(({ redisUs }) => redisUs)),
            showNumber(sum(days.map(failedCalls))),
            showNumber(sum(days.map(({ findings }) => findings))),
          ],
        ],
      },
    ],
    figures: { 'shop.p99': wait(0.99), 'shop.differences': days.map(({ findings }) => findings) },
    pictures: [],
    notes: [],
    raw: days.map(({ books, ...day }) => ({
      ...day,
      outcomes: Object.fromEntries(books.totals.outcomes),
      results: Object.fromEntries(books.totals.results),
    })),
  };
}

async function playDay({ options }: Stage, contestant: Contestant, round: number): Promise<Day> {
  const books = new Books();
  const startedAtMs = Date.now();
  const lengthMs = options.seconds * LENGTH * 1000;
  const client = await LoyaltyClient.open({
    baseUrl: contestant.url,
    secret: contestant.secret,
    outbox: join(contestant.folder, `outbox-${round}.log`),
    onSaleEnding: (ending) => books.end(ending),
  });
  const before = { service: treeCpuTimeUs(contestant.pid), redis: cpuTimeUs(contestant.redis.pid) };
  const startMs = performance.now();
  const dayShare = () => (performance.now() - startMs) / lengthMs;
  const isPeak = () => dayShare() >= PEAK.from && dayShare() < PEAK.to;
  try {
    await new Shop({
      client,
      books,
      tills: TILLS,
      place: { venueId: 'bench-venue', baxId: '500123', currency: 'NOK' },
      loyaltyIds: [
        ...Array.from({ length: MEMBER_COUNT }, (_, member) => loyaltyIdOf(member)),
        loyaltyIdOf(HOT_MEMBER),
      ],
      callsPerSecond: () => (isPeak() ? PEAK_PER_SECOND : USUAL_PER_SECOND),
      isOpen: () => dayShare() < 1,
      replayAfterMs: REPLAY_AFTER_MS,
      seed: round + 1,
    }).run();
    await untilSettled(client);
  } finally {
    await client.close();
  }
  const after = { service: treeCpuTimeUs(contestant.pid), redis: cpuTimeUs(contestant.redis.pid) };
  const calls = books.totals.waitsMs.length;
  const requests = calls + sum([...books.totals.results.values()]);
  return {
    books,
    calls,
    serviceUs: (after.service - before.service) / requests,
    redisUs: (after.redis - before.redis) / requests,
    findings: await countDifferences(contestant, books, startedAtMs - CLOCK_SLACK_MS),
  };
}

async function untilSettled(client: LoyaltyClient): Promise<void> {
  const endMs = performance.now() + DRAIN_PATIENCE_MS;
  while (client.pendingSales > 0 && performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Compares the tills' books with those in the service's Redis, calculation by calculation. */
async function countDifferences(contestant: Contestant, books: Books, sinceMs: number): Promise<number> {
  const connection = new Connection({ kind: 'socket', path: contestant.redis.socket }, 'bench-books');
  try {
    while (!connection.isAvailable) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const periods = { holdMs: HOLD_MS, idempotencyMs: HOLD_MS, retentionMs: HOLD_MS };
    const service = await openServiceBooks({ connection, keys: createKeys('staging'), periods }, sinceMs);
    return (await reconcile(books.entries.values(), service)).length;
  } finally {
    connection.close();
  }
}

function failedCalls({ books }: Day): number {
  const answered = ['applied', 'unchanged', 'member_not_found', 'not_applicable', 'offline'];
  return sum([...books.totals.outcomes].filter(([name]) => !answered.includes(name)).map(([, count]) => count));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
