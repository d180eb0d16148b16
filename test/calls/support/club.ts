import { memberToken } from '../../../src/store/keys.ts';
import { basketOf } from '../../support/baskets.ts';
import { configurationOf, memberOf, SINGLE_USE, TWENTY } from '../../support/configuration.ts';

/** A club with a benefit for everybody, some with limits, and one that all members share. */

const EVERYBODY = { ...TWENTY, audience: 'everyone', percent: 10 } as const;
/** 50 % off, ten times for the whole club each day, for lines of its group. */
const CROWD = {
  ...{
    ...EVERYBODY,
    benefitId: 'crowd',
    percent: 50,
    text: 'The first ten',
    appliesTo: { productGroupIds: ['crowd'] },
  },
  limit: { quantity: 10, period: 'day', counts: 'items', of: 'programme' },
} as const;
/** 30 % off six items in a lifetime. */
const TRIPLE = {
  ...{ ...TWENTY, benefitId: 'triple', percent: 30, text: 'Six times' },
  limit: { quantity: 6, period: 'lifetime', counts: 'items' },
} as const;

export const CLUB = configurationOf({
  programme: { benefits: [EVERYBODY, SINGLE_USE, TRIPLE, CROWD] },
  requestedAt: { pastHours: 1, aheadMinutes: 60 },
  members: [memberOf('anna', ['single-use']), memberOf('berit', ['triple']), memberOf('carla'), memberOf('tester')],
});

export const tokenOf = (loyaltyId: string) => memberToken('coffee-club', loyaltyId);

type More = Parameters<typeof basketOf>[1];
export const basketNow = (lines: Parameters<typeof basketOf>[0], more: More) =>
  basketOf(lines, { requestedAt: new Date().toISOString(), ...more });
export const ofAnna = (more: More = {}) => basketNow([{}], { loyaltyId: 'anna', ...more });
/** Eight cups, of which six get 30 %. */
export const ofBerit = (quantity = 8) => basketNow([{ quantity }], { loyaltyId: 'berit' });
