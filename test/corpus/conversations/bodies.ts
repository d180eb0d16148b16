import { Random } from '../../../packages/simulator/src/random.ts';
import { randomBasket } from '../../support/baskets.ts';
import { bytesOf } from '../../support/caller.ts';
import type { BasketBody } from '../../support/wire.ts';
import { OSLO } from '../configuration.ts';
import type { Conversation, Talk, Theme } from '../talk.ts';

const LARGEST = 262_144;

/** A basket of many kinds of lines, twice, and its sale. */
function ofSize(count: number, grants: string[]): Conversation {
  return async (talk) => {
    await talk.member('anna', grants);
    const random = new Random(count);
    const { calculationId, loyaltyId, context, requestedAt } = talk.basket('first', 'anna');
    const basket = randomBasket(random, count, { calculationId, loyaltyId, context, requestedAt });
    await talk.send(basket);
    await talk.send(basket);
    await talk.sell('first');
  };
}

/** The basket with as many blanks behind it as make this number of bytes. */
function padded(basket: BasketBody, bytes: number): Buffer {
  const body = bytesOf(basket);
  return Buffer.concat([body, Buffer.alloc(bytes - body.length, ' ')]);
}

/** Sends each variant of one right basket; every one has a calculation of its own. */
async function each(talk: Talk, variants: Record<string, (basket: BasketBody) => unknown>): Promise<void> {
  await talk.member('anna', ['twenty']);
  for (const [label, vary] of Object.entries(variants)) {
    const basket = talk.basket(label, 'anna', [{ quantity: 2 }, { parentLineId: 'line-1' }]);
    talk.note(`- ${label}`);
    await talk.send(vary(basket) ?? basket, { headers: { 'Idempotency-Key': basket.calculationId } });
  }
}

/** The text of a basket with one piece of it exchanged. */
function exchanged(piece: string | RegExp, by: string): (basket: BasketBody) => string {
  return (basket) => JSON.stringify(basket).replace(piece, by);
}

