/**
 * Alert rules fire when their cause is brought about: a real Prometheus with the shipped rules scrapes real services.
 * The rules' minutes are shortened to seconds; their expressions stay as they are. Each rule has nights of its own in nights.ts;
 * those about weeks, days, disks and targets are in alerts-of-days.long.test.ts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../architecture/source.ts';
import type { Answer } from '../support/answer.ts';
import { basketOf as basketOfAnyTime, type LineWords, saleOf } from '../support/baskets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { findPrometheus, PrometheusServer } from '../support/prometheus.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { until } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';
import {
  type Cause,
  DURABLE,
  eagerCallers,
  OF_DAYS,
  OF_OTHER_TESTS,
  processCauses,
  redisCauses,
  reload,
  sellLate,
  spentCampaign,
  unknownMembers,
  withCampaign,
} from './causes.ts';
import { dashboardExpressions, prometheusConfiguration, shortened, WINDOW } from './quick-prometheus.ts';

const programs = findPrometheus();
const rules = readFileSync(join(ROOT, 'deploy/prometheus/alerts.yml'), 'utf8');
const alerts: string[] = parse(rules).groups.flatMap((group: { rules: { alert?: string }[] }) =>
  group.rules.flatMap(({ alert }) => alert ?? []),
);

/** A share counts from ten on. */
const FLOOR = 10;

/**
 * Alerts that the machine may bring about by itself: about time when it is busy, about its disk when others have filled it, and
 * Prometheus before its first look. nights.ts shows each silent while all is well.
 */
const OF_MACHINE = /Budget|EventLoopLag|TargetDown|TargetAbsent|DiskFull/;

const STRICT = { sustained: 10, burst: 40 };
const HOLD_MS = 1_000;
/** Over the alert's 100 ms, and short enough for a scrape that meets it: one that is given up takes the figure along. */
const BLOCK_MS = 200;
const MOST_ATTEMPTS = 6;
/** Some looks of Prometheus at its rules. */
const FIRING_MS = 8_000;

