import { askAdmin } from './admin.js';
import { element } from './dom.js';
import { formatAmount } from './format.js';

/** "What if this comes back": the quote of a return, for a sale that was looked up. Nothing is booked. */

/** @typedef {{ lineId: string, quantity: number, refund: number }} RefundedLine */
/** @typedef {{ benefitId: string, saved: number }} Saving */
/** @typedef {{ refund: number, lines: RefundedLine[], policy: string, kept: Saving[], lost: Saving[], explanation: string[] }} Quote */

/**
 * A form with a quantity for each line of the receipt.
 * @param {any} calculation
 * @param {any} past
 * @returns {HTMLElement}
 */
export function whatIfReturned({ calculationId, sale }, { basket, response, texts }) {
  const isAnswered = sale.status === 'applied' && response.status === 'applied';
  /** @type {any[]} */
  const lines = isAnswered ? response.lines : basket.lines;
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

/**
 * @param {{ calculationId: string, lines: { lineId: string, quantity: number }[] }} request
 * @param {{ result: HTMLElement, currency: string, texts: Record<string, string>, lines: any[] }} place
 */
async function showQuote(request, place) {
  const { result } = place;
  const tell = (/** @type {string} */ text) => result.replaceChildren(element('p', { class: 'fault' }, text));
  if (request.lines.length === 0) return tell('Enter a quantity above 0 for a line that comes back.');
  const quote = await askAdmin('POST', '/admin/returns/quote', tell, { body: request, keepsToken: true });
  if (quote) result.replaceChildren(...describeQuote(quote, place));
}

/**
 * @param {Quote} quote
 * @param {{ currency: string, texts: Record<string, string>, lines: any[] }} place
 */
function describeQuote({ refund, lines, policy, kept, lost, explanation }, { currency, texts, lines: sold }) {
  /** @param {number} amount */
  const write = (amount) => `${formatAmount(amount, currency)} ${currency}`;
  /** @param {Saving[]} savings */
  const list = (savings) =>
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
