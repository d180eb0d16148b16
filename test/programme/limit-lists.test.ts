import { describe, expect, it } from 'vitest';
import { loadEnvironment } from '../../src/programme/load.ts';

/** Several limits of one benefit, in the configuration file. */

const venue = {
  ...{ venueId: 'oslo', terminalSetups: ['1'], currencies: ['NOK'], timeZone: 'Europe/Oslo', programmeId: 'club' },
};
const daily = { quantity: 3, period: 'day', counts: 'baskets' };
const weekly = { quantity: 9, period: 'week', counts: 'items' };

const messageOf = (limit: unknown) => faultOf(limit).replace('file: programmes[0].benefits[0].', '');

function faultOf(limit: unknown, venues: readonly object[] = [venue]): string {
  const benefit = { benefitId: 'first', kind: 'line_percent', percent: 10, limit };
  const programmes = [{ programmeId: 'club', benefits: [benefit] }];
  try {
    loadEnvironment(JSON.stringify({ environment: 'staging', venues, programmes }), 'file');
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

describe('what is wrong with a limit', () => {
  it('is said of its quantity, which is an amount only of money', () => {
    const allowed = 'a whole number from 1 to 1000000, or counts: money';
    expect(messageOf({ ...daily, quantity: 1_000_001 })).toBe(`limit.quantity: found 1000001, allowed: ${allowed}`);
    expect(messageOf({ ...daily, quantity: { NOK: 5 } })).toBe(`limit.quantity: found {"NOK":5}, allowed: ${allowed}`);
    expect(messageOf({ ...daily, quantity: 1_000_000 })).toBe('none');
    expect(messageOf({ ...daily, counts: 'money', quantity: 1_000_001 })).toBe('none');
  });

  it("is said of whose it is: a basket is one member's, and a limit of a venue needs one", () => {
    const basket = { ...daily, counts: 'items', period: 'basket' };
    expect(messageOf({ ...basket, of: 'programme' })).toBe(
      'limit.of: found "programme" with period: basket, allowed: member, or a longer period: all members together have no basket in common',
    );
    expect(
      [
        { ...basket, of: 'member' },
        { ...daily, of: 'venue' },
        { ...daily, of: 'programme' },
      ].map((limit) => messageOf(limit)),
    ).toEqual([...['none', 'none', 'none']]);
    expect(faultOf({ ...daily, of: 'venue' }, [])).toBe(
      'file: programmes[0].benefits[0].limit.of: found "venue", allowed: one of member, programme, because no venue names the programme',
    );
    expect(faultOf({ ...daily, of: 'programme' }, [])).toBe('none');
  });

  it('is said of a second one with the same counter, and of a second one that is shared out', () => {
    const again = 'allowed: another period, counts or of than in the others of the list';
    expect(messageOf([daily, weekly, { ...daily, of: 'member', quantity: 1 }])).toBe(
      `limit[2]: found a second limit of baskets by day of the member, ${again}`,
    );
    expect(messageOf([daily, { ...daily, of: 'programme' }])).toBe('none');
    expect(messageOf([daily, { ...daily, of: 'programme' }, { ...daily, of: 'programme' }])).toBe(
      `limit[2]: found a second limit of baskets by day of the programme, ${again}`,
    );
    const [one, other] = [
      { ...weekly, limitId: 'one' },
      { ...weekly, limitId: 'other' },
    ];
    expect(messageOf([one, other])).toBe(
      'limit[1].limitId: found "other", allowed: one limit of items or money with a limitId; others that are shared count baskets',
    );
    expect(messageOf([{ ...daily, limitId: 'a' }, one, { ...daily, limitId: 'b' }, weekly])).toBe('none');
  });
});
