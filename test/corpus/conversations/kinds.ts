import type { LineWords } from '../../support/baskets.ts';
import type { Conversation, Theme } from '../talk.ts';
import { bun, burger, cake, coffee, cream, drink, fries, pizza, soap } from './goods.ts';

/** One basket of a member with these grants, which is then sold. */
function sold(grants: string[], ...lines: LineWords[]): Conversation {
  return async (talk) => {
    await talk.member('anna', grants);
    await talk.ring('first', 'anna', lines);
    await talk.sell('first');
  };
}

/** The same lines for the member of a programme with one policy. */
function at(programmeId: string, lines: readonly LineWords[], grants: string[] = []): Conversation {
  return async (talk) => {
    await talk.member('anna', grants, { programmeId });
    await talk.ring('first', 'anna', lines);
    await talk.sell('first');
  };
}

const STAFFED: LineWords[] = [
  { existing: 1_000 },
  { existingPercent: 30 },
  { shares: { 'staff-1': 700 } },
  { quantity: 3, shares: { 'staff-1': 1_300, 'staff-2': 50 } },
  {},
];

/** Every kind of benefit, several of them in one basket, and every policy of a programme. */
export const KINDS: Theme = {
  'a percentage with halves to round': sold(
    ['twelve-half'],
    { unitPrice: 1_001 },
    { quantity: 0.345, unitPrice: 1_999 },
  ),
  'an amount off each unit': sold(['bun-5-off'], bun(3), coffee()),
  'an amount off each line, up to a maximum': sold(['line-10-off'], {}, { unitPrice: 400 }, { quantity: 2 }),
  'a lower price for two units': sold(['coffee-29'], coffee(3)),
  'the third one free, spread over all': sold(['third-free'], soap(2), cream(2), bun()),
  'the cheapest of a pair at half its price': sold(
    ['pizza-pair'],
    pizza(),
    pizza(1, { unitPrice: 14_900 }),
    pizza(1, { unitPrice: 16_900 }),
  ),
  'a menu at a price': sold(['menu'], burger(), fries(), drink(2)),
  'a pair for less': sold(['pair-25'], cake(3), cake(1, { unitPrice: 2_500 })),
  'a gift that is added': sold(['gift'], coffee(2)),
  'a gift that was rung up': sold(['gift-rung-up'], coffee(), { ...bun(2), productId: '4712' }),
  'a percentage of the order': sold(
    ['order-10'],
    { unitPrice: 3_333 },
    { unitPrice: 3_333 },
    { unitPrice: 15_000, noDiscount: true },
  ),
  'an amount off the order': sold(['order-50'], {}, { quantity: 1.5, unitPrice: 333 }),
  'an amount for every hundred': sold(['per-hundred'], { quantity: 4, unitPrice: 9_900 }),
  'the best of a group': sold(['welcome-500', 'welcome-1000'], { quantity: 12 }),
  'one that stands alone': sold(['alone-40', 'order-10', 'bun-5-off'], { quantity: 2 }, bun()),
  'many in one basket': sold(
    ['twenty', 'coffee-29', 'third-free', 'menu', 'pair-25', 'gift', 'order-10', 'per-hundred', 'bun-5-off'],
    ...[coffee(2), bun(4), soap(3), cream(), burger(), fries(), drink(), cake(2), pizza()],
    ...STAFFED,
  ),
  'discounts of the staff, replaced where loyalty gives more': sold(['twenty'], ...STAFFED),
  'discounts of the staff that stay': at('keeper', STAFFED, ['twenty']),
  'discounts of the staff, and loyalty besides': at('stacker', STAFFED, ['twenty']),
  'order discounts of the staff that may be replaced': at('replacer', STAFFED, ['twenty']),
  'the staff or the member, for the whole basket': at('whole', STAFFED, ['twenty']),
  'modifiers, weighed goods and what is excluded': at('kitchen', [
    burger(),
    burger(1, { unitPrice: 10_900 }),
    { name: 'Cheese', productGroupId: 'extra', unitPrice: 1_500, parentLineId: 'line-2' },
    { productGroupId: 'fruit', quantity: 1.234, unitPrice: 3_490 },
    { productGroupId: 'tobacco', unitPrice: 14_900 },
  ]),
  'another currency and language': async (talk) => {
    await talk.member('anna', [], { programmeId: 'harbour' });
    await talk.ring('euro', 'anna', [coffee(2, { unitPrice: 2_000 })], { currency: 'EUR' });
    await talk.ring('kroner', 'anna', [coffee(8)]);
    await talk.ring('too small', 'anna', [bun()]);
  },
  'our own discounts that come back': async (talk) => {
    await talk.member('anna', ['order-50']);
    const own = talk.basket('first', 'anna', [{ shares: { 'loyalty-order-50': 5_000 } }]);
    for (const discount of own.orderDiscounts) discount.discountCode = 'loyalty';
    await talk.send(own);
    await talk.member('berit');
    const left = talk.basket('second', 'berit', [{ shares: { 'loyalty-order-50': 5_000 } }]);
    for (const discount of left.orderDiscounts) discount.discountCode = 'loyalty';
    await talk.send(left);
  },
};
