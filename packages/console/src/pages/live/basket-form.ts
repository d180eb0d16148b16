import type { VenueEntry } from '../../../../../src/programme/schema.ts';
import { composeBasket, instantOf, type LineWords, parseAmount, parseQuantity, wallClockOf } from './basket.ts';
import { byId, element } from './dom.ts';
import { type Example, VENUE_OF_EXAMPLES } from './examples.ts';
import { decimalsOfCurrency } from './format.ts';

/** The form for building a basket. */

const venueSelect: HTMLSelectElement = byId('venue');
const terminalSelect: HTMLSelectElement = byId('terminal');
const currencySelect: HTMLSelectElement = byId('currency');
const channelSelect: HTMLSelectElement = byId('channel');
const memberInput: HTMLInputElement = byId('loyalty-id');
const timeInput: HTMLInputElement = byId('time');
const linesBox = byId('lines');

/** An unusable field: the message is shown to the person, and the field gets the focus. */
export class FormFault extends Error {
  readonly field: HTMLElement;

  constructor(field: HTMLElement, message: string) {
    super(message);
    this.field = field;
  }
}

export class BasketForm {
  #venues: readonly VenueEntry[] = [];

  constructor() {
    venueSelect.addEventListener('change', () => this.#showVenue());
    byId('add-line').addEventListener('click', () => this.#addLine({}).querySelector('input')?.focus());
  }

  /** Offers the venues of the configuration in force. */
  offer(venues: readonly VenueEntry[]) {
    this.#venues = venues;
    venueSelect.replaceChildren(...venues.map(({ venueId }) => element('option', {}, venueId)));
    this.#showVenue();
    if (linesBox.childElementCount === 0) this.#addLine(this.#venue?.products?.[0] ?? {});
  }

  fill({ loyaltyId, at, lines }: Example) {
    venueSelect.value = VENUE_OF_EXAMPLES;
    this.#showVenue();
    memberInput.value = loyaltyId;
    if (at !== undefined) timeInput.value = at;
    linesBox.replaceChildren();
    for (const line of lines) this.#addLine(line);
  }

  /** Reads the basket from the form. Throws `FormFault`. */
  read() {
    const venue = this.#venue;
    if (!venue) throw new FormFault(venueSelect, 'Choose a venue.');
    if (memberInput.value === '') throw new FormFault(memberInput, 'Enter a loyalty ID.');
    if (timeInput.value === '') throw new FormFault(timeInput, 'Enter the time of the purchase.');
    const rows = [...linesBox.querySelectorAll('fieldset')];
    if (rows.length === 0) throw new FormFault(byId('add-line'), 'A basket has at least one line.');
    return composeBasket({
      venueId: venue.venueId,
      baxId: terminalSelect.value,
      channel: channelSelect.value === 'mpos' ? 'mpos' : 'pos',
      currency: currencySelect.value,
      loyaltyId: memberInput.value,
      requestedAt: instantOf(timeInput.value.slice(0, 16), venue.timeZone),
      lines: rows.map((row) => readLine(row, currencySelect.value)),
    });
  }

  get #venue() {
    return this.#venues.find(({ venueId }) => venueId === venueSelect.value);
  }

  #showVenue() {
    const venue = this.#venue;
    if (!venue) return;
    const optionsOf = (values: readonly string[]) => values.map((value) => element('option', {}, value));
    terminalSelect.replaceChildren(...optionsOf(venue.terminalSetups));
    currencySelect.replaceChildren(...optionsOf(venue.currencies));
    timeInput.value = wallClockOf(Date.now(), venue.timeZone);
    byId('time-zone').textContent = venue.timeZone;
    const products = venue.products ?? [];
    byId('products').replaceChildren(
      ...products.map(({ productId, name }) => element('option', { value: productId }, name)),
    );
  }

  #addLine(words: Partial<LineWords>) {
    const decimals = decimalsOfCurrency(currencySelect.value);
    const amount = (minor: number | undefined) =>
      minor === undefined ? '' : (minor / 10 ** decimals).toFixed(decimals);
    const text = (name: string, label: string, value = '', more = {}) => {
      const input = element('input', { name, value, autocomplete: 'off', ...more });
      return element('label', { class: `field field-${name}` }, label, input);
    };
    const flag = (name: string, label: string, isSet = false) =>
      element('label', { class: 'flag' }, element('input', { type: 'checkbox', name, checked: isSet }), ` ${label}`);
    const decimal = { inputmode: 'decimal' };
    const remove = element('button', { type: 'button', class: 'quiet' }, 'Remove');
    const row = element(
      'fieldset',
      {},
      element('legend', {}, ''),
      text('productId', 'Product ID', words.productId, { list: 'products' }),
      text('name', 'Name', words.name),
      text('productGroupId', 'Group', words.productGroupId),
      text('quantity', 'Quantity', String(words.quantity ?? 1), decimal),
      text('unitPrice', 'Unit price', amount(words.unitPrice), decimal),
      text('staffDiscount', 'Staff discount', amount(words.staffDiscount ?? 0), decimal),
      flag('noDiscount', 'no discount', words.noDiscount),
      flag('noPercentageDiscount', 'no percentage', words.noPercentageDiscount),
      remove,
    );
    remove.addEventListener('click', () => {
      row.remove();
      numberLines();
      byId('add-line').focus();
    });
    inputOf(row, 'productId').addEventListener('change', ({ target }) => {
      const { value } = target as HTMLInputElement;
      const product = this.#venue?.products?.find(({ productId }) => productId === value);
      if (!product) return;
      inputOf(row, 'name').value = product.name;
      inputOf(row, 'productGroupId').value = product.productGroupId ?? '';
      inputOf(row, 'unitPrice').value = amount(product.unitPrice);
      inputOf(row, 'noDiscount').checked = product.noDiscount;
      inputOf(row, 'noPercentageDiscount').checked = product.noPercentageDiscount;
    });
    linesBox.append(row);
    numberLines();
    return row;
  }
}

function numberLines() {
  for (const [index, legend] of [...linesBox.querySelectorAll('legend')].entries()) {
    legend.textContent = `Line ${index + 1}`;
  }
}

function inputOf(row: HTMLElement, name: string) {
  return row.querySelector(`[name="${name}"]`) as HTMLInputElement;
}

function readLine(row: HTMLElement, currency: string): LineWords {
  const textOf = (name: string) => inputOf(row, name).value.trim();
  const amountOf = (name: string, label: string) => {
    const amount = parseAmount(textOf(name), currency);
    if (amount === undefined) throw new FormFault(inputOf(row, name), `${label}: an amount of ${currency} like 39.00.`);
    return amount;
  };
  const quantity = parseQuantity(textOf('quantity'));
  if (textOf('productId') === '') throw new FormFault(inputOf(row, 'productId'), 'Every line needs a product ID.');
  if (quantity === undefined)
    throw new FormFault(inputOf(row, 'quantity'), 'Quantity: a number above 0 like 2 or 0.345.');
  return {
    productId: textOf('productId'),
    name: textOf('name') || textOf('productId'),
    productGroupId: textOf('productGroupId'),
    quantity,
    unitPrice: amountOf('unitPrice', 'Unit price'),
    staffDiscount: amountOf('staffDiscount', 'Staff discount'),
    noDiscount: inputOf(row, 'noDiscount').checked,
    noPercentageDiscount: inputOf(row, 'noPercentageDiscount').checked,
  };
}
