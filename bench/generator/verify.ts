import type { BasketResponse } from '@loyalty/contract/basket-response';

const SALE_RESULTS = ['recorded', 'duplicate', 'unknown_calculation'];

/** True when the body of a 200 belongs to its request and its lines add up to its total. */
export function isRightBody(body: Buffer, calculationId: string, isSale: boolean): boolean {
  try {
    const answer = JSON.parse(body.toString()) as BasketResponse & { result?: string };
    if (isSale) return SALE_RESULTS.includes(answer.result ?? '');
    if (answer.calculationId !== calculationId) return false;
    if (answer.status !== 'applied') return answer.status === 'unchanged';
    const total = answer.lines.reduce((sum, line) => sum + line.orderLinePrice, 0);
    return answer.lines.length > 0 && total === answer.totals.total;
  } catch {
    return false;
  }
}
