/** Every alert rule fires in the night of its cause, stays silent just short of it, and wakes nobody for another's cause. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../architecture/source.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { findPrometheus, promtool } from '../support/prometheus.ts';
import { NIGHTS, type Night, toRuleTest } from './nights.ts';

const RULES = join(ROOT, 'deploy/prometheus/alerts.yml');
const RUNBOOK = 'https://runbooks.example/page.md';
const programs = findPrometheus();
const alerts: string[] = parse(readFileSync(RULES, 'utf8')).groups.flatMap(
  ({ rules }: { rules: { alert?: string }[] }) => rules.flatMap(({ alert }) => alert ?? []),
);

function check(nights: readonly Night[]): Promise<string> {
  const file = join(temporaryDirectory(), 'nights.yml');
  writeFileSync(file, toRuleTest(nights, RULES, RUNBOOK));
  return promtool(programs as string, ['test', 'rules', file]);
}

afterAll(cleanUp);

test('every alert has a night in which it fires and one in which nothing does', () => {
  const firing = NIGHTS.filter(({ alert, fires }) => fires.includes(alert));
  const quiet = NIGHTS.filter(({ fires }) => fires.length === 0);
  for (const nights of [firing, quiet]) {
    expect(new Set(nights.map(({ alert }) => alert))).toEqual(new Set(alerts));
  }
});

describe.skipIf(programs === undefined)('promtool', () => {
  // One file for all nights of a step: a failure names the night.
  test.each([1, 15])('every night of %i minutes a step ends as it has to', async (stepMinutes) => {
    expect(await check(NIGHTS.filter((night) => night.stepMinutes === stepMinutes))).toContain('SUCCESS');
  });

  test('a night that ends otherwise is a failure', async () => {
    const [night] = NIGHTS as [Night];
    await expect(check([{ ...night, fires: [] }])).rejects.toThrow(night.alert);
  });

  test('a runbook has an absolute address, from the label of the Prometheus that asks', async () => {
    const test = JSON.parse(toRuleTest(NIGHTS.slice(0, 1), RULES, RUNBOOK));
    const { annotations } = parse(readFileSync(RULES, 'utf8')).groups[1].rules[0];
    test.tests[0].promql_expr_test = [];
    test.tests[0].alert_rule_test = [
      {
        eval_time: '20m',
        alertname: 'LoyaltyTargetDown',
        exp_alerts: [
          {
            exp_labels: { severity: 'page', job: 'loyalty-gateway', instance: 'a:9090' },
            exp_annotations: {
              ...annotations,
              summary: 'a:9090 does not answer on its operations port',
              runbook_url: `${RUNBOOK}#loyaltytargetdown`,
            },
          },
        ],
      },
    ];
    const file = join(temporaryDirectory(), 'runbook.yml');
    writeFileSync(file, JSON.stringify(test));
    expect(await promtool(programs as string, ['test', 'rules', file])).toContain('SUCCESS');
  });
});
