import { BERGEN, OSLO } from '../configuration.ts';
import type { Theme } from '../talk.ts';
import { bun, coffee } from './goods.ts';
import { steps } from './steps.ts';

/** Every status and reason of an answered basket, and whose label stands on it. */
export const STATUSES: Theme = {
  'a loyalty ID that nobody knows': async (talk) => {
    await talk.ring('first', 'stranger');
    await talk.ring('again', 'stranger', [{ quantity: 3 }], { supersedesCalculationId: talk.id('first') });
    await talk.sell('again', 'member_not_found');
  },
  'a member of another programme is not known': async (talk) => {
    await talk.member('anna', [], { programmeId: 'keeper' });
    await talk.ring('first', 'anna', [{}], { context: OSLO });
    await talk.ring('second', 'anna');
  },
  'a member without benefits': steps({ anna: [] }, 'first', 'sell first unchanged'),
  'members who are not active': async (talk) => {
    for (const status of ['paused', 'expired', 'blocked']) {
      await talk.member(status, ['twenty'], { status });
      await talk.ring(status, status);
    }
    await talk.sell('paused', 'unchanged');
  },
  'a basket that is too small': async (talk) => {
    await talk.member('anna', ['order-10']);
    await talk.ring('small', 'anna', [{ unitPrice: 19_999 }]);
    await talk.ring('enough', 'anna', [{ unitPrice: 20_000 }]);
  },
  'lines that may not be discounted': async (talk) => {
    await talk.member('anna', ['twenty']);
    await talk.ring('protected', 'anna', [{ noDiscount: true }, { noPercentageDiscount: true }]);
    await talk.ring('cheaper', 'anna', [{ existing: 2_500 }]);
    await talk.ring('some', 'anna', [{ noDiscount: true }, { noPercentageDiscount: true }, { existing: 1_500 }, {}]);
  },
  'goods that no benefit is for': async (talk) => {
    await talk.member('anna', ['coffee-29', 'menu', 'switched-off']);
    await talk.ring('first', 'anna', [bun(2)]);
  },
  'the label of the member, and the tier': async (talk) => {
    await talk.member('anna', [], { tier: 'gold', memberLabel: 'Ærlig Anna 🎂' });
    await talk.ring('first', 'anna', [coffee(2), bun()]);
    await talk.sell('first');
  },
  'venues, terminal setups and channels': async (talk) => {
    await talk.member('anna', ['mobile-only', 'spring-half']);
    await talk.member('berit', ['spring-half']);
    await talk.member('carl', ['spring-half']);
    await talk.ring('oslo', 'anna');
    await talk.ring('bergen', 'anna', [{}], { context: BERGEN });
    const context = { ...OSLO, baxId: '500124', terminalId: 'T-9', clerkNumber: 7, cashRegisterId: 'Kasse æøå' };
    await talk.ring('setup', 'anna', [{}], { context });
    await talk.ring('berit', 'berit');
    await talk.ring('carl', 'carl');
  },
  'the time of the basket': async (talk) => {
    await talk.member('anna', ['happy-hour']);
    for (const time of ['10:59:59', '11:00:00', '12:59:59', '13:00:00'])
      await talk.ring(time, 'anna', [{}], { requestedAt: `2024-11-20T${time}+01:00` });
    await talk.ring('utc', 'anna', [{}], { requestedAt: '2024-11-20T10:30:00.123456Z' });
    await talk.ring('thursday', 'anna', [{}], { requestedAt: '2024-11-21T12:00:00+01:00' });
  },
  'a member of the configuration file': async (talk) => {
    talk.members.set('filed', { programmeId: 'club', loyaltyId: 'of-the-file' });
    await talk.ring('first', 'filed');
    await talk.ops(`PUT ${talk.path('filed')}`, { status: 'active' });
  },
};
