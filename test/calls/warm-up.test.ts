/** What runs before the first call: it prices, and Redis does not hear of it. */
import { expect, test } from 'vitest';
import { parseTask } from '../../src/calls/pricing.ts';
import { warmUp } from '../../src/calls/warm-up.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { type Benefit, configurationOf } from '../support/configuration.ts';

test.each([
  ['the ordinary configuration', configurationOf(), 13],
  ['no venue', { ...configurationOf(), venues: [], members: [] }, 0],
  ['a programme without benefits', configurationOf({ programme: { benefits: [] }, members: [] }), 13],
])('%s: every basket is priced and replayed, and none fails its check', (_, configuration, priced) => {
  const environment = loadEnvironment(JSON.stringify(configuration), 'environment.yaml');
  expect(warmUp(environment, parseTask)).toBe(priced);
});

const benefit = (benefitId: string, more: object): Benefit =>
  ({ benefitId, kind: 'line_percent', percent: 10, ...more }) as Benefit;

/** How often the warm-up takes each benefit off a line, and on how many lines it is asked to. */
function warmedBy(benefits: Benefit[]): Record<string, number> {
  const configuration = configurationOf({ programme: { benefits }, members: [] });
  const environment = loadEnvironment(JSON.stringify(configuration), 'environment.yaml');
  const times: Record<string, number> = {};
  for (const { benefitId, rule } of environment.venues[0]!.programme.benefits) {
    if (rule.level !== 'line') continue;
    times[benefitId] = 0;
    const { effect } = rule;
    Object.assign(rule, {
      effect: (...asked: Parameters<typeof effect>) => {
        times[benefitId]! += 1;
        return effect(...asked);
      },
    });
  }
  expect(warmUp(environment, parseTask)).toBe(13);
  return times;
}

test('the code of each benefit runs: of those that are granted, and on the goods that they name', () => {
  const times = warmedBy([
    benefit('everyone', { percent: 5 }),
    benefit('granted', { audience: 'granted', percent: 20 }),
    benefit('product', { percent: 30, appliesTo: { productIds: ['4711', '815'] } }),
    benefit('soups', { percent: 40, appliesTo: { excludeProductIds: ['815'], productGroupIds: ['bakery', 'soups'] } }),
    benefit('teas', { percent: 60, appliesTo: { productGroupIds: ['teas'] } }),
    benefit('list', { percent: 50, when: [{ hours: '00:00-23:59' }], appliesTo: { productIds: ['9'] } }),
  ]);
  expect(Object.entries(times).filter(([, count]) => count === 0)).toEqual([]);
});