/** Bodies of every size, and every way in which one can be wrong. */
export const BODIES: Theme = {
  'one line': ofSize(1, ['twenty']),
  'twenty lines': ofSize(20, ['twenty', 'order-50']),
  'sixty lines': ofSize(60, ['twelve-half', 'pair-25', 'per-hundred']),
  'two hundred lines': ofSize(200, ['twenty', 'order-10']),
  'a dozen lines and much to choose from': ofSize(12, ['twelve-half', 'items-a-day', 'line-10-off', 'order-10']),
  'as many bytes as there may be, and one more': async (talk) => {
    await talk.member('anna', ['twenty']);
    await talk.send(padded(talk.basket('largest', 'anna'), LARGEST));
    await talk.send(padded(talk.basket('chunked', 'anna'), LARGEST - 7), { chunkBytes: 30_000 });
    await talk.send(padded(talk.basket('larger', 'anna'), LARGEST + 1));
    const note = { ...talk.basket('noted', 'anna'), note: 'ø'.repeat(120_000) };
    await talk.send(note);
  },
  'names in every script': (talk) =>
    each(talk, {
      scripts: (basket) => {
        basket.lines[0]!.name = '抹茶ラテ · Blåbær · Кофе · قهوة · 🎁👩‍👩‍👧 e\u0301';
        basket.lines[0]!.productId = '<script>&amp;"\\/\u2028';
        basket.context = { ...OSLO, cashRegisterId: 'Kasse № 7' };
      },
      escapes: exchanged('Product 1', 'Caf\\u00e9 \\ud83c\\udf81 \\t\\n\\u0000'),
      'lone surrogate': exchanged('Product 1', 'half \\ud83c of it'),
      'lone surrogate in a field that is not kept': exchanged('{', '{"other":"\\udc00",'),
      'spaces and order': (basket) => JSON.stringify(Object.fromEntries(Object.entries(basket).reverse()), null, '\t'),
      'unknown fields': (basket) => ({
        ...basket,
        extra: [null, { a: 1 }],
        lines: basket.lines.map((line) => ({ x: 1, ...line })),
      }),
      'a field twice': exchanged('"currency"', '"currency":"EUR","currency"'),
      __proto__: exchanged('{', '{"__proto__":{"currency":"EUR"},'),
    }),
  'decimals and large numbers': (talk) =>
    each(talk, {
      exponent: exchanged('"quantity":2,', '"quantity":2.0e0,'),
      'trailing zeros': exchanged('"quantity":2,', '"quantity":2.000000,'),
      'money with a fraction of zero': exchanged('"unitPrice":10000', '"unitPrice":10000.0'),
      'money with a fraction': exchanged('"unitPrice":10000', '"unitPrice":10000.5'),
      'too large for money': exchanged('"unitPrice":10000', '"unitPrice":9007199254740992'),
      'largest money': () => talk.basket('largest money', 'anna', [{ unitPrice: 9_007_199_254_740_991 }]),
      'not finite': exchanged('"quantity":2,', '"quantity":1e999,'),
      'below zero': exchanged('"quantity":2,', '"quantity":-2,'),
      'no quantity': exchanged('"quantity":2,', '"quantity":0,'),
      'tiny quantity': () =>
        talk.basket('tiny quantity', 'anna', [{ quantity: 0.000001 }, { quantity: 0.345, unitPrice: 1_999 }]),
      'percent with three decimals': (basket) => {
        Object.assign(basket.lines[0]!, { existingLineDiscountPercent: 12.345 });
      },
      'percent with two decimals': () => talk.basket('percent with two decimals', 'anna', [{ existingPercent: 32.35 }]),
    }),
  'what is no basket': (talk) =>
    each(talk, {
      empty: () => '',
      'no JSON': () => '{"calculationId":',
      'an array': () => '[]',
      null: () => 'null',
      'a byte order mark': (basket) => `\ufeff${JSON.stringify(basket)}`,
      'no UTF-8': (basket) => Buffer.concat([bytesOf(basket).subarray(0, -1), Buffer.from(',"x":"\xff"}', 'latin1')]),
      'something behind it': (basket) => `${JSON.stringify(basket)}{}`,
      'deeply nested': (basket) =>
        JSON.stringify(basket).replace('{', `{"deep":${'['.repeat(20_000)}${']'.repeat(20_000)},`),
      'a sale event': ({ calculationId }) => ({ calculationId, status: 'cancelled' }),
    }),
  'fields that are missing or wrong': (talk) =>
    each(talk, {
      ...Object.fromEntries(
        [
          'supersedesCalculationId',
          'loyaltyId',
          'currency',
          'requestedAt',
          'context',
          'lines',
          'orderDiscounts',
          'totals',
        ].flatMap((field) => [
          [`without ${field}`, (basket: BasketBody) => ({ ...basket, [field]: undefined })],
          [`${field} null`, (basket: BasketBody) => ({ ...basket, [field]: null })],
        ]),
      ),
      'no lines': (basket) => ({ ...basket, lines: [] }),
      'flag null': exchanged('"noDiscount":false', '"noDiscount":null'),
      'flag as text': exchanged('"noDiscount":false', '"noDiscount":"false"'),
      'loyalty ID too long': (basket) => ({ ...basket, loyaltyId: 'x'.repeat(65) }),
      'loyalty ID empty': (basket) => ({ ...basket, loyaltyId: '' }),
      'currency in small letters': (basket) => ({ ...basket, currency: 'nok' }),
      'time without offset': (basket) => ({ ...basket, requestedAt: '2024-11-20T12:00:00' }),
      'a day that does not exist': (basket) => ({ ...basket, requestedAt: '2024-02-30T12:00:00Z' }),
      'calculation ID in capitals': (basket) => ({ ...basket, calculationId: basket.calculationId.toUpperCase() }),
      'it supersedes itself': (basket) => ({ ...basket, supersedesCalculationId: basket.calculationId }),
      'an unknown channel': exchanged('"channel":"pos"', '"channel":"web"'),
      'an unknown type of discount': exchanged(
        '"existingLineDiscountType":"none"',
        '"existingLineDiscountType":"gift"',
      ),
      'a text of 41 characters': (basket) => {
        Object.assign(basket.lines[1]!, { existingLineDiscountText: 'x'.repeat(41) });
      },
      'a line ID twice': exchanged('line-2', 'line-1'),
      'a parent that is not there': exchanged('"parentLineId":"line-1"', '"parentLineId":"line-9"'),
      'a line that is its own parent': exchanged('"parentLineId":"line-1"', '"parentLineId":"line-2"'),
      'an order discount that is not there': (basket) => {
        basket.lines[0]!.orderDiscountAllocation = [{ orderDiscountId: 'nowhere', orderDiscountAllocationAmount: 0 }];
      },
    }),
  'sums that do not add up': (talk) =>
    each(talk, {
      ...Object.fromEntries(
        (
          ['originalTotal', 'existingDiscountTotal', 'orderDiscountTotal', 'loyaltyDiscountTotal', 'total'] as const
        ).map((field) => [
          field,
          (basket: BasketBody) => {
            basket.totals[field] += 1;
          },
        ]),
      ),
      'a line before discounts': exchanged('"originalLinePrice":20000', '"originalLinePrice":20001'),
      'a line after discounts': exchanged('"orderLinePrice":20000', '"orderLinePrice":19999'),
      'a discount of the type none': exchanged('"existingLineDiscountAmount":0', '"existingLineDiscountAmount":5'),
      'an order discount without its shares': (basket) => {
        basket.orderDiscounts.push({ orderDiscountId: 'staff', type: 'amount', amount: 500 });
      },
      'several at once': (basket) => {
        basket.totals.total += 1;
        basket.lines[1]!.orderLinePrice -= 1;
      },
    }),
};
