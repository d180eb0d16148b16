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

  it('takes equal periods for equal, whatever a fraction of an hour or a day loses', () => {
    for (let ms = 1; ms < 100_000_000; ms = Math.ceil(ms * 1.1) + 7) {
      const calculation = {
        holdMinutes: ms / 60_000,
        idempotencyHours: ms / 3_600_000,
        retentionDays: ms / 86_400_000,
      };
      const text = JSON.stringify({ environment: 'staging', venues: [], programmes: [], calculation });
      expect(loadEnvironment(text, 'x.yaml').calculation.holdMs, `${ms} ms`).toBe(ms);
    }
  });

  it('refuses what is no YAML, no mapping, or nothing', () => {
    expect(messageOf('a: [')).toMatch(/^file\.yaml: line 1: found a \[ that is never closed, allowed: .+$/);
    expect(messageOf('')).toBe('file.yaml: found an empty file, allowed: a mapping');
    expect(messageOf('a: 1\na: 2')).toMatch(/line 2/);
  });
});
