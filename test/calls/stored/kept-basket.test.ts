import { findRequestFaults } from '@loyalty/contract/basket/identities';
import type { ProgrammeDefinition } from '@loyalty/engine/definition';
import type { SelectorDefinition } from '@loyalty/engine/lines/selector';
import type { PricedMember } from '@loyalty/engine/types';
import { expect, test } from 'vitest';
import { buildMember, buildVenue } from '../../../packages/engine/test/support/programme.ts';
import { decodeKeptBasket, encodeKeptBasket, keptMemberOf } from '../../../src/calls/stored/kept-basket.ts';
import { keptLineId } from '../../../src/calls/stored/kept-form.ts';
import { isKept } from '../../../src/store/calculations.ts';
import { basketOf } from '../../support/baskets.ts';
import type { BasketBody } from '../../support/wire.ts';

const NOBODY = { configuration: '0123456789ab', member: undefined, used: new Map<string, number>() };

/** A basket with every field that a price depends on, and some that none does. */
function fullBasket(): BasketBody {
  const basket = basketOf(
    [
      { productId: '4711', productGroupId: 'kaffe-ærlig', ean: '7038010009457', productMasterId: '815', quantity: 3 },
      { productId: 'cake/2', productGroupId: 'kaffe-ærlig', quantity: 0.375, unitPrice: 19_990 },
      { productId: '0042', parentLineId: 'line-1' },
    ],
    { loyaltyId: 'a-person', requestedAt: '2026-11-21T12:34:56.789+01:00' },
  );
  const [first, , third] = basket.lines as [BasketBody['lines'][number], unknown, BasketBody['lines'][number]];
  Object.assign(first, {
    noPercentageDiscount: true,
    existingLineDiscountType: 'percent',
    existingLineDiscountPercent: 12.5,
    existingLineDiscountAmount: 100,
    existingLineDiscountText: 'For a friend',
    lineId: 'line-1',
    orderDiscountAllocation: [{ orderDiscountId: 'staff', orderDiscountAllocationAmount: 50 }],
  });
  Object.assign(third, { noDiscount: true });
  first.orderLinePrice = first.originalLinePrice - 150;
  basket.orderDiscounts = [{ orderDiscountId: 'staff', type: 'percent', amount: 50, percent: 0.55, text: 'Anna' }];
  const total = basket.lines.reduce((sum, { orderLinePrice }) => sum + orderLinePrice, 0);
  basket.totals = { ...basket.totals, existingDiscountTotal: 100, orderDiscountTotal: 50, total };
  expect(findRequestFaults(basket).mismatch).toBeUndefined();
  return basket;
}

test('what a price depends on comes back, and the amounts add up', () => {
  const asked = fullBasket();
  const member = { status: 'active', tier: 'gold', grants: ['cake'] } as const;
  const used = new Map([['cake:2026-11-21', 2]]);
  const { basket, ...facts } = decodeKeptBasket(
    encodeKeptBasket(asked, { ...NOBODY, member, used: new Map([...used, ['tea:*', 0]]) }),
  );
  expect(facts).toEqual({ configuration: NOBODY.configuration, member, used });
  expect(findRequestFaults(basket).mismatch).toBeUndefined();
  expect(basket.totals).toEqual(asked.totals);
  expect(Date.parse(basket.requestedAt)).toBe(Date.parse(asked.requestedAt));
  expect(basket).toMatchObject({ currency: 'NOK', context: { baxId: asked.context.baxId, channel: 'pos' } });
  expect(basket.lines).toEqual(
    asked.lines.map((line) => {
      const { existingLineDiscountText: _text, orderDiscountAllocation: allocations, ...rest } = line;
      return {
        ...rest,
        name: line.productId,
        orderDiscountAllocation: allocations.map((allocation) => ({ ...allocation, orderDiscountId: '1' })),
      };
    }),
  );
  expect(basket.orderDiscounts).toEqual([{ orderDiscountId: '1', type: 'percent', amount: 50, percent: 0.55 }]);
});

test('the parent of a line is the line that it names, and an amount off the order has no percentage', () => {
  const asked = basketOf([{}, {}, { parentLineId: 'line-2' }, { parentLineId: 'line-1' }]);
  asked.orderDiscounts = [{ orderDiscountId: 'staff', type: 'amount', amount: 50 }];
  const { basket } = decodeKeptBasket(encodeKeptBasket(asked, NOBODY));
  const parents = [undefined, undefined, 'line-2', 'line-1'];
  expect(basket.lines.map(({ parentLineId }) => parentLineId)).toEqual(parents);
  expect(basket.orderDiscounts).toEqual([{ orderDiscountId: '1', type: 'amount', amount: 50 }]);
});

