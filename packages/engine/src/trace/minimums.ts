import { ANY_PRODUCT } from '../lines/selector.ts';
import { shortfallOf } from '../offers/minimums.ts';
import { eligibleLines, type Offer } from '../offers/offers.ts';
import { missingGoods } from '../offers/requirements.ts';
import type { BenefitTracing, Refusal } from './tracing.ts';
import { formatAmount, moreToSpend, moreUnits } from './wording.ts';

/** What a benefit asks of the basket and the basket does not meet, in words. Undefined where it meets all of it. */
export function unmetMinimum(offer: Offer, tracing: BenefitTracing): Refusal | undefined {
  const missing = lackingGoods(offer, tracing);
  if (missing) return missing;
  const { spend, quantity } = shortfallOf(offer, tracing.lines);
  const tooLittle = shortOfSpend(offer, spend, tracing);
  if (spend > 0 || quantity === 0) return tooLittle;
  const { selectors, minimumQuantityOn } = offer.benefit;
  const own = [...new Set(selectors.map(({ description }) => description))].join(' or ');
  const named = minimumQuantityOn === 'basket' ? ANY_PRODUCT : own;
  return { reason: 'below_minimum_quantity', change: moreUnits(quantity, named) };
}

/** The basket does not hold the goods that the benefit requires. */
function lackingGoods(offer: Offer, { lines, situation }: BenefitTracing): Refusal | undefined {
  const missing = missingGoods(offer, lines);
  if (missing.length === 0) return undefined;
  const { currency } = situation.basket;
  const changes = missing.flatMap(({ units, spend, description }) => [
    ...(units > 0 ? [moreUnits(units, description)] : []),
    ...(spend > 0 ? [`${moreToSpend(spend, currency)} of ${description}`] : []),
  ]);
  const required = offer.benefit.requires.map(({ selector, quantity, spend }) =>
    spend > 0
      ? `${formatAmount(spend, currency)} of ${selector.description}`
      : `${quantity} of ${selector.description}`,
  );
  const explanation = `It requires ${required.join(' and ')} in the basket.`;
  return { reason: 'goods_missing', change: changes.join(', '), explanation };
}

/** The basket came `spend` short, or what its lines cost after the line-level benefits of the outcome is less than it asks for. */
function shortOfSpend(offer: Offer, spend: number, { lines, outcome, situation }: BenefitTracing): Refusal | undefined {
  const { netMinimum, minimumSpendOn } = offer.benefit;
  const counted = new Set(minimumSpendOn === 'basket' ? lines.keys() : eligibleLines(offer, 0, lines));
  const own = outcome.parts.filter(({ line }) => counted.has(line.index));
  const short = netMinimum - own.reduce((sum, { rest }) => sum + rest, 0);
  if (Math.max(short, spend) <= 0) return undefined;
  const { currency } = situation.basket;
  const came = lines.reduce((sum, line, i) => (counted.has(i) ? sum + line.line.orderLinePrice : sum), 0);
  const cameShort = Math.max(spend, netMinimum - came);
  const change =
    cameShort >= short
      ? moreToSpend(cameShort, currency)
      : `${formatAmount(short, currency)} short of the minimum after other benefits`;
  return { reason: 'below_minimum_spend', change };
}
