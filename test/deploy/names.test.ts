/** Every metric, label and value that the alerts, their nights and the dashboard name is there on a real service's `/metrics`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isAllowedHost } from '../../packages/console/src/allowed-hosts.ts';
import { EVENTS } from '../../src/telemetry/call-metrics.ts';
import { ROOT } from '../architecture/source.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { readingOf, type Sample, scrape } from '../support/metrics.ts';
import { findPrometheus, promtool } from '../support/prometheus.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { NIGHTS } from './nights.ts';
import { groupingOf, selectorsOf } from './promql.ts';

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}

const programs = findPrometheus();
const RUNBOOK = 'deploy/prometheus/runbook.md';
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const rules: AlertRule[] = parse(read('deploy/prometheus/alerts.yml')).groups.flatMap(
  (group: { rules: (AlertRule | { record: string })[] }) => group.rules.filter((rule) => 'alert' in rule),
);
/** Prometheus knows the target, the service does not. */
const OF_PROMETHEUS = ['instance', 'job'];
const dashboard = JSON.parse(read('deploy/grafana/dashboards/loyalty-gateway.json'));
const expressions: [string, string][] = [
  ...rules.map(({ alert, expr }): [string, string] => [alert, expr]),
  ...dashboard.panels.flatMap(({ title, targets = [] }: { title: string; targets?: { expr: string }[] }) =>
    targets.map(({ expr }): [string, string] => [title, expr]),
  ),
];

/** With a limit over all members, so that its figures are there. */
const configuration = configurationOf({
  programme: {
    benefits: [
      { ...TWENTY, limit: { quantity: 1000, period: 'lifetime', counts: 'baskets', of: 'programme' } },
      SINGLE_USE,
    ],
  },
});