test('a basket is kept in the bytes of earlier versions, which both read, and the till after them', () => {
  const asked = basketOf([{ quantity: 2, shares: { staff: 50 } }], { requestedAt: '2026-11-21T12:34:56+01:00' });
  const earlier = 'AhkwMTIzNDU2Nzg5YWK3hj0AB05PSwCApo3vnzQAAAEBMgABgAICE3Byb2R1Y3QtMQOQTgEAMgIAAQINbGluZS0x';
  const kept = encodeKeptBasket(asked, NOBODY);
  const common = Buffer.from(earlier, 'base64');
  expect(kept.subarray(0, common.length)).toEqual(common);
  expect(decodeKeptBasket(kept).basket.context.cashRegisterId).toBe(asked.context.cashRegisterId);
  expect(decodeKeptBasket(common).basket.context.cashRegisterId).toBe('');
});

test.each(['1899-12-30T12:00:00+01:00', '0000-01-01T00:30:00.250+12:00', '9999-12-31T23:59:59-12:00'])(
  'a time before 1970 comes back beside each channel, and so does one whose year is not its year in UTC: %s',
  (requestedAt) => {
    for (const channel of ['pos', 'mpos'] as const) {
      const asked = basketOf([{}], { requestedAt, context: { ...basketOf().context, channel } });
      const { basket } = decodeKeptBasket(encodeKeptBasket(asked, NOBODY));
      expect([Date.parse(basket.requestedAt), basket.context.channel]).toEqual([Date.parse(requestedAt), channel]);
    }
  },
);

test('an order discount of our own that came back is told from those of the staff', () => {
  const { programme } = buildVenue([]);
  const orderDiscounts: BasketBody['orderDiscounts'] = [
    { orderDiscountId: 'ours', type: 'percent', amount: 50, percent: 5, discountCode: programme.discountCode },
    { orderDiscountId: 'staff', type: 'amount', amount: 50, discountCode: 'other' },
  ];
  const asked = basketOf([{ shares: { ours: 50, staff: 50 } }], { orderDiscounts });
  const codesOf = (bytes: Buffer) => decodeKeptBasket(bytes).basket.orderDiscounts.map((own) => own.discountCode);
  expect(codesOf(encodeKeptBasket(asked, NOBODY, programme))).toEqual(['', undefined]);
  Object.assign(asked.lines[0]!, { noDiscount: true });
  expect(codesOf(encodeKeptBasket(asked, NOBODY, programme))).toEqual([undefined, undefined]);
});

const keptMember = (member: PricedMember) => {
  const bytes = encodeKeptBasket(basketOf(), { ...NOBODY, member });
  return decodeKeptBasket(bytes).member;
};

test.each([
  ['without anything else', {}],
  ['with a grant alone', { grants: ['cake'] }],
  ['with a tier alone', { tier: 'gold' }],
  ['with a share alone', { shareParts: { spring: 77 } }],
])('an active member %s comes back', (_, more) => {
  const member = { status: 'active', grants: [], ...more } as const;
  expect(keptMember(member)).toEqual(member);
});

test('a member is kept with the part of the members that it was in, where the programme has shares', () => {
  const benefit = { benefitId: 'b', kind: 'line_percent', percent: 20 } as const;
  const member = buildMember({ programmeId: 'coffee-club', loyaltyId: 'member-1' });
  const share = { from: 0, below: 50, salt: 'spring' };
  const [shared, unshared] = [{ ...benefit, when: [{ share }] }, benefit].map((own) => {
    return keptMember(keptMemberOf(buildVenue([own]).programme, member));
  });
  // Figures of the campaigns that run (packages/engine/test/shares.test.ts).
  expect(shared).toEqual({ status: 'active', grants: [], shareParts: { spring: 77 } });
  expect(unshared).toEqual({ status: 'active', grants: [] });
});

test.each([1_500, -1_500])('a clock that was moved by %d ms comes back', (movedMs) => {
  const bytes = encodeKeptBasket(basketOf(), { ...NOBODY, movedMs });
  expect(decodeKeptBasket(bytes).movedMs).toBe(movedMs);
});

interface Asked extends Partial<Pick<ProgrammeDefinition, 'weighed' | 'exclude'>> {
  readonly appliesTo?: SelectorDefinition;
}

const names = { productGroupId: 'coffee', ean: '7038010009457', productMasterId: '815' };

test.each([
  ['no name', {}, []],
  ['products', { appliesTo: { productIds: ['p1'] } }, []],
  ['groups', { appliesTo: { productGroupIds: ['coffee'] } }, ['productGroupId']],
  ['barcodes that it leaves out', { appliesTo: { excludeEans: ['1'] } }, ['ean']],
  ['weighed groups', { weighed: { productGroupIds: ['fruit'] } }, ['productGroupId']],
  ['lines outside of all benefits by master', { exclude: { productMasterIds: ['1'] } }, ['productMasterId']],
  ['lines outside but some barcodes', { exclude: { excludeEans: ['1'] } }, ['ean']],
])(
  'of a line only the names by which its programme asks are kept: %s',
  (_, { appliesTo, ...policies }: Asked, kept) => {
    const benefit = { benefitId: 'b', kind: 'line_percent', percent: 20, ...(appliesTo && { appliesTo }) } as const;
    const { programme } = buildVenue([benefit], policies);
    const lineKept = () => {
      const bytes = encodeKeptBasket(basketOf([names]), NOBODY, programme);
      const [line] = decodeKeptBasket(bytes).basket.lines;
      return Object.keys(names).filter((name) => line?.[name as keyof typeof names] !== undefined);
    };
    // The second one asks an index that is known.
    expect([lineKept(), lineKept()]).toEqual([kept, kept]);
  },
);

