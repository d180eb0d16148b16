import { askAdmin, type Json } from './admin.ts';
import { byId, element, fillTable, onSubmit, textIn } from './dom.ts';
import { formatMoney } from './format.ts';

/** A search of sales for whoever has no receipt; each leads to its look-up. */

const COLUMNS = ['When', 'Venue', 'Status', 'Answered', 'Benefits', 'Calculation'];
const FIELDS = ['venueId', 'from', 'to', 'member', 'status', 'conflict', 'reason', 'benefitId'];
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

const input: (id: string) => HTMLInputElement = (id) => byId(id);

/** Connects the form. */
export function startSaleSearch() {
  onSubmit('sales-form', () => void search(undefined));
  byId('sales-more').addEventListener('click', () => void search(byId('sales-more').dataset['to']));
}

/** Searches; `to` is where an earlier search goes on. */
async function search(to: string | undefined) {
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
  fillTable(byId('sales') as HTMLTableElement, COLUMNS, sales.map(toRow), 'No sale matches.');
}

function toRow(sale: Json) {
  const { at, venueId, status, failureReason, answered, reason, benefits, currency, calculationId } = sale;
  const gave = benefits.map(({ benefitId, saved }: Json) => `${benefitId} ${formatMoney(saved, currency)}`);
  return [
    TIME.format(new Date(at)),
    venueId ?? '',
    sale.conflict ? `${status}: ${describeConflict(sale)}` : failureReason ? `${status}: ${failureReason}` : status,
    reason ? `${answered}: ${reason}` : (answered ?? ''),
    gave.join(', '),
    element('a', { href: `#look-up/${calculationId}`, class: 'identifier' }, calculationId),
  ];
}

function describeConflict({ conflict, decision }: Json) {
  if (conflict === 'unbooked') return 'nothing was booked of either outcome';
  if (!decision) return conflict;
  const { outcome, who = 'somebody', at, reason } = decision;
  return `${who} decided for the ${outcome} outcome on ${TIME.format(new Date(at))}: ${reason}`;
}
