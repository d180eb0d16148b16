import { askAdmin } from './admin.js';
import { byId, element, fillTable, onSubmit, textIn } from './dom.js';
import { formatAmount } from './format.js';

/** A search of sales for whoever has no receipt; each leads to its look-up. */

const COLUMNS = ['When', 'Venue', 'Status', 'Answered', 'Benefits', 'Calculation'].map((title) => ({ title }));
const FIELDS = ['venueId', 'from', 'to', 'member', 'status', 'reason', 'benefitId'];
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** @type {(id: string) => HTMLInputElement} */
const input = (id) => byId(id);

/** Connects the form. */
export function startSaleSearch() {
  onSubmit('sales-form', () => void search(undefined));
  byId('sales-more').addEventListener('click', () => void search(byId('sales-more').dataset['to']));
}

/** @param {string | undefined} to where an earlier search goes on */
async function search(to) {
  const words = FIELDS.map((name) => [name, input(`sales-${name}`).value.trim()]).filter(([, value]) => value !== '');
  const query = new URLSearchParams([...words.filter(([name]) => !to || name !== 'to'), ...(to ? [['to', to]] : [])]);
  const tell = textIn('sales-status-line');
  const answer = await askAdmin('GET', `/admin/sales?${query}`, tell);
  if (!answer) return;
  tell('');
  const { sales, next } = answer;
  byId('sales-more').hidden = next === undefined;
  byId('sales-more').dataset['to'] = next ?? '';
  byId('sales').hidden = false;
  fillTable(/** @type {HTMLTableElement} */ (byId('sales')), COLUMNS, sales.map(toRow), 'No sale matches.');
}

/** @param {any} sale */
function toRow({ at, venueId, status, failureReason, answered, reason, benefits, currency, calculationId }) {
  const gave = benefits.map(
    (/** @type {any} */ { benefitId, saved }) => `${benefitId} ${formatAmount(saved, currency)} ${currency}`,
  );
  return [
    TIME.format(new Date(at)),
    venueId ?? '',
    failureReason ? `${status}: ${failureReason}` : status,
    reason ? `${answered}: ${reason}` : (answered ?? ''),
    gave.join(', '),
    element('a', { href: `#look-up/${calculationId}`, class: 'identifier' }, calculationId),
  ];
}
