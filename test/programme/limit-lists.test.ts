import { describe, expect, it } from 'vitest';
import { loadEnvironment } from '../../src/programme/load.ts';

/** Several limits of one benefit, in the configuration file. */

const venue = {
  ...{ venueId: 'oslo', terminalSetups: ['1'], currencies: ['NOK'], timeZone: 'Europe/Oslo', programmeId: 'club' },
};
const daily = { quantity: 3, period: 'day', counts: 'baskets' };
const weekly = { quantity: 9, period: 'week', counts: 'items' };

function faultOf(limit: unknown): string {
  const benefit = { benefitId: 'first', kind: 'line_percent', percent: 10, limit };
  const programmes = [{ programmeId: 'club', benefits: [benefit] }];
  try {
    loadEnvironment(JSON.stringify({ environment: 'staging', venues: [venue], programmes }), 'file');
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a list of limits', () => {
  it.each([
    [[daily]],
    [[daily, weekly, { ...daily, period: 'month' }, { ...daily, limitId: 'all' }]],
    [
      [
        { ...daily, of: 'member', limitId: 'one' },
        { ...weekly, limitId: 'other' },
      ],
    ],
  ])('may be %j', (limit) => {
    expect(faultOf(limit)).toBe('none');
  });

  it.each([
    [[], 'benefits[0].limit: found [], allowed: a list of 1 to 4 limits'],
    [[daily, weekly, daily, weekly, daily], 'allowed: a list of 1 to 4 limits'],
    [[daily, { ...weekly, period: 'fortnight' }], 'benefits[0].limit[1].period: found "fortnight"'],
    [[daily, { ...weekly, quantity: 2_000_000 }], 'benefits[0].limit[1].quantity: found 2000000'],
    [[daily, { ...weekly, quantity: { NOK: 1 } }], 'benefits[0].limit[1].quantity'],
    [[daily, { ...daily, quantity: 4 }], 'benefits[0].limit[1]: found a second limit of baskets by day of the member'],
    [
      [
        { ...weekly, limitId: 'one' },
        { ...daily, counts: 'money', limitId: 'other' },
      ],
      'benefits[0].limit[1].limitId: found "other", allowed: one limit of items or money with a limitId',
    ],
    [{ ...daily, of: 'everybody' }, 'benefits[0].limit.of: found "everybody"'],
    [{ ...daily, off: 'member' }, 'benefits[0].limit: found the unknown field "off"'],
  ])('may not be %j', (limit, words) => {
    expect(faultOf(limit)).toContain(words);
  });
});
