/** Amounts by currency, and texts by language, as they come out of the configuration. */
import { describe, expect, it } from 'vitest';
import { amountsOf, currenciesOf, inCurrency, isBare, limitsOf } from '../src/compile/amounts.ts';
import { languageOfText, textIn } from '../src/compile/words.ts';

const limit = { period: 'day', counts: 'money' } as const;

describe('amounts', () => {
  it('are found under every field that has one, with its name', () => {
    const definition = {
      ...{ amount: 1, unitPrice: 2, bundlePrice: 3, perSpend: 4, minimumSpend: 5, maximumDiscount: 6 },
      ...{ minimumSaving: { NOK: 7 }, percent: 8, minimumQuantity: 9 },
    };
    // In no order that means anything.
    expect(new Map(amountsOf(definition))).toEqual(
      new Map<string, unknown>([
        ['amount', 1],
        ['unitPrice', 2],
        ['bundlePrice', 3],
        ['perSpend', 4],
        ['minimumSpend', 5],
        ['maximumDiscount', 6],
        ['minimumSaving', { NOK: 7 }],
      ]),
    );
    expect(amountsOf({ limit: { ...limit, quantity: 5 } })).toEqual([['limit.quantity', 5]]);
    const limits = [
      { ...limit, counts: 'items', quantity: 4 },
      { ...limit, quantity: 5 },
    ];
    expect(amountsOf({ limit: limits })).toEqual([['limit[1].quantity', 5]]);
    expect([{}, { limit: 1 }, { limit: [1, 2] }].map((own) => limitsOf(own))).toEqual([[], [1], [1, 2]]);
  });

  it('mean another currency only where they are more than nothing', () => {
    expect([1, 0, { NOK: 1 }].map(isBare)).toEqual([true, false, false]);
  });

  it('are there in the currencies that all of them name', () => {
    expect(currenciesOf({ amount: 5 })).toBeUndefined();
    expect(currenciesOf({ amount: { NOK: 1, SEK: 2 } })).toEqual(['NOK', 'SEK']);
    const two = { amount: { NOK: 1, SEK: 2 }, minimumSpend: { SEK: 1, EUR: 3 }, maximumDiscount: 0 };
    expect(currenciesOf(two)).toEqual(['SEK']);
    expect(currenciesOf({ ...two, limit: { ...limit, quantity: { NOK: 1 } } })).toEqual([]);
  });

  it('are taken in one currency, and are nothing where they are missing', () => {
    const items = { ...limit, counts: 'items', quantity: 4 };
    const definition = {
      ...{ amount: { NOK: 1, SEK: 2 }, minimumSpend: 7, percent: 8 },
      limit: [items, { ...limit, quantity: { SEK: 3 } }],
    };
    const inSek = { amount: 2, minimumSpend: 7, percent: 8, limit: [items, { ...limit, quantity: 3 }] };
    expect(inCurrency(definition, 'SEK')).toEqual(inSek);
    const none = { ...inSek, amount: 0, limit: [items, { ...limit, quantity: 0 }] };
    expect(inCurrency(definition, undefined)).toEqual(none);
    expect(inCurrency(definition, 'EUR')).toEqual(none);
    expect(inCurrency({ amount: 5 }, 'SEK')).toEqual({ amount: 5 });
  });
});

describe('texts by language', () => {
  const texts = { nb: 'Kake', en: 'Cake', 'en-GB': 'Biscuit' };

  it.each([
    ['nb', 'Kake', 'nb'],
    ['en', 'Cake', 'en'],
    ['en-GB', 'Biscuit', 'en-GB'],
    ['en-US', 'Cake', 'en'],
    ['sv', 'Kake', undefined],
    ['toString', 'Kake', undefined],
    [undefined, 'Kake', undefined],
  ])('%s: %s', (language, text, found) => {
    expect(textIn(texts, language)).toBe(text);
    expect(languageOfText(texts, language)).toBe(found);
  });

  it('are one text, or none, in every language', () => {
    expect(textIn('Kake', 'en')).toBe('Kake');
    expect(textIn(undefined, 'en')).toBeUndefined();
  });
});
