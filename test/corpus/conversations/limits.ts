import { SALE_PATH } from '../../support/caller.ts';
import { SECOND_VENUE } from '../configuration.ts';
import type { Theme } from '../talk.ts';
import { coffee } from './goods.ts';

const THURSDAY = '2024-11-21T12:00:00+01:00';
const card = (grantId: string, more: object = {}) => ({ benefitId: 'stamp-card', grantId, quantity: 1, ...more });

/** Limits of a member, grants that are used up, and limits over all members. */
export const LIMITS: Theme = {
  'twice in a lifetime': async (talk) => {
    await talk.member('anna', ['twice']);
    for (const label of ['1', '2', '3']) await talk.ring(label, 'anna');
    await talk.sell('1');
    await talk.sell('2', 'cancelled');
    await talk.ring('4', 'anna');
  },
  'three items a day': async (talk) => {
    await talk.member('anna', ['items-a-day']);
    await talk.ring('two', 'anna', [{ quantity: 2 }]);
    await talk.ring('one more', 'anna', [{ quantity: 2 }, { quantity: 0.5 }]);
    await talk.ring('none', 'anna');
    await talk.ring('thursday', 'anna', [{ quantity: 4 }], { requestedAt: THURSDAY });
    await talk.sell('two');
    await talk.sell('thursday');
  },
  'an amount in a month': async (talk) => {
    await talk.member('anna', ['money-a-month']);
    await talk.ring('most', 'anna', [{ unitPrice: 15_001 }]);
    await talk.ring('rest', 'anna', [{ unitPrice: 15_001 }]);
    await talk.ring('none', 'anna');
    await talk.sell('rest');
    await talk.ring('december', 'anna', [{}], { requestedAt: '2024-12-01T00:00:00+01:00' });
  },
  'one limit for two benefits': async (talk) => {
    await talk.member('anna', ['a-week-a', 'a-week-b']);
    await talk.ring('first', 'anna');
    await talk.ring('second', 'anna');
    await talk.ring('next week', 'anna', [{}], { requestedAt: '2024-11-25T00:00:00+01:00' });
    await talk.sell('first');
  },
  'a gift is given once': async (talk) => {
    await talk.member('anna', ['gift']);
    await talk.ring('first', 'anna', [coffee()]);
    await talk.ring('second', 'anna', [coffee()]);
    await talk.sell('first');
  },
  'stamp cards, one after the other': async (talk) => {
    await talk.member('anna', [card('card-1'), card('card-2', { from: '2024-01-01', to: '2024-12-31' })]);
    await talk.untilGrantsEnded();
    for (const label of ['1', '2', '3']) await talk.ring(label, 'anna', [coffee(2)]);
    await talk.sell('1');
    await talk.ring('2025', 'anna', [coffee()], { requestedAt: '2025-01-01T00:00:00+01:00' });
  },
  'grants that are given, repeated and taken': async (talk) => {
    await talk.member('anna');
    const path = `${talk.path('anna')}/grants/card-9`;
    await talk.ops(`PUT ${path}`, { benefitId: 'stamp-card', quantity: 1 });
    await talk.ring('first', 'anna', [coffee()]);
    await talk.ops(`PUT ${path}`, { benefitId: 'stamp-card', quantity: 1 });
    await talk.sell('first');
    await talk.ring('second', 'anna', [coffee()]);
    await talk.ops(`DELETE ${path}`);
    await talk.ops(`DELETE ${path}`);
    await talk.ring('third', 'anna', [coffee()]);
    await talk.ops(`PUT ${talk.path('anna')}/grants/x`, { benefitId: 'no-such-benefit' });
  },
  'uses that are given back': async (talk) => {
    await talk.member('anna', ['once']);
    await talk.ring('first', 'anna');
    await talk.sell('first');
    const giveBack = `POST ${talk.path('anna')}/uses/once/give-back`;
    await talk.ops(giveBack, { units: 2, reason: 'a mistake' });
    await talk.ops(giveBack, { units: 1, reason: 'a mistake' });
    await talk.ring('second', 'anna');
  },
  'the first two of all members': async (talk) => {
    talk.marks.push('first-two');
    for (const name of ['anna', 'berit', 'carl']) {
      await talk.member(name, [], { programmeId: 'first-two' });
      await talk.ring(name, name);
    }
    await talk.sell('anna');
    await talk.sell('berit', 'cancelled');
    await talk.ring('carl again', 'carl');
    await talk.commonLimits('first-two');
  },
  'one a day at each venue': async (talk) => {
    talk.marks.push('one-at-venue');
    for (const [name, more] of Object.entries({ anna: {}, berit: {}, carl: { context: SECOND_VENUE } })) {
      await talk.member(name, [], { programmeId: 'one-at-venue' });
      await talk.ring(name, name, [{}], more);
    }
    await talk.ring('thursday', 'berit', [{}], { requestedAt: THURSDAY });
    await talk.sell('anna');
  },
  'a budget of all members': async (talk) => {
    talk.marks.push('budget');
    for (const [name, unitPrice] of Object.entries({ anna: 20_000, berit: 15_000, carl: 500 })) {
      await talk.member(name, [], { programmeId: 'budget' });
      await talk.ring(name, name, [{ unitPrice }]);
    }
    await talk.sell('anna');
    await talk.commonLimits('budget');
    await talk.sell('berit', 'failed');
    await talk.ring('carl again', 'carl', [{ unitPrice: 4_000 }]);
  },
  'a unit of all members goes over to the successor': async (talk) => {
    talk.marks.push('one-swapped');
    await talk.member('anna', [], { programmeId: 'one-swapped' });
    await talk.member('berit', [], { programmeId: 'one-swapped' });
    await talk.ring('1', 'anna');
    await talk.ring('2', 'anna', [{ quantity: 2 }], { supersedesCalculationId: talk.id('1') });
    await talk.ring('beside', 'berit');
    await talk.ring('3', 'berit', [{}], { supersedesCalculationId: talk.id('2') });
    await talk.ring('4', 'berit', [{ noDiscount: true }], { supersedesCalculationId: talk.id('3') });
    await talk.ring('5', 'anna');
    await talk.sell('5');
    await talk.commonLimits('one-swapped');
  },
  'a superseded one is sold beyond a limit of all members': async (talk) => {
    talk.marks.push('one-sold-late');
    await talk.member('anna', [], { programmeId: 'one-sold-late' });
    await talk.ring('1', 'anna');
    await talk.ring('2', 'anna', [{}], { supersedesCalculationId: talk.id('1') });
    await talk.sell('1');
    await talk.sell('2');
    await talk.commonLimits('one-sold-late');
  },
  'a limit of all members and one of each': async (talk) => {
    talk.marks.push('both-limits');
    await talk.member('anna', [], { programmeId: 'both-limits' });
    await talk.member('berit', [], { programmeId: 'both-limits' });
    await talk.ring('1', 'anna');
    await talk.ring('2', 'anna');
    await talk.sell('1');
    await talk.ring('3', 'berit');
    await talk.commonLimits('both-limits');
  },
  'six members at once for three units': async (talk) => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const name of names) await talk.member(name, [], { programmeId: 'rushed' });
    const answers = await Promise.all(names.map((name) => talk.exchange(talk.basket(name, name))));
    talk.note(
      `< ${answers
        .map((answer) => String(answer.json()['status']))
        .sort()
        .join(', ')}`,
    );
    await talk.commonLimits('rushed');
    for (const name of names)
      await talk.exchange({ calculationId: talk.id(name), status: 'cancelled' }, { path: SALE_PATH });
    await talk.commonLimits('rushed');
    // Who was first is of the moment.
    talk.calculations.clear();
    talk.members.clear();
  },
};
