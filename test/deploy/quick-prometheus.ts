/** The shipped files of Prometheus and Grafana as the tests of the alerts use them: minutes are shortened to seconds. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../architecture/source.ts';

export const WINDOW = '8s';
const SCRAPE = '500ms';
const EVALUATION = '250ms';

/**
 * The rules with short windows, a week that is as long as one, and without a time for which they must hold. The window of
 * restarts stays as it is, because three starts take longer than a short one.
 */
export function shortened(rules: string): string {
  return rules
    .replace(
      /(?<!process_start_time_seconds\{.*?\})\[\d+[mh]\]( offset 1w)?/g,
      (_, lastWeek) => `[${WINDOW}]${lastWeek ? ` offset ${WINDOW}` : ''}`,
    )
    .replace(/for: \d+[smh]/g, 'for: 0s');
}

/** The configuration with these targets, scraped often. */
export function prometheusConfiguration(targets: readonly string[]): string {
  const configuration = parse(readFileSync(join(ROOT, 'deploy/prometheus/prometheus.yml'), 'utf8'));
  Object.assign(configuration.global, {
    scrape_interval: SCRAPE,
    scrape_timeout: SCRAPE,
    evaluation_interval: EVALUATION,
  });
  configuration.scrape_configs[0].static_configs[0].targets = targets;
  return JSON.stringify(configuration);
}

/** Every expression of the dashboard. */
export function dashboardExpressions(): string[] {
  const { panels } = JSON.parse(readFileSync(join(ROOT, 'deploy/grafana/dashboards/loyalty-gateway.json'), 'utf8'));
  return panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) => targets.map(({ expr }) => expr));
}
