import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import type { BasketLineOut, BasketResponse } from '@loyalty/contract/basket-response';
import type { TracedBenefit, TracedChange } from '@loyalty/engine/types';
import type { Explanation } from '../../../../../src/administration/dry-run.ts';
import { byId, element, fillTable, numbers } from './dom.ts';
import {
  describeChange,
  describeClock,
  describeGrant,
  describeLeft,
  describeReason,
  describeUnchangedLine,
  RULES,
  rankOf,
  UNCHANGED,
} from './explanation-wording.ts';
import { formatAmount } from './format.ts';

/** The answer to a basket, before and after, with every minor unit explained. */

/**
 * Shows an explanation of the basket that was sent. `place` begins the names of the elements: of the configuration in force, or
 * of the draft. `textOf` has the texts of the benefits by benefitId.
 */
export function showExplanation(
  place: '' | 'draft-',
  basket: BasketRequest,
  { response, explanation }: { response: BasketResponse; explanation: Explanation },
  textOf: ReadonlyMap<string, string>,
) {
  const { currency } = basket;
  const title = place === '' ? '' : 'With the draft: ';
  byId(`${place}outcome`).textContent = title + describeOutcome(response, explanation, currency);
  byId(`${place}circumstances`).textContent = describeCircumstances(explanation, currency);
  byId(`${place}lines-caption`).textContent = `Lines, in ${currency}`;
  fillLines(byId(`${place}explained-lines`), basket, { response, explanation }, textOf);
  fillBenefits(byId(`${place}explained-benefits`), explanation, textOf, currency);
  byId(`${place}answer-json`).textContent = JSON.stringify(response, null, 2);
}

export function describeOutcome(
  response: BasketResponse,
  { totalBefore, totalAfter, programmeId }: Explanation,
  currency: string,
) {
  if (response.status === 'member_not_found') {
    return `The programme ${programmeId} does not know this loyalty ID: the till keeps its basket.`;
  }
  if (response.status === 'unchanged') return UNCHANGED[response.reason] ?? response.reason;
  const saved = formatAmount(totalBefore - totalAfter, currency);
  const [before, after] = [formatAmount(totalBefore, currency), formatAmount(totalAfter, currency)];
  return `The guest saves ${saved} ${currency}: ${before} becomes ${after}.`;
}

function describeCircumstances({ member, benefits, at, clock, configuration, gap }: Explanation, currency: string) {
  const tier = member?.tier === undefined ? 'no tier' : `tier ${member.tier}`;
  const grants = (member?.grants ?? []).map((grant) => describeGrant(grant, benefits));
  const granted = grants.length === 0 ? 'nothing granted' : `granted ${grants.join(', ')}`;
  const who = member === undefined ? 'Member: unknown.' : `Member: ${member.status}, ${tier}, ${granted}.`;
  const other =
    gap === 0
      ? 'No other combination is likely to save more.'
      : `Another combination could save up to about ${formatAmount(gap, currency)} more.`;
  return `${who} Priced as of ${at} by configuration ${configuration}.${describeClock(clock)} ${other} Nothing was reserved.`;
}

