import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/programme/configuration-error.ts';
import { loadEnvironment } from '../../src/programme/load.ts';

/** A file of the test's own, so that nothing here changes with `config/staging.yaml`. */
const FILE = `environment: staging
rateLimit: { sustained: 50, burst: 200 }
calculation: { holdMinutes: 30, idempotencyHours: 24, retentionDays: 7 }
latencyBudget: { p95: 150, p99: 250, deadline: 400 }
venues:
  - venueId: oslo
    terminalSetups: ["500123", "500124"]
    currencies: [NOK]
    timeZone: Europe/Oslo
    programmeId: club
  - { venueId: turku, terminalSetups: ["600201"], currencies: [EUR], timeZone: Europe/Helsinki, programmeId: bistro }
programmes:
  - programmeId: club
    discountCode: loyalty
    existingLineDiscounts: replace_if_larger
    existingOrderDiscounts: keep
    benefits:
      - { benefitId: twenty, kind: line_percent, text: Twenty, percent: 20, audience: granted }
      - benefitId: treat
        kind: line_percent
        percent: 100
        text: Treat
        audience: granted
        limit: { quantity: 1, period: year, counts: baskets }
  - { programmeId: bistro, discountCode: x, existingLineDiscounts: keep, existingOrderDiscounts: keep, benefits: [] }
members:
  - { programmeId: club, loyaltyId: anna, status: active }
  - { programmeId: club, loyaltyId: berit, status: active, grants: [treat] }
`;

/** The message for the file with one text replaced. */
function refusal(from: string, to: string): string {
  expect(FILE).toContain(from);
  return messageOf(FILE.replace(from, to));
}

function messageOf(text: string): string {
  try {
    loadEnvironment(text, 'file.yaml');
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as Error).message).not.toContain('\n');
    return (error as Error).message;
  }
  throw new Error('the configuration was accepted');
}

describe('loadEnvironment', () => {
  it('loads a file', () => {
    const environment = loadEnvironment(FILE, 'file.yaml');
    expect(environment).toMatchObject({
      name: 'staging',
      rateLimit: { sustained: 50, burst: 200 },
      calculation: { holdMs: 1_800_000, idempotencyMs: 86_400_000, retentionMs: 604_800_000, soldMs: 2_592_000_000 },
      latencyBudget: { p95Ms: 150, p99Ms: 250, deadlineMs: 400 },
    });
    expect(environment.version).toMatch(/^[0-9a-f]{12}$/);
    expect(environment.members.map(({ loyaltyId }) => loyaltyId)).toEqual(['anna', 'berit']);
  });

  it('fills in what a file leaves out', () => {
    const environment = loadEnvironment('{ environment: production, venues: [], programmes: [] }', 'x.yaml');
    expect(environment).toMatchObject({
      calculation: { holdMs: 1_800_000 },
      latencyBudget: { deadlineMs: 400 },
      members: [],
    });
  });

  it('takes fractions of a minute', () => {
    const environment = loadEnvironment(FILE.replace('holdMinutes: 30', 'holdMinutes: 0.02'), 'x.yaml');
    expect(environment.calculation.holdMs).toBe(1_200);
  });

  it.each([
    ['programmeId: club\n', 'programmeId: tea\n', 'venues[0].programmeId: found "tea", allowed: one of club, bistro'],
    [
      'Europe/Oslo',
      'Europe/Olso',
      'venues[0].timeZone: found "Europe/Olso", allowed: an IANA time zone such as Europe/Oslo',
    ],
    ['"600201"', '"500123"', 'venues[1].terminalSetups[0]: found "500123" a second time'],
    ['venueId: turku', 'venueId: oslo', 'venues[1].venueId: found "oslo" a second time'],
    ['burst: 200', 'bursts: 200', 'rateLimit: found the unknown field "bursts", allowed: sustained, burst'],
    ['deadline: 400', 'deadline: 500', 'latencyBudget.deadline: found 500, allowed: milliseconds from 100 to 499'],
    ['p95: 150', 'p95: 251', 'latencyBudget.p95: found 251, allowed: at most p99 (250)'],
    [
      'percent: 20',
      'percent: 20.005',
      'programmes[0].benefits[0].percent: found 20.005, allowed: a percentage above 0',
    ],
    ['percent: 20', 'percent: 101', 'programmes[0].benefits[0].percent: found 101'],
    ['period: year, ', '', 'limit.period: found nothing, allowed: one of lifetime, year, month, week, day'],
    ['benefitId: treat', 'benefitId: twenty', 'programmes[0].benefits[1].benefitId: found "twenty" a second time'],
    [
      'benefitId: treat',
      'benefitId: "a treat"',
      'programmes[0].benefits[1].benefitId: found "a treat", allowed: 1 to 64',
    ],
    [
      'kind: line_percent',
      'kind: line_procent',
      'programmes[0].benefits[0].kind: found "line_procent", allowed: one of line_percent',
    ],
    ['text: Twenty', `text: ${'x'.repeat(41)}`, 'programmes[0].benefits[0].text: found'],
    ['grants: [treat]', 'grants: [treats]', 'members[1].grants[0]: found "treats", allowed: one of twenty, treat'],
    ['loyaltyId: berit', 'loyaltyId: anna', 'a second time'],
    ['holdMinutes: 30', 'holdMinutes: 0', 'calculation.holdMinutes: found 0'],
    ['environment: staging', 'environment: Team B', 'environment: found "Team B", allowed: a name such as production'],
    ['environment: staging', 'environment: "a:b"', 'environment: found "a:b", allowed: a name such as production'],
  ])('refuses %j → %j', (from, to, message) => {
    expect(refusal(from, to)).toContain('file.yaml: ');
    expect(refusal(from, to)).toContain(message);
  });

  it('refuses what is no YAML, no mapping, or nothing', () => {
    expect(messageOf('a: [')).toMatch(/^file\.yaml: line 1: found a \[ that is never closed, allowed: .+$/);
    expect(messageOf('')).toBe('file.yaml: found an empty file, allowed: a mapping');
    expect(messageOf('a: 1\na: 2')).toMatch(/line 2/);
  });
});
