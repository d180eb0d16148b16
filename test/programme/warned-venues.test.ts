/** A benefit is compared with the venues where it runs, and with the currencies in which it can apply there. */
import { describe, expect, it } from 'vitest';
import { coffee, malmo, ofCoffee, oslo, warn } from './warned.ts';

const atOslo = { when: { venueIds: ['oslo'] } };
const lost = (where: string, currency: string) =>
  `[0]: nobody can get it: no currency of ${where}, ${currency}, has all its amounts`;

describe('a benefit of one of two venues', () => {
  const bergen = { ...oslo, venueId: 'bergen', terminalSetups: ['3'] };
  const dear = { ...bergen, products: [{ ...coffee, unitPrice: 100 * coffee.unitPrice }] };

  it('has amounts in its currency, or nobody gets it', () => {
    const venues = [
      { ...oslo, products: [] },
      { ...malmo, products: [] },
    ];
    const voucher = { kind: 'order_amount', amount: { SEK: 500 } };
    expect(warn({ ...voucher, ...atOslo }, { venues })).toEqual([lost('a venue where it runs', 'NOK')]);
    expect(warn({ ...voucher, when: { venueIds: ['malmo'] } }, { venues })).toEqual([]);
    const five = { kind: 'order_percent', percent: 5, minimumSaving: { NOK: 1_000, SEK: 1_000 } };
    const capped = { ...five, maximumDiscount: { NOK: 1_000, SEK: 900 } };
    expect(warn({ ...capped, ...atOslo }, { venues })).toEqual([]);
    expect(warn(capped, { venues })).toEqual([
      '[0].minimumSaving: nobody can get it in SEK: it saves at most 900, and 1000 at least are asked for',
    ]);
  });

  it('is compared with the list of that one', () => {
    const price = { kind: 'unit_price', unitPrice: 3_500, ...ofCoffee };
    expect(warn({ ...price, ...atOslo }, { venues: [oslo, dear] })).toEqual([]);
    expect(warn(price, { venues: [oslo, dear] })).toEqual([
      expect.stringContaining('can take over 90 % off'),
      expect.stringContaining('looks like major units'),
    ]);
    const spend = { kind: 'order_percent', percent: 5, minimumSpend: 3_000, ...ofCoffee };
    const only = { ...oslo, products: [{ ...coffee, unitPrice: 7_000 }] };
    expect(warn({ ...spend, ...atOslo }, { venues: [bergen, only] })).toEqual([
      expect.stringContaining('looks like major units'),
    ]);
    expect(
      warn({ ...spend, ...atOslo }, { venues: [oslo, { ...only, venueId: 'bergen', terminalSetups: ['3'] }] }),
    ).toEqual([]);
    expect(warn({ ...price, unitPrice: 3_900, ...atOslo }, { venues: [oslo, dear] })).toEqual([
      expect.stringContaining('it makes nothing cheaper'),
    ]);
  });
});

describe('a free product, whose price is in the first currency of the venue', () => {
  const venues = [{ ...oslo, currencies: ['NOK', 'SEK'] }];
  const cup = (minimumSpend: object) => warn({ kind: 'free_product', productId: '4711', minimumSpend }, { venues });

  it('needs its amounts in that one, and in no other', () => {
    expect(cup({ SEK: 10_000 })).toEqual([lost('the product list of a venue', 'NOK')]);
    expect(cup({ NOK: 10_000 })).toEqual([]);
    expect(cup({ NOK: 10_000, SEK: 10_000 })).toEqual([]);
  });
});
