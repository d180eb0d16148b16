/** What is known of a basket later: as it was sold, as it is priced again, and the lines of its event. */
import { inflateRawSync } from 'node:zlib';
import { limitedUses } from '@loyalty/engine/offers/limits';
import { describe, expect, test } from 'vitest';
import { explainPast, type PastBasket, recall } from '../../src/administration/past-basket.ts';
import { circumstancesOf } from '../../src/administration/past-circumstances.ts';
import { type RestoredSale, restoreSale } from '../../src/administration/sold-basket.ts';
import { eventFactsOf } from '../../src/calls/event-facts.ts';
import { decodeKeptBasket, encodeKeptBasket } from '../../src/calls/stored/kept-basket.ts';
import { packConfiguration } from '../../src/programme/packed.ts';
import type { AnsweredCalculation, StoredCalculation } from '../../src/store/stored-calculation.ts';
import { readUses } from '../../src/store/uses.ts';
import { BASKET, CONTEXT, environment, MEMBER, NOON_MS, OSLO, PAID, saleOf, sell } from '../calls/support/shop.ts';

const { record, kept } = sell();
const restored = async (more: Partial<AnsweredCalculation> = {}): Promise<RestoredSale> => {
  const sale = await restoreSale(CONTEXT, { ...record, ...more });
  if (typeof sale === 'string') throw new Error(sale);
  return sale;
};
const paidOf = ({ sold }: RestoredSale) => Object.fromEntries(sold.lines.map(({ lineId, paid }) => [lineId, paid]));
const NOTHING_BACK = new Map<string, number>();

/** Kept of a basket whose member the programme did not know. */
const NOBODYS = encodeKeptBasket(BASKET, {
  ...{ configuration: environment.version, member: undefined, used: NOTHING_BACK },
});

describe('a sale is restored', () => {
  test('as it was answered, with the limits and the policy of its programme', async () => {
    const sale = await restored();
    expect(paidOf(sale)).toEqual(PAID);
    expect([sale.policy, sale.draws.map(({ usageKey }) => usageKey)]).toEqual(['repriced', ['pair#items:*']]);
    expect(sale.sold.given.map(({ benefitId, saved }) => [benefitId, saved])).toEqual([
      ['pair', 10_000],
      ['twenty', 1_000],
    ]);
    expect(sale.sold.basket).toMatchObject({
      calculationId: BASKET.calculationId,
      context: { venueId: 'oslo-central' },
    });
    expect(sale.sold.basket.lines.map(({ name }) => name)).toEqual(['Filter coffee', '815']);
  });

  test('as the till sent it, if it was sold without our benefits', async () => {
    for (const more of [{ sale: saleOf('failed') }, { status: 'unchanged' }, { status: 'member_not_found' }]) {
      const sale = await restored(more);
      expect([paidOf(sale), sale.sold.given]).toEqual([{ cups: 20_000, bun: 5_000 }, []]);
      expect(sale.pricer(NOTHING_BACK)(BASKET)).toEqual({ total: 25_000, given: [], gifts: [] });
    }
  });

  test('by pricing it again, if its answer was forgotten and gives the same total', async () => {
    const without = { answer: undefined };
    expect(paidOf(await restored(without))).toEqual(PAID);
    const unnamed = await restored({ ...without, total: undefined, given: undefined });
    expect([paidOf(unnamed), unnamed.sold.given]).toEqual([PAID, []]);
    expect(await restoreSale(CONTEXT, { ...record, ...without, total: 13_999 })).toBe('It is priced otherwise today.');
    const strange = { ...without, basket: sell({ ...MEMBER, status: 'paused' }).kept };
    const sentence = 'Its answer is not kept, and it is priced otherwise today.';
    expect(await restoreSale(CONTEXT, { ...record, ...strange })).toBe(sentence);
    expect(await restoreSale(CONTEXT, { ...record, ...without, basket: NOBODYS })).toBe(sentence);
    expect(await restoreSale(CONTEXT, { ...record, answer: Buffer.of(1) })).not.toBeTypeOf('string');
  });

  test('not at all where too little is known', async () => {
    const fate = (more: Partial<AnsweredCalculation>) => restoreSale(CONTEXT, { ...record, ...more });
    expect(await fate({ soldAtMs: NOON_MS - 1 })).toBe(
      'Its sale event came before its answer, so what was sold is not known.',
    );
    expect(await fate({ basket: undefined })).toBe('Nothing is kept of its lines.');
    expect(await fate({ basket: Buffer.of(9) })).toBe('What is kept of its lines cannot be read: its format is 9.');
    expect(await fate({ venueId: 'bergen-quay' })).toBe(
      `The configuration ${environment.version} does not know its venue.`,
    );
  });
});

