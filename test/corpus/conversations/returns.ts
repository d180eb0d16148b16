import type { LineWords } from '../../support/baskets.ts';
import type { Talk, Theme } from '../talk.ts';
import { bun, coffee, cream, soap } from './goods.ts';

async function sell(talk: Talk, grants: string[], lines: readonly LineWords[], programmeId = 'club'): Promise<void> {
  await talk.member('anna', grants, { programmeId });
  await talk.ring('sale', 'anna', lines);
  await talk.sell('sale');
}

/** Goods that come back: `lineId` and quantity of each. */
async function bring(talk: Talk, returnId: string, goods: Record<string, number>): Promise<void> {
  const lines = Object.entries(goods).map(([lineId, quantity]) => ({ lineId, quantity }));
  const calculationId = talk.id('sale');
  await talk.ops('POST /admin/returns/quote', { calculationId, lines });
  await talk.ops('POST /admin/returns', { calculationId, returnId, lines });
}

/** Returns, quoted and booked. */
export const RETURNS: Theme = {
  'units of a line, one after the other': async (talk) => {
    await sell(talk, ['third-free'], [soap(2), cream(), bun()]);
    await bring(talk, 'r-1', { 'line-1': 1 });
    await bring(talk, 'r-2', { 'line-1': 1, 'line-2': 1 });
    await bring(talk, 'r-3', { 'line-1': 1 });
  },
  'the same return again, and with other lines': async (talk) => {
    await sell(talk, ['twelve-half'], [{ quantity: 3, unitPrice: 1_001 }]);
    await bring(talk, 'r-1', { 'line-1': 2 });
    await bring(talk, 'r-1', { 'line-1': 2 });
    await bring(talk, 'r-1', { 'line-1': 1 });
    await bring(talk, 'r-2', { 'line-1': 2 });
    await bring(talk, 'r-3', { 'line-1': 1 });
  },
  'a limit and a gift come back with the last of the goods': async (talk) => {
    await sell(talk, ['once', 'gift'], [coffee(2), bun()]);
    await talk.ring('before', 'anna', [coffee()]);
    await bring(talk, 'r-1', { 'line-1': 1, 'added-1': 1 });
    await bring(talk, 'r-2', { 'line-1': 1, 'line-2': 1 });
    await talk.ring('after', 'anna', [coffee()]);
  },
  'a limit of all members comes back': async (talk) => {
    talk.marks.push('one-returned');
    await sell(talk, [], [{}], 'one-returned');
    await bring(talk, 'r-1', { 'line-1': 1 });
    await talk.commonLimits('one-returned');
    await talk.ring('after', 'anna');
  },
  'a share of the order': async (talk) => {
    await sell(talk, ['order-50', 'per-hundred'], [{ quantity: 2 }, { quantity: 0.345, unitPrice: 19_900 }]);
    await bring(talk, 'r-1', { 'line-2': 0.345 });
    await bring(talk, 'r-2', { 'line-1': 1 });
  },
  'repriced without what the rest does not earn': async (talk) => {
    await sell(talk, [], [coffee(2), { quantity: 3 }], 'fair');
    await bring(talk, 'r-1', { 'line-2': 1 });
    await bring(talk, 'r-2', { 'line-2': 2, 'line-1': 1 });
  },
  'by the number of the receipt': async (talk) => {
    await sell(talk, ['twenty'], [{}]);
    const transactionId = `receipt-${talk.id('sale').slice(0, 8)}`;
    const lines = [{ lineId: 'line-1', quantity: 1 }];
    await talk.ops('POST /admin/returns/quote', { transactionId, lines });
    await talk.ops('POST /admin/returns/quote', { transactionId: 'no-such-receipt', lines });
  },
  'what cannot be returned': async (talk) => {
    await sell(talk, ['twenty'], [{}]);
    await bring(talk, 'r-1', { 'line-9': 1 });
    await bring(talk, 'r-1', { 'line-1': 2 });
    await bring(talk, 'r-1', { 'line-1': 0.5 });
    await bring(talk, 'r-1', {});
    await talk.ring('open', 'anna');
    await talk.ring('cancelled', 'anna');
    await talk.sell('cancelled', 'cancelled');
    for (const label of ['open', 'cancelled', 'unseen'])
      await talk.ops('POST /admin/returns/quote', {
        calculationId: talk.id(label),
        lines: [{ lineId: 'line-1', quantity: 1 }],
      });
  },
};
