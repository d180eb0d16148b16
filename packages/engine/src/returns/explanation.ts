import { addQuantities } from '@loyalty/contract/money/portion';
import { sum } from '@loyalty/contract/money/sum';
import { formatAmount } from '../trace/wording.ts';
import { type Portion, shareOfPortion } from './portions.ts';
import type { Repriced } from './repriced.ts';

/** Why a refund is what it is, in sentences whose amounts add up by hand. */

type Write = (amount: number) => string;

export function explainAsPaid(currency: string, portions: readonly Portion[], refunds: readonly number[]): string[] {
  const write = writeIn(currency);
  const sentences = portions.map((portion, at) => explainPortion(portion, refunds[at]!, write));
  return [...sentences, `Refund: ${adding(refunds, write)}.`];
}

/** `Line 3: 1 of 3 units, after 1 before. 12.00 was paid; 2/3 of it is 8.00, less 1/3 of it, 4.00: 4.00.` */
function explainPortion({ sold, quantity, before }: Portion, refund: number, write: Write): string {
  const { lineId, quantity: all, paid } = sold;
  const what = `Line ${lineId}: ${quantity} of ${all} comes back`;
  if (quantity === all) return `${what}, for which ${write(paid)} was paid: ${write(refund)}.`;
  const after = addQuantities(before, quantity);
  const upTo = shareOfPortion(paid, { sold, quantity: after, before: 0 });
  const worth = `${write(paid)} was paid for ${all}, so the first ${after} ${after === 1 ? 'is' : 'are'} worth ${write(upTo)}`;
  if (before === 0) return `${what}. ${worth}: ${write(refund)}.`;
  return `${what}, after ${before} before. ${worth}, less ${write(upTo - refund)} for the first ${before}: ${write(refund)}.`;
}

export function explainRepriced(
  currency: string,
  { refund, refunds, paid, rest, withoutLoyalty, bound }: Repriced,
  refunded: number,
  portions: readonly Portion[],
): string[] {
  const write = writeIn(currency);
  const sentences = [explainPaid(paid, refunded, write)];
  for (const { product, quantity, lineId } of rest.paidGifts) {
    sentences.push(
      `Line ${lineId} was given; what stays does not earn it any more, so ${quantity} × ${write(product.unitPrice)} is bought with it.`,
    );
  }
  sentences.push(`What stays costs ${write(rest.total)}, priced as if it had been bought alone.`);
  const difference = write(Math.abs(paid - rest.total));
  if (bound === 'rest_is_dearer') {
    sentences.push(`That is ${difference} more than was paid, so nothing is refunded; the guest pays nothing either.`);
  } else {
    sentences.push(`The difference is ${write(paid)} − ${write(rest.total)} = ${difference}.`);
  }
  if (bound === 'without_loyalty') {
    sentences.push(
      `What comes back costs ${write(withoutLoyalty)} without loyalty, and no more than that is refunded.`,
    );
  }
  if (portions.length > 1 && refund > 0) {
    const parts = portions.map(({ sold }, at) => `line ${sold.lineId} ${write(refunds[at]!)}`);
    sentences.push(`It is shared in proportion to what was paid: ${parts.join(', ')}.`);
  }
  return [...sentences, `Refund: ${write(refund)}.`];
}

function explainPaid(paid: number, refunded: number, write: Write): string {
  if (refunded === 0) return `${write(paid)} was paid.`;
  return `${write(paid + refunded)} was paid and ${write(refunded)} refunded before, which leaves ${write(paid)}.`;
}

function adding(amounts: readonly number[], write: Write): string {
  const total = write(sum(amounts));
  return amounts.length === 1 ? total : `${amounts.map(write).join(' + ')} = ${total}`;
}

function writeIn(currency: string): Write {
  return (amount) => `${formatAmount(amount, currency)} ${currency}`;
}
