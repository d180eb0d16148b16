import type { AppliedRule } from './applied.ts';

/**
 * The order of an `applied` answer (interface, section 4.6): lines stand as they were sent, the parts of a split one together in
 * its place, and what loyalty added comes last. The same of order discounts.
 */
export const orderFaults: AppliedRule = ({ request, answer }) => [
  ...faultsOf(
    'lines',
    answer.lines.map((line) => line.splitFromLineId ?? line.lineId),
    request.lines.map(({ lineId }) => lineId),
  ),
  ...faultsOf(
    'orderDiscounts',
    answer.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId),
    request.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId),
  ),
];

function faultsOf(name: string, answered: readonly string[], sent: readonly string[]): string[] {
  const place = new Map(sent.map((id, at) => [id, at]));
  const places = answered.map((id) => place.get(id) ?? sent.length);
  const wrong = places.findIndex((own, at) => own < (places[at - 1] ?? 0));
  if (wrong === -1) return [];
  return [
    `/${name}/${wrong}: ${answered[wrong]} comes after ${answered[wrong - 1]}, which is not the order of the request`,
  ];
}