test('nothing of persons is kept: no loyalty ID, no clerk, no text and no name', () => {
  const asked = fullBasket();
  asked.context.clerkNumber = 77_001;
  const text = encodeKeptBasket(asked, NOBODY).toString('latin1');
  expect(text).not.toMatch(/a-person|77001|friend|Anna/);
  for (const { name } of asked.lines) expect(text).not.toContain(name);
});

test('five lines take little more than two fields, and a basket with every name on 200 lines is kept', () => {
  const line = { productGroupId: 'coffee', ean: '7038010009457' };
  const five = basketOf(Array.from({ length: 5 }, (_, index) => ({ ...line, productId: String(1000 + index) })));
  const bytes = encodeKeptBasket(five, { ...NOBODY, member: { status: 'active', grants: [] } });
  expect(bytes.length).toBeLessThan(144);
  const longest = basketOf(Array.from({ length: 200 }, (_, index) => ({ ...line, productId: String(10_000 + index) })));
  expect(isKept(encodeKeptBasket(longest, NOBODY))).toBe(true);
});

test('other formats and damaged bytes are told', () => {
  const bytes = encodeKeptBasket(fullBasket(), NOBODY);
  expect(() => decodeKeptBasket(Buffer.concat([Buffer.of(9), bytes.subarray(1)]))).toThrow('its format is 9');
  // Without its last text, the till, it is one of an earlier version.
  const earlier = bytes.length - 1 - fullBasket().context.cashRegisterId.length;
  for (let length = 1; length < bytes.length; length += 1) {
    if (length === earlier) continue;
    expect(() => decodeKeptBasket(bytes.subarray(0, length)), String(length)).toThrow();
  }
  // The currency is the second text that is neither a number nor known: as the third, it is missing.
  const currency = bytes.indexOf('NOK');
  const damaged = Buffer.concat([bytes.subarray(0, currency - 2), Buffer.of(4), bytes.subarray(currency - 1)]);
  expect(() => decodeKeptBasket(damaged)).toThrow('a text of it is missing');
  // After it there are the channel and whether it was before 1970, as one number below four.
  const [untilHead, afterHead] = [bytes.subarray(0, currency + 3), bytes.subarray(currency + 4)];
  const outOfRange = Buffer.concat([untilHead, Buffer.of(4), afterHead]);
  expect(() => decodeKeptBasket(outOfRange)).toThrow('an index of it is out of range');
});

test('very long IDs of lines are kept as hashes', () => {
  const lines = basketOf([{}, {}]).lines.map((line, index) => ({ ...line, lineId: 'x'.repeat(41 + index) }));
  const { basket } = decodeKeptBasket(encodeKeptBasket({ ...basketOf(), lines }, NOBODY));
  expect(basket.lines.map(({ lineId }) => lineId)).toEqual(lines.map(({ lineId }) => keptLineId(lineId)));
  for (const { lineId } of basket.lines) expect(lineId).toMatch(/^sha256:[\w-]{22}$/);
});

test('the IDs of lines come back whatever they are, numbers and UUIDs in few bytes', () => {
  const uuids = ['0b9f2c1e-5d1c-4c8e-9f39-7f0c1d2e3a4b', '0b9f2c1e-5d1c-4c8e-9f39-7f0c1d2e3a4c'];
  const kinds = [
    ['1', '2', '30'],
    uuids,
    ['007', '07', '0'],
    ['L-1', 'L-2', 'L-10', 'L'],
    ['Øl 🍺', 'Øl 🍻', '\ud83c', 'x'.repeat(40)],
  ];
  const lengths = kinds.map((lineIds) => {
    const lines = basketOf(lineIds.map(() => ({}))).lines.map((line, index) => ({ ...line, lineId: lineIds[index]! }));
    const bytes = encodeKeptBasket({ ...basketOf(), lines }, NOBODY);
    expect(decodeKeptBasket(bytes).basket.lines.map(({ lineId }) => lineId)).toEqual(lineIds);
    const numbered = lines.map((line, index) => ({ ...line, lineId: String(index + 1) }));
    return bytes.length - encodeKeptBasket({ ...basketOf(), lines: numbered }, NOBODY).length;
  });
  expect(lengths.slice(0, 2)).toEqual([0, 2 * 16]);
});