export function fillLines(
  table: HTMLTableElement,
  basket: BasketRequest,
  { response, explanation }: { response: BasketResponse; explanation: Explanation },
  textOf: ReadonlyMap<string, string>,
) {
  const { currency } = basket;
  const { changes, bought, totalBefore, totalAfter } = explanation;
  const lines = response.status === 'applied' ? response.lines : basket.lines;
  const amount = (minor: number) => formatAmount(minor, currency);
  const rows = lines.map((line) => {
    const own = changes.filter(({ lineId }) => lineId === line.lineId);
    const used = bought.filter(({ lineId }) => lineId === line.lineId);
    const change = own.reduce((sum, { amount: minor }) => sum + minor, 0);
    return [
      describeLine(line),
      String(line.quantity),
      amount(line.unitPrice),
      amount(line.orderLinePrice - change),
      change === 0 ? '' : formatAmount(change, currency, true),
      amount(line.orderLinePrice),
      own.length + used.length === 0
        ? describeUnchangedLine(line)
        : element(
            'ul',
            {},
            ...own.map((entry) => element('li', {}, describeEntry(entry, currency, textOf))),
            ...used.map(({ benefitId, units }) =>
              element('li', {}, `${units} used by ${textOf.get(benefitId) ?? benefitId}`),
            ),
          ),
    ];
  });
  const difference = totalAfter - totalBefore;
  rows.push([
    element('strong', {}, 'Total'),
    '',
    '',
    element('strong', {}, amount(totalBefore)),
    difference === 0 ? '' : element('strong', {}, formatAmount(difference, currency, true)),
    element('strong', {}, amount(totalAfter)),
    '',
  ]);
  const columns = ['Line', ...['Quantity', 'Unit price', 'Before', 'Change', 'After'].map(numbers), 'Why'];
  fillTable(table, columns, rows, '');
}

function describeLine(line: BasketLine | BasketLineOut) {
  const notes = [];
  if ('addedByLoyalty' in line && line.addedByLoyalty) notes.push('added');
  if ('splitFromLineId' in line && line.splitFromLineId) notes.push(`split from ${line.splitFromLineId}`);
  if (line.existingLineDiscountAmount > 0) notes.push('staff discount');
  const note = notes.length === 0 ? undefined : element('span', { class: 'muted' }, ` ${notes.join(', ')}`);
  return element('span', {}, line.name || line.productId, note);
}

function describeEntry(
  { amount, benefitId, rule }: TracedChange,
  currency: string,
  textOf: ReadonlyMap<string, string>,
) {
  const by = benefitId === '' ? '' : `${textOf.get(benefitId) ?? benefitId}: `;
  return `${formatAmount(amount, currency, true)} ${by}${RULES[rule] ?? rule}`;
}

export function fillBenefits(
  table: HTMLTableElement,
  { benefits, limits }: Explanation,
  textOf: ReadonlyMap<string, string>,
  currency: string,
) {
  const rowsOf = (some: readonly TracedBenefit[]) =>
    some.map((benefit) => {
      const { benefitId, applied, saved } = benefit;
      const left = describeLeft(benefit, limits, currency);
      const text = textOf.get(benefitId) ?? benefitId;
      const notes = [text === benefitId ? '' : benefitId, left].filter((note) => note !== '').join(', ');
      return [
        element('span', {}, text, element('span', { class: 'muted' }, ` ${notes}`)),
        applied
          ? element('strong', { class: 'good' }, benefit.explanation ?? 'Applied')
          : describeReason(benefit, textOf),
        applied ? formatAmount(saved, currency) : '',
        describeChange(benefit, currency),
      ];
    });
  const columns = ['Benefit', 'Applied, or why not', numbers(`Saves (${currency})`), 'What would make it apply'];
  const sorted = [...benefits].sort((one, other) => rankOf(one) - rankOf(other));
  const absent = sorted.filter(({ reason }) => reason === 'no_matching_line');
  const present = sorted.filter((benefit) => !absent.includes(benefit));
  const whenEmpty = absent.length > 0 ? 'No benefit is for a product in this basket.' : 'No benefit was examined.';
  fillTable(table, columns, rowsOf(present), whenEmpty);
  // What the basket has nothing of is folded away.
  const id = `${table.id}-absent`;
  document.getElementById(id)?.remove();
  if (absent.length === 0) return;
  const folded = element('table', { class: 'stacks' }, element('caption', {}, 'Benefits of other products'));
  fillTable(folded, columns, rowsOf(absent), '');
  const many = absent.length === 1 ? 'One benefit' : `${absent.length} benefits`;
  table.after(
    element('details', { id }, element('summary', {}, `${many} for products that are not in the basket`), folded),
  );
}
