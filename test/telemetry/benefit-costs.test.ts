/** Counters of benefits are bounded: the configuration's come first, and the rest share a row for each currency. */
import { expect, test } from 'vitest';
import { BenefitCosts } from '../../src/telemetry/benefit-costs.ts';

const one = { units: 1, saved: 250 };
const benefit = (number: number, currency = 'NOK') => ({
  programmeId: 'club',
  benefitId: `benefit-${number}`,
  currency,
});

test('rows of the configuration stand at zero; baskets, units and savings add up', () => {
  const costs = new BenefitCosts();
  costs.expect('club', 'benefit-1', 'NOK');
  costs.expect('club', 'benefit-1', 'NOK');
  expect(costs.rows).toHaveLength(1);
  costs.add({ ...benefit(1), units: 3, saved: 700 });
  costs.add({ ...benefit(1), ...one });
  expect(costs.rows).toEqual([{ ...benefit(1), baskets: 2, units: 4, saved: 950 }]);
});

test('beyond the bound benefits share a row of each currency, whatever their programme', () => {
  const costs = new BenefitCosts(2);
  for (let number = 1; number <= 9; number += 1) costs.add({ ...benefit(number), ...one });
  costs.add({ ...benefit(9, 'SEK'), ...one });
  costs.add({ ...benefit(1), programmeId: 'other-club', ...one });
  costs.add({ ...benefit(2), ...one });
  const seen = costs.rows.map(({ benefitId, currency, baskets }) => [benefitId, currency, baskets]);
  expect(seen).toEqual([
    ['benefit-1', 'NOK', 1],
    ['benefit-2', 'NOK', 2],
    ['(others)', 'NOK', 8],
    ['(others)', 'SEK', 1],
  ]);
});