describe('names', () => {
  // Two processes: the primary has figures of its own, and every figure must survive the merging.
  const stage = useService({ configuration, env: { PROCESSES: '2' } });
  let samples: Sample[];
  beforeAll(async () => {
    const { redis, service, caller } = stage;
    await redis.client.xgroup('CREATE', 'loyalty:staging:events:0', 'warehouse', '0', 'MKSTREAM');
    for (let count = 0; count < 10; count += 1) {
      const basket = basketOf();
      await caller.basket(basket);
      await caller.sale(saleOf(basket.calculationId));
    }
    samples = await until('the figures of the calls', async () => {
      const scraped = await scrape(service);
      const hasAll = ['loyalty_limit_quantity', 'loyalty_events_unread_age_seconds'].every((own) =>
        scraped.some(({ name }) => name === own),
      );
      return hasAll && readingOf(scraped, 'loyalty_events_total', { event: 'sale_recorded' }) === 10 && scraped;
    });
    // What Prometheus adds by itself, and what a service with a certificate tells (test/e2e/tls.test.ts).
    samples.push({ name: 'up', labels: { job: 'loyalty-gateway' }, value: 1 });
    samples.push({ name: 'loyalty_tls_certificate_end_timestamp_seconds', labels: {}, value: 1 });
  });

  test.each(expressions)('%s: %s', (_, expression) => {
    const selectors = selectorsOf(expression);
    expect(selectors.length).toBeGreaterThan(0);
    for (const { metric, matchers } of selectors) {
      let matching = samples.filter(({ name }) => name === metric);
      expect(matching, metric).not.toEqual([]);
      for (const { label, operator, value } of matchers.filter((matcher) => !OF_PROMETHEUS.includes(matcher.label))) {
        const isExact = operator === '=';
        const pattern = new RegExp(`^(?:${isExact ? escaped(value) : value})$`);
        matching = matching.filter(({ labels }) => pattern.test(labels[label] ?? ''));
        expect(matching, `${metric}{${label}${operator}"${value}"}`).not.toEqual([]);
      }
    }
    const known = new Set(selectors.flatMap(({ metric }) => labelsOf(metric)));
    for (const label of groupingOf(expression)) expect([...known, ...OF_PROMETHEUS, ''], label).toContain(label);
  });

  test('the nights of the alerts are written with series that a service tells', () => {
    const series = [...new Set(NIGHTS.flatMap((night) => Object.keys(night.series)))];
    for (const { metric, matchers } of series.flatMap(selectorsOf)) {
      expect(samples.map(({ name }) => name)).toContain(metric);
      const known = [...labelsOf(metric), ...OF_PROMETHEUS];
      for (const { label } of matchers) expect(known, metric).toContain(label);
    }
  });

  test('no metric of ours is left out of the page that explains them', () => {
    const page = read('deploy/prometheus/metrics.md');
    const names = new Set(samples.map(({ name }) => name.replace(/_(bucket|sum|count)$/, '')));
    const ours = [...names].filter((name) => name.startsWith('loyalty_'));
    expect(ours.filter((name) => !page.includes(name))).toEqual([]);
    expect(Object.keys(EVENTS).filter((event) => !page.includes(`\`${event}\``))).toEqual([]);
  });

  test.skipIf(programs === undefined)('promtool finds no fault in any name', async () => {
    const text = await (await fetch(`${stage.service.opsUrl}/metrics`)).text();
    expect(await promtool(programs as string, ['check', 'metrics'], text)).toBe('');
    expect(text).toMatch(/^process_resident_memory_bytes /m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  });

  function labelsOf(metric: string): string[] {
    return samples.filter(({ name }) => name === metric).flatMap(({ labels }) => Object.keys(labels));
  }
});

describe('alert rules', () => {
  test.each(rules.map((rule): [string, AlertRule] => [rule.alert, rule]))(
    '%s says what a woken person needs',
    (_, rule) => {
      expect(['page', 'ticket']).toContain(rule.labels.severity);
      for (const part of ['summary', 'description']) expect(rule.annotations[part], part).toBeTruthy();
      // nights.long.test.ts shows that the address is absolute.
      const [page, anchor] = (rule.annotations.runbook_url ?? '').split('#');
      expect(page).toBe('{{ $externalLabels.loyalty_runbook }}');
      expect(anchor).toBe(rule.alert.toLowerCase());
      // The heading of a runbook is the alert's name, which makes the anchor.
      expect(read(RUNBOOK)).toMatch(new RegExp(`^#{2,4} ${rule.alert}$`, 'm'));
    },
  );
});

describe.skipIf(programs === undefined)('promtool', () => {
  test.each([
    ['rules', 'deploy/prometheus/alerts.yml'],
    ['config', 'deploy/prometheus/prometheus.yml'],
  ])('check %s', async (kind, file) => {
    expect(await promtool(programs as string, ['check', kind, join(ROOT, file)])).toContain('SUCCESS');
  });
});

describe('compose', () => {
  const { services, volumes } = parse(read('compose.yaml'));
  const scraped = parse(read('deploy/prometheus/prometheus.yml')).scrape_configs[0].static_configs[0].targets;
  const source = parse(read('deploy/grafana/provisioning/datasources/prometheus.yaml')).datasources[0];

  test('mounts only what exists, and declares its volumes', () => {
    const mounts: string[] = Object.values(services as Record<string, { volumes?: string[] }>).flatMap(
      (service) => service.volumes ?? [],
    );
    for (const [from] of mounts.map((mount) => mount.split(':')) as [string][]) {
      if (from.startsWith('./')) expect(existsSync(join(ROOT, from)), from).toBe(true);
      else expect(Object.keys(volumes)).toContain(from);
    }
  });

  test('Prometheus knows where the runbook is published', () => {
    const { global, alerting } = parse(read('deploy/prometheus/prometheus.yml'));
    expect(global.external_labels.loyalty_runbook).toMatch(/^https:\/\/.*\/runbook\.md$/);
    expect(alerting.alert_relabel_configs[0]).toEqual({ action: 'labeldrop', regex: 'loyalty_runbook' });
  });

  test('Prometheus scrapes the gateway, and Grafana asks Prometheus', () => {
    const names = Object.keys(services);
    expect(names.sort()).toEqual(['gateway', 'grafana', 'prometheus', 'redis']);
    expect(scraped).toEqual(['gateway:9090']);
    const allowed = services.gateway.environment.OPS_ALLOWED_HOSTS.split(',');
    for (const host of scraped) expect([host, isAllowedHost(host, allowed)]).toEqual([host, true]);
    expect(source.url).toBe('http://prometheus:9090');
    const used = JSON.stringify(dashboard).match(/"uid":"[^"]*"/g) ?? [];
    expect(new Set(used)).toEqual(new Set([`"uid":"${source.uid}"`, '"uid":"loyalty-gateway"']));
  });

  test('no port is open to other machines', () => {
    for (const { ports = [] } of Object.values(services as Record<string, { ports?: string[] }>)) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
