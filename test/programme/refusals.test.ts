/** A configuration that cannot be used is refused in one line with the path of its fault. */
import { expect, test } from 'vitest';
import { ConfigurationError } from '../../src/programme/configuration-error.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { configurationOf } from '../support/configuration.ts';

/** The message for this text; a text that is taken has none. */
function refusalOf(text: string): string {
  try {
    loadEnvironment(text, 'environment.yaml');
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as Error).message;
  }
}

/** The path in the file, and how it is spoilt. */
const BAD: [path: (string | number)[], value: unknown][] = [
  [['environment'], 'Team B'],
  [['rateLimit', 'sustained'], 0],
  [['rateLimit', 'burst'], 'many'],
  [['calculation', 'holdMinutes'], 0],
  [['calculation', 'retentionDays'], 0.01],
  [['calculation', 'idempotencyHours'], 24 * 7 + 1],
  [['latencyBudget', 'deadline'], 60_000],
  [['venues'], {}],
  [['venues', 0, 'venueId'], undefined],
  [['venues', 1, 'venueId'], 'oslo-central'],
  [['venues', 0, 'terminalSetups', 0], 500_123],
  [['venues', 0, 'currencies', 0], 'kr'],
  [['venues', 0, 'timeZone'], 'Europe/Atlantis'],
  [['venues', 0, 'programmeId'], 'no-such-club'],
  [['venues', 0, 'products', 0, 'unitPrice'], 39.5],
  [['programmes', 0, 'existingLineDiscounts'], 'sometimes'],
  [['programmes', 0, 'benefits', 1, 'benefitId'], 'twenty'],
  [['programmes', 0, 'benefits', 0, 'kind'], 'line_percentage'],
  [['programmes', 0, 'benefits', 0, 'percent'], 5.005],
  [['programmes', 0, 'benefits', 0, 'precent'], 20],
  [['programmes', 0, 'benefits', 1, 'limit', 'period'], 'hour'],
  [['members', 0, 'status'], 'asleep'],
  [['members', 0, 'loyaltyId'], 'x'.repeat(65)],
  [['members', 0, 'grants', 0], 'no-such-benefit'],
  [['members', 1, 'loyaltyId'], 'member-twenty'],
  [['venuse'], []],
];
test.each(BAD)('%j = %j', (path, value) => {
  const configuration: object = configurationOf();
  const parent = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>((node, name) => node[name] as never, configuration as never);
  parent[path.at(-1) ?? ''] = value;
  const message = refusalOf(JSON.stringify(configuration));
  // venues[0].venueId, venues.0.venueId and /venues/0/venueId all name the path; an unknown name may stand behind it.
  const [name, ...parents] = path.map(String).reverse();
  expect(message).toMatch(new RegExp(`${parents.reverse().join('\\W{1,2}')}.*\\b${name}\\b`));
  expect(message).not.toContain('\n');
});

test('a file that is no YAML', () => {
  expect(refusalOf('venues: [\n  {a: "b}\n')).toMatch(/^environment\.yaml: line \d/);
});

test('the file that was spoilt is taken as it is', () => {
  expect(refusalOf(JSON.stringify(configurationOf()))).toBe('');
});