describe.skipIf(programs === undefined)('alerts', () => {
  let redis: RedisServer;
  let otherRedis: RedisServer;
  /** One process, whose Redis is stopped and whose clock is doubted. */
  let service: Service;
  /** Two processes with a strict rate limit, whose threads are sabotaged. */
  let fleet: Service;
  let prometheus: PrometheusServer;
  const configuration = configurationOf({
    deadline: 400,
    holdMinutes: HOLD_MS / 60_000,
    ...withCampaign(singleUseMembers('guest', 200)),
    requestedAt: { pastHours: 2, aheadMinutes: 10 },
  });

  beforeAll(async () => {
    [redis, otherRedis] = await Promise.all([RedisServer.launch(DURABLE), RedisServer.launch(DURABLE)]);
    const saboteur = `--import=${join(ROOT, 'test/faults/saboteur.mjs')}`;
    [service, fleet] = await Promise.all([
      Service.start({ configuration, redisUrl: redis.url }),
      Service.start({
        configuration: { ...configuration, rateLimit: STRICT },
        redisUrl: otherRedis.url,
        env: {
          PROCESSES: '2',
          INLINE_BYTES: '0',
          NODE_OPTIONS: saboteur,
          SABOTAGE_BLOCK_MS: String(BLOCK_MS),
        },
      }),
    ]);
    const targets = [service, fleet].map(({ opsUrl }) => new URL(opsUrl).host);
    prometheus = await PrometheusServer.start(programs as string, {
      'prometheus.yml': prometheusConfiguration(targets),
      'alerts.yml': shortened(rules),
    });
    await expectQuiet();
  });
  afterAll(async () => {
    try {
      await prometheus?.stop();
      if (service?.isAlive) await service.stop();
      if (fleet?.isAlive) await fleet.stop();
      await Promise.all([redis?.stop(), otherRedis?.stop()]);
    } finally {
      cleanUp();
    }
  });

  /** None fires while all is well: calls are answered, and Prometheus has seen them. */
  async function expectQuiet(): Promise<void> {
    const caller = service.newCaller();
    for (let count = 0; count < 5; count += 1) {
      const basket = basketOf();
      expect((await caller.basket(basket)).status).toBe(200);
      expect((await caller.sale(saleOf(basket.calculationId))).status).toBe(200);
    }
    await until('Prometheus to have seen the calls', async () => {
      const [seen] = await prometheus.query('sum(loyalty_events_total{event="sale_recorded"})');
      return seen?.value === 5 && (await prometheus.query('up == 1')).length === 2;
    });
    expect([...(await prometheus.fired())].filter((name) => !OF_MACHINE.test(name))).toEqual([]);
  }

  async function missingOf(names: readonly string[]): Promise<string[]> {
    const fired = await prometheus.fired();
    return names.filter((name) => !fired.has(name));
  }

  /**
   * Brings the cause about until all of its alerts have fired: what a slow machine stretches over more than a rule's window
   * happens again. An alert that does not fire at all uses up the attempts.
   */
  async function bringUntilFired(bring: () => Promise<unknown>, names: readonly string[]): Promise<void> {
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      await bring();
      const hasFired = async () => (await missingOf(names)).length === 0;
      if (await until('the alerts', hasFired, FIRING_MS).catch(() => false)) return;
    }
    throw new Error(`not fired: ${(await missingOf(names)).join(', ')}`);
  }

  let guests = 0;
  const sabotaged = (word: string) => basketOf([{ name: `sabotage-${word}` }]);
  const causes: Cause[] = [
    {
      cause: "a caller's clock is off",
      bring: () => repeat(20, () => service.newCaller().basket(basketOf(), { t: Math.floor(Date.now() / 1000) - 900 })),
      fires: ['LoyaltyClockSkew'],
    },
    {
      cause: 'a till lives in another day',
      bring: () =>
        repeat(5, () => service.newCaller().basket(basketOf([{}], { requestedAt: '2026-11-20T12:00:00+01:00' }))),
      fires: ['LoyaltyTillClock', 'LoyaltyOutsideWindow'],
    },
    {
      cause: 'a caller has a wrong secret',
      bring: () => repeat(20, () => service.newCaller().basket(basketOf(), { secret: newSecret() })),
      fires: ['LoyaltySignaturesRefused'],
    },
    {
      cause: 'a till cannot add',
      bring: () =>
        repeat(20, () => {
          const basket = basketOf();
          return service.newCaller().basket({ ...basket, totals: { ...basket.totals, total: 1 } });
        }),
      fires: ['LoyaltyBasketsRefused'],
    },
    ...redisCauses(
      () => otherRedis,
      () => fleet.untilReady(),
    ),
    unknownMembers((loyaltyId) => service.newCaller().basket(basketOf([{}], { loyaltyId }))),
    {
      cause: 'a caller uses one ID for two bodies',
      bring: async () => {
        const basket = basketOf();
        await service.newCaller().basket(basket);
        await service.newCaller().basket({ ...basket, currency: 'EUR' });
      },
      fires: ['LoyaltyConflicts'],
    },
    eagerCallers(
      () => fleet,
      () => basketOf(),
    ),
    {
      cause: 'a sale is finalised after its hold, and another one was faster',
      bring: () => {
        const late = Array.from({ length: 2 * FLOOR }, () => {
          guests += 1;
          return basketOf([{}], { loyaltyId: `guest-${guests}` });
        });
        return sellLate(service, late, basketOf([{}], { loyaltyId: `guest-${guests}` }));
      },
      fires: ['LoyaltyOverRedeemed', 'LoyaltyLateSales'],
    },
    spentCampaign(() => service),
    {
      cause: 'a configuration cannot be loaded, by one process or by several',
      bring: async () => {
        await Promise.all([reload(service, 'venues: ['), reload(fleet, 'venues: [')]);
        const refused = () => prometheus.query('loyalty_last_reload_successful == 0');
        await until('both to tell of the refusal', async () => (await refused()).length === 2);
      },
      end: () =>
        Promise.all([
          reload(service, JSON.stringify(configuration)),
          reload(fleet, JSON.stringify({ ...configuration, rateLimit: STRICT })),
        ]),
      fires: ['LoyaltyReloadRefused'],
    },
    {
      cause: 'a Redis hangs again and again, under load',
      bring: async () => {
        const callers = [service.newCaller({ isPatient: false }), service.newCaller({ isPatient: false })];
        for (let round = 0; round < 5; round += 1) {
          redis.pause();
          // More than may be in flight at once: what does not fit is shed, what does waits for its deadline.
          await Promise.all(Array.from({ length: 500 }, (_, index) => callers[index % 2]?.basket(basketOf())));
          redis.resume();
          await service.untilReady();
        }
      },
      fires: [
        'LoyaltyRedisDown',
        'LoyaltyNotReady',
        'LoyaltyRedisUnsteady',
        'LoyaltyUnavailable',
        'LoyaltyShedding',
        'LoyaltyP95OverBudget',
        'LoyaltyP99OverBudget',
        'LoyaltyBudgetBurnFast',
        'LoyaltyBudgetBurnSlow',
      ],
    },
    {
      cause: 'a process stands still',
      bring: () => service.kill('SIGSTOP'),
      end: async () => {
        await service.kill('SIGCONT');
        await service.untilReady();
      },
      fires: ['LoyaltyTargetDown'],
    },
    {
      cause: 'an event loop is held',
      // The figures are of the last half minute to minute.
      bring: () => repeat(10, () => answered(sabotaged('block'))),
      fires: ['LoyaltyEventLoopLag'],
    },
    {
      cause: 'a call meets an exception of ours',
      bring: async () => expect((await answered(sabotaged('throw'))).status).toBe(500),
      fires: ['LoyaltyInternalErrors'],
    },
    {
      cause: 'a worker thread ends',
      bring: () => answered(sabotaged('exit')),
      end: () => fleet.untilReady(),
      fires: ['LoyaltyThreadsLost'],
    },
    ...processCauses(() => fleet),
  ];

  test.each(causes)('$cause: $fires', async ({ bring, end, fires }) => {
    try {
      await bringUntilFired(bring, fires);
    } finally {
      await end?.();
    }
  });

  test.each(dashboardExpressions())('the dashboard asks what Prometheus understands: %s', async (expression) => {
    await prometheus.query(expression.replaceAll('$__rate_interval', WINDOW).replaceAll('$instance', '.*'));
  });

  test('every rule has its cause', () => {
    expect([...causes.flatMap(({ fires }) => fires), ...OF_DAYS, ...OF_OTHER_TESTS].sort()).toEqual([...alerts].sort());
  });

  /** The fleet's answer, once its rate limit lets the call in. */
  function answered(basket: BasketBody): Promise<Answer> {
    const caller = fleet.newCaller();
    return until('the rate limit to let a call in', async () => {
      const answer = await caller.basket(basket);
      return answer.status !== 429 && answer;
    });
  }
});

/** A basket by a clock that is right: the time of the others would be an alert of its own. */
function basketOf(words?: readonly LineWords[], more: Partial<BasketBody> = {}): BasketBody {
  return basketOfAnyTime(words, { requestedAt: new Date().toISOString(), ...more });
}

async function repeat(count: number, call: () => Promise<unknown>): Promise<void> {
  for (let round = 0; round < count; round += 1) await call();
}
