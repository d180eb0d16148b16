import { MAX_MONEY } from '@loyalty/contract/limits';
import { multiplyQuantity as multiplyExactly } from '@loyalty/contract/money/quantity';
import { percentOf as percentOfExactly, toHundredths } from '@loyalty/contract/money/round';

/** Money in whole minor units, exact, rounded half up as the interface rounds it. What cannot be exact is a RangeError. */

/** Price of a quantity in minor units: 0.345 × 1999 is 690. `quantity` is 0 or more, `unitPrice` in minor units. */
export function multiplyQuantity(quantity: number, unitPrice: number): number {
  if (!(Number.isFinite(quantity) && quantity >= 0)) throw new RangeError(`quantity: ${quantity}`);
  return Number(assertMoney(multiplyExactly(quantity, assertMoney(unitPrice, 'unit price')), 'line price'));
}

/** A percentage of an amount in minor units: 12.5 % of 4500 is 563. `percent` is 0 to 100 with at most two decimals. */
export function percentOf(amount: number, percent: number): number {
  const hundredths = percent >= 0 && percent <= 100 ? toHundredths(percent) : undefined;
  if (hundredths === undefined) throw new RangeError(`percent: ${percent} is not 0 to 100 with at most two decimals`);
  return percentOfExactly(assertMoney(amount, 'amount'), hundredths);
}

/** Adds amounts in minor units. */
export function sumOf(amounts: readonly number[], what: string): number {
  // A sum of exact numbers that is still a safe integer was exact at every step.
  return assertMoney(
    amounts.reduce((sum, amount) => sum + amount, 0),
    what,
  );
}

/** Returns the value when it is a whole number of minor units from 0 to 2^53 − 1. */
export function assertMoney<Value extends number | bigint>(value: Value, what: string): Value {
  const isWhole = typeof value === 'bigint' || Number.isInteger(value);
  if (!isWhole || value < 0 || value > MAX_MONEY) throw new RangeError(`${what}: ${value} is no amount in minor units`);
  return value;
}
