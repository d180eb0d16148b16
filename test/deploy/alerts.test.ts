/**
 * Every alert rule fires when its cause is brought about: a real Prometheus with the shipped rules scrapes real services.
 * The rules' minutes are shortened to seconds; their expressions stay as they are.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../architecture/source.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { findPrometheus, PrometheusServer } from '../support/prometheus.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { sleep, until } from '../support/wait.ts';

const programs = findPrometheus();
const rules = readFileSync(join(ROOT, 'deploy/prometheus/alerts.yml'), 'utf8');
const alerts: string[] = parse(rules).groups.flatMap((group: { rules: { alert: string }[] }) =>
  group.rules.map(({ alert }) => alert),
);

const HOLD_MS = 1_000;
const WINDOW = '8s';
const SCRAPE = '250ms';

function shortened(text: string): string {
  return text.replace(/\[\d+[mh]\]/g, `[${WINDOW}]`).replace(/for: \d+[smh]/g, 'for: 0s');
}

function prometheusConfiguration(targets: readonly string[]): string {
  const configuration = parse(readFileSync(join(ROOT, 'deploy/prometheus/prometheus.yml'), 'utf8'));
  Object.assign(configuration.global, { scrape_interval: SCRAPE, scrape_timeout: SCRAPE, evaluation_interval: SCRAPE });
  configuration.scrape_configs[0].static_configs[0].targets = targets;
  return JSON.stringify(configuration);
}

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
    moreMembers: singleUseMembers('guest', 10),
  });

  beforeAll(async () => {
    [redis, otherRedis] = await Promise.all([RedisServer.launch(), RedisServer.launch()]);
    const saboteur = `--import=${join(ROOT, 'test/faults/saboteur.mjs')}`;
    [service, fleet] = await Promise.all([
      Service.start({ configuration, redisUrl: redis.url }),
      Service.start({
        configuration: { ...configuration, rateLimit: { sustained: 10, burst: 40 } },
        redisUrl: otherRedis.url,
        env: { PROCESSES: '2', INLINE_BYTES: '0', NODE_OPTIONS: saboteur },
      }),
    ]);
    const targets = [service, fleet].map(({ opsUrl }) => new URL(opsUrl).host);
    prometheus = await PrometheusServer.start(programs as string, {
      'prometheus.yml': prometheusConfiguration(targets),
      'alerts.yml': shortened(rules),
    });
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

  async function untilFired(...names: string[]): Promise<void> {
    let missing = names;
    await until(
      `the alerts ${names.join(', ')}`,
      async () => {
        const fired = await prometheus.fired();
        missing = names.filter((name) => !fired.has(name));
        return missing.length === 0;
      },
      15_000,
    ).catch((error: Error) => {
      throw new Error(`${error.message} (missing: ${missing.join(', ')})`);
    });
  }

  test('none fires while all is well', async () => {
    const caller = service.newCaller();
    for (let count = 0; count < 20; count += 1) {
      const basket = basketOf();
      expect((await caller.basket(basket)).status).toBe(200);
      expect((await caller.sale(saleOf(basket.calculationId))).status).toBe(200);
    }
    const scraped = await until('Prometheus to have seen the calls', async () => {
      const [seen] = await prometheus.query('sum(loyalty_events_total{event="sale_recorded"})');
      return seen?.value === 20 && (await prometheus.query('up == 1'));
    });
    expect(scraped).toHaveLength(2);
    expect([...(await prometheus.fired())]).toEqual([]);
  });

  test('callers: a clock that is off, a wrong secret, two bodies under one ID, too many calls', async () => {
    const caller = service.newCaller();
    const basket = basketOf();
    await caller.basket(basket);
    await caller.basket({ ...basket, requestedAt: '2026-11-20T12:00:01+01:00' });
    for (let count = 0; count < 20; count += 1) {
      await caller.basket(basketOf(), { t: Math.floor(Date.now() / 1000) - 900 });
      await caller.basket(basketOf(), { secret: newSecret() });
    }
    const eager = fleet.newCaller();
    await Promise.all(Array.from({ length: 80 }, () => eager.basket(basketOf())));
    await untilFired('LoyaltyConflicts', 'LoyaltyClockSkew', 'LoyaltySignaturesRefused', 'LoyaltyRateLimited');
  });

  test('books: a sale after its hold, of a benefit that somebody else has used meanwhile', async () => {
    const caller = service.newCaller();
    const late = basketOf([{}], { loyaltyId: 'guest-1' });
    await caller.basket(late);
    await until('the hold to expire', async () => {
      return (readingOf(await scrape(service), 'loyalty_events_total', { event: 'hold_expired' }) ?? 0) > 0;
    });
    const winner = basketOf([{}], { loyaltyId: 'guest-1' });
    await caller.basket(winner);
    await caller.sale(saleOf(winner.calculationId));
    expect((await caller.sale(saleOf(late.calculationId))).json().result).toBe('recorded');
    await untilFired('LoyaltyOverRedeemed', 'LoyaltyLateSales');
  });

  test('a configuration that cannot be loaded', async () => {
    const file = join(service.dataDirectory, 'environment.yaml');
    writeFileSync(file, 'venues: [');
    await service.kill('SIGHUP');
    await untilFired('LoyaltyReloadRefused');
    writeFileSync(file, JSON.stringify(configuration));
    await service.kill('SIGHUP');
  });

  test('a Redis that hangs, again and again, under load', async () => {
    const callers = [service.newCaller(), service.newCaller()];
    for (let round = 0; round < 5; round += 1) {
      redis.pause();
      // More than may be in flight at once: what does not fit is shed, what does waits for its deadline.
      await Promise.all(Array.from({ length: 500 }, (_, index) => callers[index % 2]?.basket(basketOf())));
      redis.resume();
      await service.untilReady();
    }
    await untilFired('LoyaltyRedisDown', 'LoyaltyNotReady', 'LoyaltyRedisUnsteady', 'LoyaltyUnavailable');
    await untilFired('LoyaltyShedding', 'LoyaltyP95OverBudget', 'LoyaltyP99OverBudget');
    await untilFired('LoyaltyBudgetBurnFast', 'LoyaltyBudgetBurnSlow');
  });

  test('a process that stands still', async () => {
    await service.kill('SIGSTOP');
    await untilFired('LoyaltyTargetDown');
    await service.kill('SIGCONT');
    await service.untilReady();
  });

  test('faults of ours: an event loop that is held, an exception, a thread and a process that end', async () => {
    const caller = fleet.newCaller();
    const sabotaged = (word: string) => basketOf([{ name: `sabotage-${word}` }], { calculationId: randomUUID() });
    // The rate limit lets ten a second through.
    await sleep(1_000);
    expect((await caller.basket(sabotaged('throw'))).status).toBe(500);
    await caller.basket(sabotaged('exit'));
    await caller.basket(sabotaged('block'));
    await untilFired('LoyaltyInternalErrors', 'LoyaltyThreadsLost', 'LoyaltyEventLoopLag');
    const children = readFileSync(`/proc/${fleet.pid}/task/${fleet.pid}/children`, 'utf8').trim().split(' ');
    process.kill(Number(children[0]), 'SIGKILL');
    await untilFired('LoyaltyProcessEnded');
  });

  test('every rule has fired', async () => {
    expect([...(await prometheus.fired())].sort()).toEqual([...alerts].sort());
  });
});
