/** The shop of the month: two programmes, three venues, two currencies, limits, vouchers, and a file that is changed twice. */
import { type Configuration, configurationOf } from '../support/configuration.ts';

type Words = Readonly<Record<string, unknown>>;
const line = (benefitId: string, more: Words): Words => ({ benefitId, kind: 'line_percent', text: benefitId, ...more });
const of = (...productGroupIds: string[]) => ({ appliesTo: { productGroupIds } });

/** What a benefit is called on the receipt is its ID, so that the till's books know it by that. */
function clubBenefits(teaFunder: string | undefined, mealPercent: number): Words[] {
  return [
    line('tea', { percent: 20, ...of('tea'), ...(teaFunder !== undefined && { fundedBy: teaFunder }) }),
    line('gold-wine', { percent: 15, ...of('wine'), when: { tiers: ['gold'] }, fundedBy: 'Cellar, Norway' }),
    line('spring', { percent: 10, ...of('flower'), when: { share: { from: 0, below: 50, salt: 'spring' } } }),
    line('meal', {
      ...{ percent: mealPercent, ...of('meal'), fundedBy: 'Kitchen' },
      limit: [
        { quantity: 4, period: 'lifetime', counts: 'baskets', limitId: 'meals' },
        { quantity: 100_000, period: 'lifetime', counts: 'baskets', of: 'programme', limitId: 'all-meals' },
      ],
    }),
    {
      ...{ benefitId: 'soap', kind: 'buy_x_get_y', text: 'soap', spread: true },
      buy: { ...of('soap'), quantity: 2 },
      get: { ...of('soap'), quantity: 1, percent: 100 },
    },
    {
      ...{ benefitId: 'voucher', kind: 'order_amount', text: 'voucher', audience: 'granted', fundedBy: 'House' },
      ...{ amount: { NOK: 5_000, EUR: 500 }, minimumSpend: { NOK: 10_000, EUR: 1_000 } },
    },
    {
      ...{ benefitId: 'biscuit', kind: 'free_product', text: 'biscuit', productId: BISCUIT.productId },
      ...{ ...of('flower'), when: { venueIds: ['oslo-central'] }, fundedBy: 'Bakery' },
    },
  ];
}

/** Added to baskets: the only product of a price list. */
const BISCUIT = {
  ...{ productId: 'biscuit', name: 'Biscuit', unitPrice: 1_990 },
  ...{ noDiscount: false, noPercentageDiscount: false },
};

function fairBenefits(drinkFunder: string): Words[] {
  return [
    line('tea-set', { percent: 30, ...of('tea'), minimumQuantity: 3, fundedBy: drinkFunder }),
    line('tea-one', { percent: 10, ...of('tea') }),
    {
      ...{ benefitId: 'three-for-two', kind: 'buy_x_get_y', text: 'three-for-two', fundedBy: 'Soap & Co' },
      buy: { ...of('soap'), quantity: 2 },
      get: { ...of('soap'), quantity: 1, percent: 100 },
    },
    {
      ...{ benefitId: 'ten', kind: 'order_percent', text: 'ten', percent: 10, minimumSpend: 9_000, fundedBy: 'House' },
    },
  ];
}

/** The file as it stands after so many changes: who pays for some benefits changes with each of them. */
export function shopOf(changes: number): Configuration {
  const base = configurationOf({ members: [], programme: { benefits: [] } });
  const [club] = base.programmes;
  const [oslo, bergen] = base.venues;
  const programme = (programmeId: string, returns: string, benefits: Words[]) =>
    ({ ...club!, programmeId, returns, existingLineDiscounts: 'keep', benefits }) as never;
  const teaFunder = [undefined, 'Dairy', 'Farm'][changes % 3];
  return {
    ...base,
    calculation: { ...base.calculation, retentionDays: 60 },
    venues: [
      { ...oslo!, programmeId: 'club', products: [BISCUIT] },
      { ...bergen!, programmeId: 'club', currencies: ['NOK', 'EUR'] },
      {
        ...{ ...bergen!, venueId: 'helsinki', terminalSetups: ['700300'], currencies: ['EUR'] },
        ...{ timeZone: 'Europe/Helsinki', programmeId: 'fair' },
      },
    ],
    programmes: [
      programme('club', 'as_paid', clubBenefits(teaFunder, changes % 2 === 0 ? 50 : 40)),
      programme('fair', 'repriced', fairBenefits(changes % 2 === 0 ? 'Finland' : 'Baltic')),
    ],
  };
}

/** Who pays for a benefit by the file after so many changes. */
export function funderOf(changes: number, benefitId: string): string {
  const benefits = shopOf(changes).programmes.flatMap((programme) => programme.benefits as unknown as Words[]);
  return String(benefits.find((benefit) => benefit['benefitId'] === benefitId)?.['fundedBy'] ?? '');
}

export const VENUES = [
  { venueId: 'oslo-central', baxId: '500123', programmeId: 'club', timeZone: 'Europe/Oslo', currencies: ['NOK'] },
  { venueId: 'bergen-quay', baxId: '600200', programmeId: 'club', timeZone: 'Europe/Oslo', currencies: ['NOK', 'EUR'] },
  { venueId: 'helsinki', baxId: '700300', programmeId: 'fair', timeZone: 'Europe/Helsinki', currencies: ['EUR'] },
] as const;
export type Venue = (typeof VENUES)[number];

/** What is on the shelves: its group, and its price in the currency's minor units. */
export const SHELF = [
  { productGroupId: 'tea', prices: { NOK: 4_590, EUR: 459 } },
  { productGroupId: 'wine', prices: { NOK: 18_990, EUR: 1_899 } },
  { productGroupId: 'flower', prices: { NOK: 7_333, EUR: 733 } },
  { productGroupId: 'meal', prices: { NOK: 12_345, EUR: 1_235 } },
  { productGroupId: 'soap', prices: { NOK: 10_001, EUR: 1_001 } },
  { productGroupId: 'bread', prices: { NOK: 3_950, EUR: 395 } },
] as const;