describe('what stays of a sale is priced', () => {
  const cups = (quantity: number) => {
    const [line] = BASKET.lines;
    const price = quantity * 10_000;
    return {
      ...BASKET,
      lines: [{ ...line!, quantity, originalLinePrice: price, orderLinePrice: price }],
      orderDiscounts: [],
    };
  };

  test('with the limits of that time', async () => {
    const { pricer } = await restored();
    expect(pricer(NOTHING_BACK)(cups(2))).toMatchObject({
      total: 10_000,
      given: [{ benefitId: 'pair', saved: 10_000 }],
      gifts: [],
    });
    expect(pricer(NOTHING_BACK)(cups(3))).toMatchObject({ total: 18_000 });
  });

  test('without units that returns have given back since', async () => {
    const { pricer } = await restored();
    const totalAfter = (usageKey: string, units: number) => pricer(new Map([[usageKey, units]]))(cups(2)).total;
    expect([1, 2, 3].map((units) => totalAfter('pair#items:*', units))).toEqual([13_000, 16_000, 16_000]);
    expect(totalAfter('another#items:*', 2)).toBe(10_000);
  });

  test('without units that others had used before', async () => {
    const { record: used } = sell(MEMBER, new Map([['pair#items:*', 1]]));
    const { pricer } = await restored(used);
    expect(pricer(NOTHING_BACK)(cups(2)).total).toBe(13_000);
  });

  test('as it was sent, where its member is not known any more', async () => {
    const { pricer } = await restored({ basket: NOBODYS });
    expect(pricer(NOTHING_BACK)(cups(2)).total).toBe(25_000);
  });

  test('as it was sent, where nothing applies to it', async () => {
    const { pricer } = await restored();
    const [line] = BASKET.lines;
    const lines = [{ ...line!, noDiscount: true }];
    expect(pricer(NOTHING_BACK)({ ...BASKET, lines })).toEqual({ total: 25_000, given: [], gifts: [] });
  });
});

describe('the facts of an event', () => {
  const context = { environment, store: CONTEXT.store };
  const describeSale = (more: Partial<AnsweredCalculation> = {}) => eventFactsOf(context)({ ...record, ...more });
  const [cup, bun] = [
    { lineId: 'cups', productId: '4711', quantity: 2, originalLinePrice: 20_000, existingLineDiscountAmount: 0 },
    {
      ...{ lineId: 'bun', productId: '815', productGroupId: 'bakery', quantity: 1 },
      ...{ originalLinePrice: 5_000, existingLineDiscountAmount: 0 },
    },
  ];

  test('have what each benefit took off each line and what was paid, by the answer or as the till sent it', async () => {
    const basket = await describeSale();
    const { lines, total, benefits } = basket.answered();
    expect(lines).toEqual([
      { ...cup, discounts: [{ benefitId: 'pair', amount: 10_000 }], paid: PAID.cups },
      { ...bun, discounts: [{ benefitId: 'twenty', amount: 1_000 }], paid: PAID.bun },
    ]);
    expect(total).toBe(PAID.cups + PAID.bun);
    expect(benefits.map(({ benefitId, saved }) => [benefitId, saved])).toEqual([
      ['pair', 10_000],
      ['twenty', 1_000],
    ]);
    expect(basket.sent()).toMatchObject({
      ...{ benefits: [], total: 25_000 },
      lines: [
        { ...cup, discounts: [], paid: 20_000 },
        { ...bun, discounts: [], paid: 5_000 },
      ],
    });
  });

  test('have where and when the till asked, and by which configuration, whatever was sold', async () => {
    const { baxId, cashRegisterId, channel } = BASKET.context;
    const asked = { baxId, cashRegisterId, channel, configuration: environment.version };
    const requestedAt = '2026-11-21T11:00:00.000Z';
    const basket = await describeSale();
    expect(basket.asked()).toEqual({ ...asked, requestedAt, benefits: [] });
    expect(basket.funders).toEqual(new Map());
  });

  test('have no lines of damaged bytes, of an answer that changed nothing, and where the configuration leaves them out', async () => {
    const damaged = await describeSale({ basket: Buffer.of(9) });
    expect(damaged.funders).toEqual(new Map());
    expect(damaged.sent()).toEqual({ benefits: [] });
    expect((await describeSale({ answer: Buffer.of(9) })).answered()).not.toHaveProperty('lines');
    const { answer } = sell({ ...MEMBER, status: 'paused' }).record;
    expect((await describeSale({ answer })).answered()).not.toHaveProperty('lines');
    const silent = { ...context, environment: { ...environment, hasEventLines: false } };
    expect((await eventFactsOf(silent)(record)).answered()).not.toHaveProperty('lines');
  });

  test('have a group only where it is kept', async () => {
    const { configuration } = decodeKeptBasket(kept);
    const facts = { configuration, member: undefined, used: NOTHING_BACK };
    const basket = encodeKeptBasket(BASKET, facts, OSLO.programme);
    expect(JSON.stringify((await describeSale({ basket })).sent())).not.toContain('productGroupId');
  });
});

