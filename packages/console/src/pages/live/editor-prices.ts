import type { PriceAmount, WantedPrice } from '../../../../../src/programme/price-list.ts';
import { askAdmin } from './admin.ts';
import { parseCsv, parseProducts, renderCsv, renderProducts } from './csv.ts';
import { byId, element, fillTable, onFile, saveFile, textIn } from './dom.ts';

/** Member prices of the draft as a table: edited here or in a spreadsheet, and written into the draft's text. */

const COLUMNS = ['programmeId', 'benefitId', 'productIds', 'unitPrice', 'remove'];
const TITLES = ['Programme', 'Benefit', 'Products', 'Unit price', 'Remove'];
const PATH = '/admin/configuration/prices';
const tell = textIn('editor-prices-state');

export class PriceTable {
  #body;
  #setText;

  /** `body` is the draft as calls send it. */
  constructor(body: () => { text: string; file: string }, setText: (file: string, text: string) => void) {
    this.#body = body;
    this.#setText = setText;
    byId('editor-prices-box').addEventListener('toggle', () => void this.show());
    byId('editor-prices-add').addEventListener('click', () => this.#add());
    byId('editor-prices-apply').addEventListener('click', () => void this.#apply(this.#read()));
    byId('editor-prices-save').addEventListener('click', () => this.#save());
    onFile('editor-prices-load', (text) => void this.#apply(parseCsv(text)));
  }

  /** Shows the prices of the draft, while the table is open. */
  async show() {
    if (!(byId('editor-prices-box') as HTMLDetailsElement).open) return;
    const body = this.#body();
    const answer = await askAdmin('POST', PATH, tell, { body });
    if (answer) this.#fill(body.file, answer.prices);
  }

  #fill(file: string, prices: readonly WantedPrice[]) {
    // Another file may have been chosen meanwhile, into which these rows would be written.
    if (file !== this.#body().file) return;
    const rows = prices.map((price) => cellsOf(price, false));
    fillTable(byId('editor-prices'), TITLES, rows, 'The draft has no member prices yet.');
  }

  #add() {
    const rows = [...byId('editor-prices').querySelectorAll('tbody tr')].filter((row) => row.querySelector('input'));
    const programmeId = (rows.at(-1)?.querySelector('input') as HTMLInputElement | null)?.value ?? '';
    const cells = cellsOf({ programmeId, benefitId: '', productIds: [], unitPrice: 0 }, true);
    const row = element('tr', { role: 'row' }, ...cells.map((cell) => element('td', { role: 'cell' }, cell)));
    const body = byId('editor-prices').querySelector('tbody');
    if (rows.length === 0) body?.replaceChildren();
    body?.append(row);
    cells[programmeId === '' ? 0 : 1]?.focus();
  }

  /** The table as rows of texts, which is also what a CSV file is. */
  #read() {
    const rows = [...byId('editor-prices').querySelectorAll('tbody tr')];
    const texts = rows.map((row) => [...row.querySelectorAll('input')].map(textOf)).filter((cells) => cells.length > 0);
    return [COLUMNS, ...texts];
  }

  #save() {
    saveFile(new Blob([renderCsv(this.#read())], { type: 'text/csv' }), 'member-prices.csv');
  }

  /** Writes the rows of a table, which begins with a head of names, into the draft. */
  async #apply(table: readonly (readonly string[])[]) {
    const rows = readPrices(table);
    if (typeof rows === 'string') return tell(rows);
    const body = this.#body();
    const answer = await askAdmin('POST', PATH, tell, { body: { ...body, rows } });
    if (!answer) return;
    this.#setText(body.file, answer.text);
    this.#fill(body.file, answer.prices);
    const words = rows.length === 1 ? '1 row is' : `${rows.length} rows are`;
    tell(`${words} written into the draft; nothing is in force yet.`);
  }
}

function cellsOf({ programmeId, benefitId, productIds, unitPrice }: WantedPrice, isNew: boolean): HTMLInputElement[] {
  const field = (label: string, value: string, isFixed = false) =>
    element('input', {
      type: 'text',
      'aria-label': `${label} of ${benefitId || 'the new price'}`,
      value,
      readonly: isFixed,
    });
  return [
    field('Programme', programmeId, !isNew),
    field('Benefit', benefitId, !isNew),
    field('Products', renderProducts(productIds), !isNew && productIds.length === 0),
    field('Unit price', wordsOf(unitPrice)),
    element('input', { type: 'checkbox', 'aria-label': `Remove ${benefitId || 'the new price'}` }),
  ];
}

function textOf(input: HTMLInputElement) {
  if (input.type === 'checkbox') return input.checked ? 'yes' : '';
  return input.value.trim();
}

function wordsOf(amount: PriceAmount) {
  if (typeof amount === 'number') return String(amount);
  return Object.entries(amount)
    .map(([currency, value]) => `${currency}=${value}`)
    .join(' ');
}

/**
 * Reads rows with a head of names. Returns a sentence when a row cannot be read.
 */
function readPrices([head = [], ...rows]: readonly (readonly string[])[]): WantedPrice[] | string {
  const missing = COLUMNS.slice(0, -1).filter((name) => !head.includes(name));
  if (missing.length > 0) return `The first row must have the column names; it lacks ${missing.join(', ')}.`;
  const read = [];
  for (const [at, cells] of rows.entries()) {
    const cell = (name: string) => (cells[head.indexOf(name)] ?? '').trim();
    const unitPrice = readAmount(cell('unitPrice'));
    const remove = ['yes', 'true', 'x', '1'].includes(cell('remove').toLowerCase());
    if (unitPrice === undefined && !remove) {
      return `Row ${at + 2}, unitPrice: found ${JSON.stringify(cell('unitPrice'))}, allowed: whole minor units such as 2900, or NOK=2900 SEK=2700.`;
    }
    const productIds = parseProducts(cell('productIds'));
    if (!productIds) {
      return `Row ${at + 2}, productIds: found ${JSON.stringify(cell('productIds'))}, allowed: product IDs separated by blanks or semicolons; an ID with one of these stands in quotes.`;
    }
    const names = { programmeId: cell('programmeId'), benefitId: cell('benefitId') };
    read.push({ ...names, productIds, unitPrice: unitPrice ?? 0, ...(remove && { remove }) });
  }
  return read;
}

function readAmount(text: string): PriceAmount | undefined {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  const pairs = text.split(/[\s;]+/).map((pair) => /^([A-Z]{3})=(\d{1,12})$/.exec(pair));
  if (pairs.some((pair) => pair === null)) return undefined;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', Number(pair?.[2])]));
}
