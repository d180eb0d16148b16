import type { BasketRequest, Totals } from '@loyalty/contract/basket-request';
import type { BasketLineOut } from '@loyalty/contract/basket-response';
import type { AppliedDecision, Decision, Trace, TracedBenefit } from '@loyalty/engine/types';
import { formatMoney } from '../terminal/money.ts';
import { type Cell, renderTable } from '../terminal/table.ts';

/** Renders a pricing for people: the basket before and after, and the reasons. */

/** Renders the decision in one line, and the basket before and after as a table. */
export function renderPricing(basket: BasketRequest, decision: Decision): string {
  const label = decision.memberLabel === undefined ? '' : `, ${decision.memberLabel}`;
  if (decision.status === 'unchanged') return `unchanged (${decision.reason})${label}\n\n${renderBefore(basket)}`;
  const footer = decision.receiptFooterText === undefined ? '' : `\n${decision.receiptFooterText}\n`;
  return `applied${label}\n\n${renderBeforeAndAfter(basket, decision)}${footer}${renderUses(decision)}`;
}

/** The basket as it was sent. */
export function renderBefore({ lines, totals, currency }: BasketRequest): string {
  const rows: Cell[][] = lines.map((line) => [line.name, line.quantity, formatMoney(line.orderLinePrice, currency)]);
  rows.push(['total', '', formatMoney(totals.total, currency)]);
  return renderTable(['line', 'quantity', 'price'], rows);
}

/** Every line as it was sent and as it is charged, with what changed it. */
export function renderBeforeAndAfter(
  basket: BasketRequest,
  { lines, totals }: { readonly lines: readonly BasketLineOut[]; readonly totals: Totals },
): string {
  const { currency } = basket;
  const before = new Map(basket.lines.map((line) => [line.lineId, line]));
  const shown = new Set<string>();
  const rows: Cell[][] = lines.map((line) => {
    const origin = line.splitFromLineId ?? line.lineId;
    const sent = before.get(origin);
    // The price before a split is shown on its first part only, so that the column adds up.
    const isFirst = !shown.has(origin);
    shown.add(origin);
    const price = sent && isFirst ? formatMoney(sent.orderLinePrice, currency) : '';
    const name = line.addedByLoyalty ? `+ ${line.name}` : line.name;
    return [name, line.quantity, price, formatMoney(line.orderLinePrice, currency), describeLine(line, currency)];
  });
  rows.push(['total', '', formatMoney(basket.totals.total, currency), formatMoney(totals.total, currency), '']);
  return renderTable(['line', 'quantity', 'before', 'after', 'benefit'], rows);
}

function describeLine(line: BasketLineOut, currency: string): string {
  const words: string[] = [];
  if (line.overrideUnitPrice !== undefined) words.push(`unit price ${formatMoney(line.overrideUnitPrice, currency)}`);
  if (line.lineDiscountType === 'percent') words.push(`${line.lineDiscountPercent} %`);
  if (line.lineDiscountType === 'amount') words.push(`−${formatMoney(line.lineDiscountAmount, currency)}`);
  if (line.lineDiscountText !== undefined) words.push(line.lineDiscountText);
  if (line.splitFromLineId !== undefined) words.push(`(part of ${line.splitFromLineId})`);
  return words.join(' ');
}

function renderUses({ uses }: AppliedDecision): string {
  if (uses.length === 0) return '';
  const rows = uses.map(({ usageKey, units, limit }) => [usageKey, units, limit]);
  return `\n${renderTable(['limit', 'uses', 'of'], rows)}`;
}

/** Renders the gap, every change with its benefit, and every benefit with its reason. */
export function renderExplanation({ steps, gap, changes, bought, benefits }: Trace, currency: string): string {
  const money = (minorUnits: number): string => formatMoney(minorUnits, currency);
  const changeRows = changes.map(({ lineId, rule, benefitId, amount }) => [lineId, benefitId, rule, money(amount)]);
  const boughtRows = bought.map(({ lineId, benefitId, units }) => [lineId, benefitId, units]);
  // What the basket has nothing of comes last.
  const isAbsent = ({ reason }: TracedBenefit): number => (reason === 'no_matching_line' ? 1 : 0);
  const sorted = benefits.toSorted((one, other) => isAbsent(one) - isAbsent(other));
  const benefitRows = sorted.map(({ benefitId, applied, saved, left, explanation, change, instead }) => [
    benefitId,
    applied ? money(saved) : '',
    joinReasons([left, explanation, change, instead && `instead: ${instead.join(', ')}`]),
  ]);
  return [
    `gap: ${money(gap)} (${steps} steps)\n`,
    changeRows.length === 0 ? '' : renderTable(['line', 'benefit', 'change', 'amount'], changeRows),
    boughtRows.length === 0 ? '' : renderTable(['line', 'used by', 'units'], boughtRows),
    renderTable(['benefit', 'saves', 'what is left, or why not'], benefitRows),
  ]
    .filter((text) => text !== '')
    .join('\n');
}

/** What is known, as one sentence: a full stop stays at its end only. */
function joinReasons(reasons: readonly (string | undefined)[]): string {
  const known = reasons.filter((reason) => reason !== undefined && reason !== '') as string[];
  return known.map((reason, at) => (at < known.length - 1 ? reason.replace(/\.$/, '') : reason)).join('; ');
}
