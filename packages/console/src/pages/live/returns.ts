import type { ReturnQuote } from '../../admin/return-schemas.ts';
import { askAdmin, type Json } from './admin.ts';
import { element } from './dom.ts';
import { formatAmount, formatMoney } from './format.ts';

/** "What if this comes back": the quote of a return, for a sale that was looked up. Nothing is booked. */

type Savings = ReturnQuote['kept'];

/** A form with a quantity for each line of the receipt. */
export function whatIfReturned({ calculationId, sale }: Json, { basket, response, texts }: Json): HTMLElement {
  const isAnswered = sale.status === 'applied' && response.status === 'applied';
  const lines: Json[] = isAnswered ? response.lines : basket.lines;
  const { currency } = basket;
  const inputs = lines.map(({ quantity }) =>
    element('input', { type: 'number', min: 0, max: quantity, step: 'any', value: 0, inputmode: 'decimal' }),
  );
  const result = element('div', { role: 'status' });
  const form = element(
    'form',
    { class: 'panel returns' },
    ...lines.map(({ name, quantity, orderLinePrice }, index) =>
      element('label', {}, `${name}, ${quantity} for ${formatAmount(orderLinePrice, currency)} `, inputs[index]),
    ),
    element('button', { type: 'submit' }, 'What to refund'),
    result,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const returned = lines.map(({ lineId }, index) => ({ lineId, quantity: Number(inputs[index]?.value) }));
    void showQuote(
      { calculationId, lines: returned.filter(({ quantity }) => quantity > 0) },
      { result, currency, texts, lines },
    );
  });
  return element('details', {}, element('summary', {}, 'What if this comes back'), form);
}

async function showQuote(
  request: { calculationId: string; lines: { lineId: string; quantity: number }[] },
  place: { result: HTMLElement; currency: string; texts: Record<string, string>; lines: Json[] },
) {
  const { result } = place;
  const tell = (text: string) => result.replaceChildren(element('p', { class: 'fault' }, text));
  if (request.lines.length === 0) return tell('Enter a quantity above 0 for a line that comes back.');
  const quote = await askAdmin('POST', '/admin/returns/quote', tell, { body: request, keepsToken: true });
  if (quote) result.replaceChildren(...describeQuote(quote, place));
}

function describeQuote(
  { refund, lines, policy, kept, lost, explanation }: ReturnQuote,
  { currency, texts, lines: sold }: { currency: string; texts: Record<string, string>; lines: Json[] },
) {
  const write = (amount: number) => formatMoney(amount, currency);
  const list = (savings: Savings) =>
    savings.map(({ benefitId, saved }) => `${texts[benefitId] ?? benefitId} ${write(saved)}`).join(', ') || 'nothing';
  const nameOf = new Map(sold.map(({ lineId, name }) => [lineId, name]));
  return [
    element('p', { class: 'outcome' }, `Refund ${write(refund)} (policy ${policy}).`),
    element(
      'ul',
      {},
      ...lines.map((line) => element('li', {}, `${line.quantity} × ${nameOf.get(line.lineId)}: ${write(line.refund)}`)),
    ),
    element('p', {}, `The guest keeps ${list(kept)}, and loses ${list(lost)}.`),
    element('ol', { class: 'story' }, ...explanation.map((sentence) => element('li', {}, sentence))),
  ];
}
