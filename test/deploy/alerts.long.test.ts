/**
 * One alert's whole way, from its cause to a rule that fires: a real Prometheus with the shipped files scrapes a real service,
 * whose Redis goes. What each rule needs in order to fire is in nights.ts, that a service tells these series in names.test.ts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../architecture/source.ts';
import { basketOf } from '../support/baskets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { findPrometheus, PrometheusServer } from '../support/prometheus.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { until } from '../support/wait.ts';

const programs = findPrometheus();
const read = (path: string) => readFileSync(join(ROOT, 'deploy', path), 'utf8');

const WINDOW = '8s';
const SCRAPE = '500ms';
const EVALUATION = '250ms';

/** Two that look at a figure, and one that compares rates. */
const WITHOUT_REDIS = ['LoyaltyNotReady', 'LoyaltyRedisDown', 'LoyaltyUnavailable'];
/** Refusals between two looks: a share counts from ten of them in a window on. */
const REFUSALS = 10;
/** Several windows: a busy machine keeps Prometheus from some of its looks. */
const PATIENCE_MS = 50_000;

/** The rules with windows of seconds, and without a time for which they must hold. The expressions stay as they are. */
function shortened(rules: string): string {
  return rules.replace(/\[\d+[mh]\]/g, `[${WINDOW}]`).replace(/for: \d+[smh]/g, 'for: 0s');
}

/** The configuration with this target, scraped often. */
function scraping(target: string): string {
  const configuration = parse(read('prometheus/prometheus.yml'));
  const often = { scrape_interval: SCRAPE, scrape_timeout: SCRAPE, evaluation_interval: EVALUATION };
  Object.assign(configuration.global, often);
  configuration.scrape_configs[0].static_configs[0].targets = [target];
  return JSON.stringify(configuration);
}

describe.skipIf(programs === undefined)('a real Prometheus', () => {
  let startedMs: readonly [from: number, to: number];
  let redis: RedisServer;
  let service: Service;
  let prometheus: PrometheusServer;

  beforeAll(async () => {
    redis = await RedisServer.launch();
    const fromMs = Date.now();
    service = await Service.start({ redisUrl: redis.url });
    startedMs = [fromMs, Date.now()];
    prometheus = await PrometheusServer.start(programs as string, {
      'prometheus.yml': scraping(new URL(service.opsUrl).host),
      'alerts.yml': shortened(read('prometheus/alerts.yml')),
    });
  });
  afterAll(async () => {
    try {
      await prometheus?.stop();
      if (service?.isAlive) await service.stop();
      await redis?.stop();
    } finally {
      cleanUp();
    }
  });

  async function firing(): Promise<string[]> {
    const all = await prometheus.firing();
    return WITHOUT_REDIS.filter((alert) => all.has(alert));
  }

  test('the alerts about Redis are silent, fire when it goes, and end when it is back', async () => {
    expect((await service.newCaller().basket(basketOf())).status).toBe(200);
    await until('Prometheus to have seen the call', async () => {
      const [seen] = await prometheus.query('sum(loyalty_events_total{event="answer_applied"})');
      return seen?.value === 1;
    });
    expect(await firing()).toEqual([]);
    await redis.kill();
    const caller = service.newCaller({ isPatient: false });
    const areFiring = async () => {
      for (let count = 0; count < REFUSALS; count += 1) await caller.basket(basketOf());
      return (await firing()).length === WITHOUT_REDIS.length;
    };
    await until('the alerts', areFiring, PATIENCE_MS);
    await redis.start();
    await service.untilReady();
    await until('their end', async () => (await firing()).length === 0, PATIENCE_MS);
  });

  test('a single process tells when it started, which the alert of a restart loop looks at', async () => {
    const [start] = await prometheus.query('process_start_time_seconds * 1000');
    expect(start?.value).toBeGreaterThanOrEqual(startedMs[0]);
    expect(start?.value).toBeLessThanOrEqual(startedMs[1]);
  });

  test('every question of the dashboard is understood', async () => {
    const { panels } = JSON.parse(read('grafana/dashboards/loyalty-gateway.json'));
    for (const { targets = [] } of panels as { targets?: { expr: string }[] }[]) {
      for (const { expr } of targets) {
        await prometheus.query(expr.replaceAll('$__rate_interval', WINDOW).replaceAll('$instance', '.*'));
      }
    }
  });
});
