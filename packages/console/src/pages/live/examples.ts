import type { LineWords } from './basket.ts';

/**
 * Example baskets for the members of the staging configuration (config/staging.yaml), which are offered when their venue
 * is configured. Money is in minor units.
 */

export const VENUE_OF_EXAMPLES = 'oslo-central';

export type Example = {
  title: string;
  question: string;
  loyaltyId: string;
  at?: string;
  lines: readonly LineWords[];
};

const COFFEE = { productId: '4711', name: 'Filter coffee', productGroupId: 'coffee', unitPrice: 3900 };
const BUN = { productId: '4712', name: 'Cinnamon bun', productGroupId: 'pastry', unitPrice: 4500 };

export const EXAMPLES: readonly Example[] = [
  {
    title: '20 % on one line, nothing on another',
    question: 'The test member is granted 20 % on everything. Why does the second line cost the same as before?',
    loyaltyId: 'test-member-20',
    lines: [
      { ...COFFEE, quantity: 2 },
      { productId: '9001', name: 'Gift card', quantity: 1, unitPrice: 20_000, noDiscount: true },
    ],
  },
  {
    title: 'Third coffee free',
    question:
      'A gold member buys three coffees and a bun. Which benefits meet, and how much is missing for 5 % off the order?',
    loyaltyId: 'demo-gold',
    lines: [
      { ...COFFEE, quantity: 3 },
      { ...BUN, quantity: 1 },
    ],
  },
  {
    title: 'Just too small',
    question: 'It is her birthday, and yet nothing comes off. What would it take?',
    loyaltyId: 'demo-birthday',
    lines: [{ productId: '4713', name: 'Almond tart', productGroupId: 'cake', quantity: 1, unitPrice: 3500 }],
  },
  {
    title: 'Happy hour or bundle',
    question: 'A family at half past two: the bundle and happy hour both want the same coffee. Which one wins?',
    loyaltyId: 'demo-family',
    at: '2026-11-20T14:30',
    lines: [
      { ...COFFEE, quantity: 2 },
      { ...BUN, quantity: 1 },
    ],
  },
  {
    title: 'Staff discount already given',
    question: 'The till took 15.00 off the coffee before it asked. Does the member get both?',
    loyaltyId: 'test-member-20',
    lines: [
      { ...COFFEE, quantity: 1, staffDiscount: 1500 },
      { ...BUN, quantity: 1 },
    ],
  },
  {
    title: 'A member nobody knows',
    question: 'The card is read, but the programme has never heard of it.',
    loyaltyId: 'test-member-unknown',
    lines: [{ ...COFFEE, quantity: 1 }],
  },
];
