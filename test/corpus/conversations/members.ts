import type { Talk, Theme } from '../talk.ts';
import { coffee } from './goods.ts';

const HALF_AN_HOUR = 1_800;
const A_DAY = 86_400;

/** A member whose clock may be moved, under the name that the configuration has for it. */
function tester(talk: Talk, loyaltyId: string, grants: string[]): Promise<void> {
  return talk.member('anna', grants, { loyaltyId });
}

function move(talk: Talk, aheadSeconds: number): Promise<unknown> {
  const { programmeId, loyaltyId } = talk.members.get('anna')!;
  return talk.ops('POST /admin/clock', { programmeId, loyaltyId, aheadSeconds });
}

/** Members who are merged, erased, written again, or whose clock is moved. */
export const MEMBERS: Theme = {
  'merged with open, sold and cancelled baskets': async (talk) => {
    const stamp = { benefitId: 'stamp-card', grantId: 'card-1', quantity: 2 };
    await talk.member('old', ['once', 'twice', stamp]);
    await talk.member('new', ['twice', { ...stamp, quantity: 1 }], { memberLabel: 'New card' });
    for (const label of ['open', 'sold', 'cancelled']) await talk.ring(label, 'old', [coffee(2)]);
    await talk.sell('sold');
    await talk.sell('cancelled', 'cancelled');
    await talk.ring('own', 'new');
    await talk.ops(`POST ${talk.path('old')}/merge`, { into: talk.loyaltyId('new') });
    await talk.ring('open', 'old', [coffee(2)]);
    await talk.sell('open');
    await talk.sell('sold');
    await talk.ring('after', 'old');
    await talk.ring('after too', 'new', [coffee()]);
    await talk.ops(`POST ${talk.path('old')}/merge`, { into: talk.loyaltyId('new') });
    await talk.ops(`PUT ${talk.path('old')}`, { status: 'active' });
  },
  'merged while a successor and a return are still to come': async (talk) => {
    await talk.member('old', ['once']);
    await talk.member('new');
    await talk.ring('sold', 'old');
    await talk.sell('sold');
    await talk.ring('open', 'old');
    await talk.ops(`POST ${talk.path('old')}/merge`, { into: talk.loyaltyId('new') });
    const returned = { calculationId: talk.id('sold'), returnId: 'r-1', lines: [{ lineId: 'line-1', quantity: 1 }] };
    await talk.ops('POST /admin/returns', returned);
    await talk.ring('next', 'new', [{}], { supersedesCalculationId: talk.id('open') });
    await talk.ops(`POST ${talk.path('new')}/merge`, { into: talk.loyaltyId('nobody') });
    await talk.ops(`POST ${talk.path('new')}/merge`, { into: talk.loyaltyId('new') });
  },
  erased: async (talk) => {
    await talk.member('anna', ['once']);
    await talk.ring('sold', 'anna');
    await talk.sell('sold');
    await talk.ring('open', 'anna');
    await talk.ops(`DELETE ${talk.path('anna')}`);
    await talk.sell('open');
    await talk.sell('sold');
    await talk.ring('after', 'anna');
    await talk.ring('sold', 'anna');
    await talk.ops(`DELETE ${talk.path('anna')}?certificate=yes`);
  },
  'erased, and registered again': async (talk) => {
    await talk.member('anna', ['once']);
    await talk.ring('first', 'anna');
    await talk.sell('first');
    await talk.ops(`DELETE ${talk.path('anna')}`);
    await talk.member('anna', ['once']);
    await talk.ring('second', 'anna');
    await talk.ring('first', 'anna', [{ quantity: 2 }]);
  },
  'paused, and active again': async (talk) => {
    await talk.member('anna', ['twice']);
    await talk.ring('first', 'anna');
    await talk.member('anna', ['twice'], { status: 'paused' });
    await talk.ring('second', 'anna');
    await talk.sell('first');
    await talk.member('anna', ['twice'], { tier: 'gold' });
    await talk.ring('third', 'anna');
  },
  'members that cannot be written': async (talk) => {
    const path = talk.path('anna');
    await talk.ops(`PUT ${path}`, { status: 'asleep' });
    await talk.ops(`PUT ${path}`, { status: 'active', grants: ['no-such-benefit'] });
    await talk.ops(`PUT ${path.replace('/club/', '/nowhere/')}`, { status: 'active' });
    await talk.ops(`PUT ${path}`, '{');
    await talk.ring('first', 'anna');
  },
  'loyalty IDs of any text': async (talk) => {
    for (const [label, loyaltyId] of Object.entries({
      emoji: '🎂'.repeat(31),
      colon: 'a:{b}\n*c',
      slash: 'card/4711?x=1#y',
    })) {
      await talk.member(label, ['once'], { loyaltyId });
      await talk.ring(label, label);
    }
  },
  'half an hour later a hold is over, and its unit free': async (talk) => {
    await tester(talk, 'tester-hold', ['once']);
    await talk.ring('first', 'anna');
    await talk.ring('beside', 'anna');
    await move(talk, HALF_AN_HOUR);
    await talk.untilState('first', 'expired');
    await talk.ring('second', 'anna');
    await talk.sell('first');
    await talk.sell('second');
  },
  'a day later a key is free': async (talk) => {
    await tester(talk, 'tester-key', ['twice']);
    await talk.ring('first', 'anna');
    await move(talk, A_DAY - 600);
    await talk.untilState('first', 'expired');
    await talk.ring('first', 'anna');
    await talk.ring('first', 'anna', [{ quantity: 2 }]);
    await move(talk, 600);
    await talk.ring('first', 'anna', [{ quantity: 2 }]);
    await talk.sell('first');
  },
  'a clock that is moved and set right': async (talk) => {
    await tester(talk, 'tester-right', ['twenty']);
    await move(talk, 7 * A_DAY);
    const { programmeId, loyaltyId } = talk.members.get('anna')!;
    await talk.ops(`DELETE /admin/clock?programmeId=${programmeId}&loyaltyId=${loyaltyId}`);
    await talk.ring('first', 'anna');
    await talk.ops('POST /admin/clock', { programmeId, loyaltyId: 'somebody', aheadSeconds: 60 });
  },
};
