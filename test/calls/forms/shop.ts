import type { BasketRequest } from '@loyalty/contract/basket-request';
import { MAX_MONEY } from '@loyalty/contract/limits';
import type { Random } from '../../../packages/simulator/src/random.ts';
import type { Environment } from '../../../src/programme/environment.ts';
import { loadEnvironment } from '../../../src/programme/load.ts';
import { basketOf, randomBasket } from '../../support/baskets.ts';
import { randomText } from './json-spelling.ts';

/**
 * A shop whose every name is outside ASCII, where a lost selector or a wrongly decoded text shows: products, groups, barcodes,
 * venues, tiers, members, texts and gifts.
 */
export interface Shop {
  readonly environment: Environment;
  readonly productIds: readonly string[];
  readonly groupIds: readonly string[];
  readonly eans: readonly string[];
  readonly loyaltyIds: readonly string[];
  readonly venueId: string;
  readonly baxId: string;
}

export function randomShop(random: Random): Shop {
  // A file may hold lone surrogates; one shop in four does.
  const isAnything = random.chance(0.25);
  const name = (most: number): string => randomText(random, most, isAnything);
  const names = (count: number): string[] => [...new Set(Array.from({ length: count }, () => name(8)))];
  const [productIds, groupIds, eans] = [names(8), names(4), names(5)];
  // A selector has to leave one of its products.
  const [named, excludable] = [productIds.slice(0, -2), productIds.slice(-2)];
  const loyaltyIds = names(5);
  const tiers = names(2);
  const [venueId, baxId] = [name(6), name(6)];
  const selector = (): object => ({
    ...(random.chance(0.5) && { productGroupIds: [random.pick(groupIds)] }),
    ...(random.chance(0.4) && { productIds: [random.pick(named), random.pick(named)] }),
    ...(random.chance(0.2) && { eans: [random.pick(eans)] }),
    ...(random.chance(0.2) && { productMasterIds: [random.pick(productIds)] }),
    ...(random.chance(0.3) && { excludeProductIds: [random.pick(excludable)] }),
  });
  const kinds = [
    () => ({ kind: 'line_percent', percent: random.between(1, 9999) / 100, appliesTo: selector() }),
    () => ({
      kind: 'line_amount',
      amount: random.between(1, 3000),
      per: random.pick(['unit', 'line']),
      appliesTo: selector(),
    }),
    () => ({ kind: 'unit_price', unitPrice: random.between(1, 5000), appliesTo: selector() }),
    // The goods of both halves are the same, or one is within the other.
    () => {
      const own = selector();
      const [buy, get] = random.pick([
        [own, own],
        [own, {}],
        [{}, own],
      ]) as [object, object];
      return {
        kind: 'buy_x_get_y',
        buy: { appliesTo: buy, quantity: 1 },
        get: { appliesTo: get, quantity: 1, percent: 50 },
      };
    },
    () => ({
      kind: 'bundle_price',
      items: [{ appliesTo: selector(), quantity: 2 }],
      bundlePrice: random.between(1, 5000),
    }),
    () => ({
      kind: 'free_product',
      productId: productIds[0],
      inBasketFirst: random.chance(0.7),
      appliesTo: selector(),
    }),
    () => ({ kind: 'order_percent', percent: random.between(1, 50), appliesTo: selector() }),
    () => ({ kind: 'order_amount', amount: random.between(1, 3000), appliesTo: selector() }),
  ];
  const benefits = Array.from({ length: random.between(1, 6) }, (_, at) => ({
    benefitId: `benefit-${at}`,
    ...(random.chance(0.8) && { text: name(12) }),
    ...random.pick(kinds)(),
    ...(random.chance(0.2) && { when: { tiers: [random.pick(tiers)] } }),
    ...(random.chance(0.3) && { limit: { quantity: 2, period: 'day', counts: 'baskets' } }),
  }));
  const member = (loyaltyId: string) => ({
    programmeId: 'club',
    loyaltyId,
    status: random.chance(0.9) ? 'active' : 'paused',
    ...(random.chance(0.6) && { tier: random.pick(tiers) }),
    ...(random.chance(0.5) && { memberLabel: name(10) }),
  });
  const file = {
    environment: 'staging',
    venues: [
      {
        ...{ venueId, terminalSetups: [baxId], currencies: ['NOK'], timeZone: 'Europe/Oslo', programmeId: 'club' },
        products: [{ ...product(productIds[0]!), name: name(10), productGroupId: groupIds[0], ean: eans[0] }],
      },
    ],
    programmes: [
      {
        programmeId: 'club',
        ...(random.chance(0.5) && { memberLabel: name(10), discountCode: name(8) }),
        existingLineDiscounts: random.pick(['replace_if_larger', 'keep', 'stack']),
        existingOrderDiscounts: random.pick(['keep', 'replace_if_larger']),
        benefits,
      },
    ],
    members: loyaltyIds.map(member),
  };
  const environment = loadEnvironment(JSON.stringify(file), 'the shop');
  return { environment, productIds, groupIds, eans, loyaltyIds, venueId, baxId };
}

function product(productId: string): object {
  return { productId, unitPrice: 2500, noDiscount: false, noPercentageDiscount: false };
}

/** A right basket of the shop. `isAnything` allows texts that only a `\u` escape can write. */
export function shopBasket(shop: Shop, random: Random, isAnything: boolean): BasketRequest {
  const basket = random.chance(0.1) ? largeBasket(random) : randomBasket(random, random.between(1, 6));
  const name = (most: number): string => randomText(random, most, isAnything);
  const lineIds = new Map<string, string>();
  for (const { lineId } of basket.lines)
    lineIds.set(lineId, random.chance(0.3) ? `${name(5)}-${lineIds.size}` : lineId);
  const lines = basket.lines.map((line) => ({
    ...line,
    lineId: lineIds.get(line.lineId)!,
    productId: random.pick(shop.productIds),
    ...(random.chance(0.4) && { productMasterId: random.pick(shop.productIds) }),
    ...(random.chance(0.8) && { productGroupId: random.pick(shop.groupIds) }),
    ...(random.chance(0.3) && { ean: random.pick(shop.eans) }),
    name: name(random.chance(0.02) ? 400 : 20),
    ...(line.parentLineId !== undefined && { parentLineId: lineIds.get(line.parentLineId)! }),
    ...(line.existingLineDiscountText !== undefined && { existingLineDiscountText: name(40) }),
    ...(random.chance(0.1) && { existingLineDiscountCampaignId: name(5) }),
    ...(random.chance(0.1) && { [name(4)]: { [name(3)]: [name(3), 1e308, -0, null] } }),
  }));
  return {
    ...basket,
    loyaltyId: random.pick(shop.loyaltyIds),
    context: { ...basket.context, venueId: shop.venueId, baxId: shop.baxId, terminalId: name(5) },
    lines,
    orderDiscounts: basket.orderDiscounts.map((discount) => ({ ...discount, text: name(12), campaignId: name(5) })),
  } as BasketRequest;
}

/** Amounts at the limits of Money. */
function largeBasket(random: Random): ReturnType<typeof basketOf> {
  const unitPrice = random.pick([MAX_MONEY, MAX_MONEY - 1, 2 ** 31, 2 ** 32 + 1, 0, 1]);
  return basketOf([{ unitPrice, quantity: random.pick([1, 1e-7, 0.001, 1]) }]);
}
