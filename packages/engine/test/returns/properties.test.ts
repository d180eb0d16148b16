/**
 * Random returns in random portions, against arithmetic of the test's own: whole thousandths of units and BigInt. A run
 * plays 2,500 of each policy; `CASES=40` plays 100,000.
 */
import { describe, expect, it } from 'vitest';
import { timesCases } from '../../../../test/support/effort.ts';
import { Random } from '../../../simulator/src/random.ts';
import type { ReturnedLine } from '../../src/returns/portions.ts';
import { quoteReturn, type ReturnedBefore, type ReturnPolicy, type ReturnQuote } from '../../src/returns/quote.ts';
import { type RandomSale, randomReturns, randomSales } from './returned-baskets.ts';

const TIMEOUT_MS = 300_000;
const nothing = ({ sold }: RandomSale): ReturnedBefore => ({ quantities: new Map(), refunded: 0, kept: sold.given });

/** Plays returns one after the other; `check` sees each of them with what came back before. */
function play(
  sale: RandomSale,
  policy: ReturnPolicy,
  returns: readonly ReturnedLine[][],
  check: (quote: ReturnQuote, before: ReturnedBefore, asked: readonly ReturnedLine[]) => void,
): ReturnedBefore {
  const { sold, price } = sale;
  let before = nothing(sale);
  for (const asked of returns) {
    const quoted = quoteReturn(sold, policy, before, asked, price);
    if (quoted.kind !== 'quoted') throw new Error(JSON.stringify(quoted));
    check(quoted.quote, before, asked);
    const quantities = new Map(before.quantities);
    for (const { lineId, quantity } of asked) {
      quantities.set(lineId, Math.round((quantities.get(lineId) ?? 0) * 1_000 + quantity * 1_000) / 1_000);
    }
    const { refund, kept } = quoted.quote;
    before = { quantities, refunded: before.refunded + refund, kept };
  }
  return before;
}

/** Half up, in whole thousandths of units. */
function worth(amount: number, quantity: number, all: number): bigint {
  const [part, whole] = [BigInt(Math.round(quantity * 1_000)), BigInt(Math.round(all * 1_000))];
  return (2n * BigInt(amount) * part + whole) / (2n * whole);
}

const paidFor = ({ sold }: RandomSale): number => sold.lines.reduce((sum, { paid }) => sum + paid, 0);
const sumOf = (lines: ReturnQuote['lines']): number => lines.reduce((sum, { refund }) => sum + refund, 0);

describe('as_paid', () => {
  it(
    'gives exactly what was paid, line by line, in any order and portions',
    () => {
      const random = new Random(1);
      const wanted = timesCases(2_500);
      let count = 0;
      for (let seed = 1; count < wanted; seed++) {
        for (const sale of randomSales(seed, 100)) {
          const refunds = new Map<string, number>();
          const lost = new Map<string, number>();
          const end = play(sale, 'as_paid', randomReturns(sale.sold, random), (quote, before) => {
            count += 1;
            expect(quote.refund).toBe(sumOf(quote.lines));
            for (const { lineId, quantity, refund } of quote.lines) {
              const line = sale.sold.lines.find((other) => other.lineId === lineId)!;
              const from = before.quantities.get(lineId) ?? 0;
              const due = worth(line.paid, from + quantity, line.quantity) - worth(line.paid, from, line.quantity);
              if (BigInt(refund) !== due) throw new Error(`${lineId}: ${refund} instead of ${due}, seed ${seed}`);
              refunds.set(lineId, (refunds.get(lineId) ?? 0) + refund);
            }
            for (const { benefitId, saved } of quote.lost) lost.set(benefitId, (lost.get(benefitId) ?? 0) + saved);
          });
          for (const { lineId, paid } of sale.sold.lines) expect(refunds.get(lineId) ?? 0).toBe(paid);
          for (const { benefitId, saved } of sale.sold.given) expect(lost.get(benefitId) ?? 0).toBe(saved);
          expect(end.refunded).toBe(paidFor(sale));
        }
      }
    },
    TIMEOUT_MS,
  );
});

describe('repriced', () => {
  it(
    'is never below 0, never above what the units cost without loyalty, and never more than was paid in all',
    () => {
      const random = new Random(2);
      const wanted = timesCases(2_500);
      const bounds = { count: 0, zero: 0, other: 0 };
      for (let seed = 1; bounds.count < wanted; seed++) {
        for (const sale of randomSales(seed, 100)) {
          const paid = paidFor(sale);
          play(sale, 'repriced', randomReturns(sale.sold, random), (quote, before, asked) => {
            bounds.count += 1;
            bounds[quote.refund === 0 ? 'zero' : 'other'] += 1;
            const ceiling = asked.reduce((sum, line) => sum + priceWithoutLoyalty(sale, line, before), 0);
            if (quote.refund < 0 || quote.refund > ceiling)
              throw new Error(`${quote.refund} of ${ceiling}, seed ${seed}`);
            if (before.refunded + quote.refund > paid) throw new Error(`more than was paid, seed ${seed}`);
            if (sumOf(quote.lines) !== quote.refund) throw new Error(`lines do not add up, seed ${seed}`);
            for (const line of quote.lines) if (line.refund < 0) throw new Error(`below 0, seed ${seed}`);
          });
          const whole = [
            sale.sold.lines.flatMap(({ lineId, quantity }) => (quantity > 0 ? [{ lineId, quantity }] : [])),
          ];
          expect(play(sale, 'repriced', whole, () => undefined).refunded, `seed ${seed}`).toBe(paid);
        }
      }
      expect(bounds.zero).toBeGreaterThan(0);
      expect(bounds.other).toBeGreaterThan(bounds.count / 2);
    },
    TIMEOUT_MS,
  );

  it('depends on the order of lines as little as as_paid does', () => {
    for (const sale of randomSales(77, 300)) {
      const asked = sale.sold.lines
        .filter(({ quantity }) => quantity >= 1)
        .map(({ lineId, quantity }) => ({ lineId, quantity: Math.ceil(Math.floor(quantity) / 2) }));
      if (asked.length === 0) continue;
      for (const policy of ['as_paid', 'repriced'] as const) {
        const refundOf = (lines: ReturnedLine[]) => {
          const quoted = quoteReturn(sale.sold, policy, nothing(sale), lines, sale.price);
          return quoted.kind === 'quoted' ? quoted.quote.refund : undefined;
        };
        expect(refundOf([...asked].reverse())).toBe(refundOf(asked));
      }
    }
  });
});

/** What the portion costs by the price of its line as the till sent it, in whole thousandths of units; one unit more for rounding. */
function priceWithoutLoyalty({ sold }: RandomSale, { lineId, quantity }: ReturnedLine, before: ReturnedBefore): number {
  const line = sold.lines.find((other) => other.lineId === lineId)!;
  const from = before.quantities.get(lineId) ?? 0;
  const sent = line.line === undefined ? undefined : sold.basket.lines[line.line]!;
  const price = sent ? sent.orderLinePrice : line.withoutLoyalty;
  const all = sent ? sent.quantity : line.quantity;
  const isCut = sent !== undefined && sent.quantity !== line.quantity;
  return Number(worth(price, from + quantity, all) - worth(price, from, all)) + (isCut ? 1 : 0);
}