describe('a past basket is explained', () => {
  const explained = async (more: Partial<StoredCalculation> = {}) =>
    (await explainPast(CONTEXT, { ...record, ...more })) as PastBasket;

  test('as it was priced, and whether that is as it was answered', async () => {
    const past = await explained();
    expect(past).toMatchObject({
      basket: { calculationId: BASKET.calculationId },
      response: { status: 'applied', totals: { total: 14_000 } },
      explanation: { totalBefore: 25_000, totalAfter: 14_000, clock: { offsetSeconds: 0, isOff: false } },
      texts: { twenty: 'Member price 20 %', pair: 'Half price' },
      isSame: true,
    });
    expect((await explained({ total: undefined })).isSame).toBe(true);
    expect((await explained({ total: 1 })).isSame).toBe(false);
    expect((await explained({ status: 'unchanged' })).isSame).toBe(false);
  });

  test('with the clocks and the limits of its time', async () => {
    expect((await explained({ answeredAtMs: NOON_MS + 2_400 })).circumstances).toEqual({
      ...{ configuration: environment.version, requestedAt: '2026-11-21T11:00:00.000Z', offsetSeconds: -2 },
      ...{ answeredAt: '2026-11-21T11:00:02.400Z', member: { status: 'active', tier: 'gold', grants: [] } },
      ...{ timeZone: 'Europe/Oslo', left: [{ usageKey: 'pair#items:*', limit: 2, before: 2, after: 0 }] },
    });
    const used = decodeKeptBasket(sell(MEMBER, new Map([['pair#items:*', 1]])).kept);
    const limits = limitedUses(OSLO, BASKET.requestedAt, MEMBER).map((use) => ({ ...use, left: 1 }));
    const [one, over, none] = ['pair#items:*=1/2', 'pair#items:*=5/2', ''].map((text) => {
      const [limit] = circumstancesOf(used, { ...record, ownUses: readUses(text) }, limits, OSLO).left;
      return [limit?.before, limit?.after];
    });
    expect([one, over, none]).toEqual([
      [1, 0],
      [1, 0],
      [1, 1],
    ]);
    const more = sell(MEMBER, new Map([['pair#items:*', 7]])).kept;
    const { answeredAt, offsetSeconds, left } = (await explained({ answeredAtMs: undefined, basket: more }))
      .circumstances;
    expect([answeredAt, offsetSeconds, left[0]?.before]).toEqual([undefined, undefined, 0]);
    const stranger = circumstancesOf({ ...used, member: undefined }, record, limits, OSLO);
    expect([stranger.left, 'member' in stranger]).toEqual([[], false]);
  });

  test('with its till, where that is kept', async () => {
    expect((await explained()).basket.context).toEqual(BASKET.context);
    const { cashRegisterId, ...others } = BASKET.context;
    // The till is the last that is kept, and an earlier version has kept all but that.
    const bytes = kept.subarray(0, kept.length - cashRegisterId.length - 1);
    expect((await explained({ basket: bytes })).basket.context).toEqual(others);
  });

  test('or a sentence says why not', async () => {
    expect(await explainPast(CONTEXT, { ...record, basket: undefined })).toBe('Nothing is kept of its lines.');
    expect(await explained({ basket: Buffer.of(9) })).toBe(
      'What is kept of its lines cannot be read: its format is 9.',
    );
    expect(await explained({ venueId: undefined })).toContain('does not know its venue');
    const [line, bun] = BASKET.lines;
    const discount = { existingLineDiscountType: 'amount', existingLineDiscountAmount: 30_000 } as const;
    const impossible = encodeKeptBasket(
      { ...BASKET, lines: [{ ...line!, ...discount }, bun!] },
      {
        ...{ configuration: environment.version, member: MEMBER, used: NOTHING_BACK },
      },
    );
    expect(await explained({ basket: impossible })).toBe(
      'It cannot be priced again: Unexpected error on the service side.',
    );
  });

  test('by the configuration in force, where that priced it', async () => {
    expect(await recall(CONTEXT, record)).toMatchObject({ environment, venue: OSLO });
  });
});

test('the configuration is kept without its members', async () => {
  const file = { environment: 'staging', members: [{ loyaltyId: 'a-person' }] } as never;
  const packed = await packConfiguration({ file, version: 'v1' });
  expect(JSON.parse(inflateRawSync(packed).toString())).toEqual({
    ...{ file: { environment: 'staging', members: [] }, version: 'v1' },
  });
});
