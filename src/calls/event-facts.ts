import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import type { EventLine } from '@loyalty/contract/events';
import { addQuantities, shareOf } from '@loyalty/contract/money/portion';
import { multiplyQuantity } from '@loyalty/contract/money/quantity';
import { sum } from '@loyalty/contract/money/sum';
import type { AnswerContent } from '@loyalty/engine/answer/content';
import { type SoldBasket, type SoldLine, soldAsAnswered, soldAsSent } from '@loyalty/engine/returns/sold-basket';
import type { BasketFacts, DescribeBasket, Funders } from '../store/calculation-events.ts';
import type { AnsweredCalculation } from '../store/stored-calculation.ts';
import type { PricingContext } from './call.ts';
import { readFunders } from './funders.ts';
import { restoreKeptBasket } from './stored/kept-basket.ts';
import { readStoredContent } from './stored/stored-answer.ts';

/**
 * What only the kept basket knows of a calculation, for its events: when and where the till asked, by which configuration, and the
 * lines, what each benefit took off them and what was paid. It is read when the event is made, so a sale costs more and a
 * basket call does not.
 */
export function eventFactsOf(context: Pick<PricingContext, 'environment' | 'store'>): DescribeBasket {
  const { hasEventLines } = context.environment;
  return async (stored) => {
    const funders = await readFunders(context, stored);
    return {
      funders,
      asked: () => askedFacts(readKept(stored)),
      answered: () => {
        const kept = readKept(stored);
        const paid = paidFacts(kept && soldByAnswer(stored, kept.basket), hasEventLines);
        const total = stored.total ?? paid.total;
        return { ...askedFacts(kept), ...paid, total, benefits: benefitsOf(stored, funders) };
      },
      sent: () => {
        const kept = readKept(stored);
        const paid = paidFacts(kept && soldAsSent(kept.basket), hasEventLines);
        // What the guest pays by an answer with benefits is not what the till had.
        const answeredTotal = stored.status === 'applied' ? undefined : stored.total;
        return { ...askedFacts(kept), ...paid, total: answeredTotal ?? paid.total };
      },
    };
  };
}

type Kept = Exclude<ReturnType<typeof restoreKeptBasket>, string>;

function readKept({ basket: bytes }: AnsweredCalculation): Kept | undefined {
  const kept = bytes && restoreKeptBasket(bytes);
  return typeof kept === 'object' ? kept : undefined;
}

function askedFacts(kept: Kept | undefined): BasketFacts {
  if (!kept) return { benefits: [] };
  const { basket, configuration } = kept;
  return { configuration, requestedAt: basket.requestedAt, ...tillOf(basket), benefits: [] };
}

/** What was paid for a basket, and for its lines where these are told. */
function paidFacts(sold: SoldBasket | undefined, hasLines: boolean): Pick<BasketFacts, 'total' | 'lines'> {
  if (!sold) return {};
  const total = sum(sold.lines.map((line) => line.paid));
  return { total, ...(hasLines && { lines: linesOf(sold) }) };
}

function tillOf({ context: { baxId, cashRegisterId, channel } }: BasketRequest) {
  return { baxId, cashRegisterId, channel };
}

function benefitsOf({ given }: AnsweredCalculation, funders: Funders): BasketFacts['benefits'] {
  return (given?.benefits ?? []).map((benefit) => {
    const fundedBy = funders.get(benefit.benefitId);
    return { ...benefit, ...(fundedBy !== undefined && { fundedBy }) };
  });
}

/** The basket by its answer; undefined where that is not kept. An answer without benefits leaves it as the till sent it. */
function soldByAnswer({ status, answer, given }: AnsweredCalculation, basket: BasketRequest): SoldBasket | undefined {
  if (status !== 'applied') return soldAsSent(basket);
  const content = answer && readStoredContent(answer);
  if (content?.status !== 'applied') return undefined;
  return soldAsAnswered(withOwnCode(basket, content), content, given?.benefits ?? []);
}

/** Of a discount of ours that came back only that it is ours is kept. */
function withOwnCode(
  basket: BasketRequest,
  { discountCode }: Extract<AnswerContent, { status: 'applied' }>,
): BasketRequest {
  const orderDiscounts = basket.orderDiscounts.map((discount) =>
    discount.discountCode === '' ? { ...discount, discountCode } : discount,
  );
  return { ...basket, orderDiscounts };
}

function linesOf({ basket, lines }: SoldBasket): EventLine[] {
  const before = new Map<number, number>();
  return lines.map((line) => {
    const { lineId, quantity, paid, withoutLoyalty, gift, saved } = line;
    const discounts = [...saved].map(([benefitId, amount]) => ({ benefitId, amount }));
    if (line.line === undefined) {
      const { productId = '', productGroupId } = gift ?? {};
      const group = productGroupId !== undefined && { productGroupId };
      const price = { originalLinePrice: withoutLoyalty, existingLineDiscountAmount: 0 };
      return { lineId, productId, ...group, quantity, ...price, discounts, paid };
    }
    const sent = basket.lines[line.line]!;
    const { productId, productGroupId } = sent;
    const price = priceOf(sent, line, before);
    return {
      lineId,
      productId,
      ...(productGroupId !== undefined && { productGroupId }),
      quantity,
      ...price,
      discounts,
      paid,
    };
  });
}

/** What a line, or a part of one, cost, and what the till had taken off it. The parts of a line sum to it. */
function priceOf(sent: BasketLine, { line, quantity, withoutLoyalty }: SoldLine, before: Map<number, number>) {
  const from = before.get(line!) ?? 0;
  const to = addQuantities(from, quantity);
  before.set(line!, to);
  const partOf = (amount: number) => shareOf(amount, to, sent.quantity) - shareOf(amount, from, sent.quantity);
  const isWhole = quantity === sent.quantity;
  const originalLinePrice = isWhole ? sent.originalLinePrice : Number(multiplyQuantity(quantity, sent.unitPrice));
  const existingLineDiscountAmount = partOf(sent.existingLineDiscountAmount);
  const existingOrderDiscountAmount = originalLinePrice - existingLineDiscountAmount - withoutLoyalty;
  return {
    originalLinePrice,
    existingLineDiscountAmount,
    ...(existingOrderDiscountAmount !== 0 && { existingOrderDiscountAmount }),
  };
}
