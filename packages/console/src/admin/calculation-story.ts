import { formatAmount } from '@loyalty/engine/trace/wording';
import type { Venue } from '@loyalty/engine/types';
import type { BookedReturn } from '../../../../src/store/booked-return.ts';
import { allUses, type Decision, type StoredCalculation } from '../../../../src/store/stored-calculation.ts';
import type { Use } from '../../../../src/store/uses.ts';
import { readUsageKey } from './uses.ts';

/**
 * Tells the history of a calculation in plain sentences, in order of time, for a support desk; times are in the venue's
 * zone. `nowMs` is the clock that decides whether a hold is still open. An event without a stored time is told at its
 * only possible place.
 */
export function tellStory(
  record: StoredCalculation,
  returns: readonly BookedReturn[],
  venue: Venue | undefined,
  nowMs: number,
): string[] {
  const time = clockOf(venue?.timeZone ?? 'UTC');
  const money = moneyOf(record, venue);
  const told = [...tellAnswer(record, time, money), ...tellAge(record), ...tellEnding(record, time, nowMs)];
  if (record.conflicts > 0) {
    const times = record.conflicts === 1 ? 'Once' : `${record.conflicts} times`;
    const stands = record.decision ? 'it was refused' : 'it was refused, and the first one stands';
    told.push(`${times} a sale event reported another outcome; ${stands}.`);
  }
  if (record.decision) told.push(...tellDecision(record.decision, record, time));
  return [...told, ...tellReturns(returns, allUses(record), time, money)];
}

/** Reports a decision, and what it changed of limits and grants: only a sale with our benefits uses them. */
function tellDecision(decision: Decision, record: StoredCalculation, time: Clock): string[] {
  const { sale } = record;
  const uses = allUses(record);
  const { outcome, who = 'a person', reason, atMs, first } = decision;
  const told = `${time(atMs)}: ${who} decided for the ${outcome} outcome, ${sale?.status}: ${reason}`;
  const [was, is] = [first.status, sale?.status].map((status) => status === 'applied');
  if (uses.length === 0 || was === is) return [told];
  return [told, `${is ? 'Consumed' : 'Given back'}: ${describeUses(uses)}.`];
}

/** Reports the goods that came back, in the order of the returns. */
function tellReturns(returns: readonly BookedReturn[], uses: readonly Use[], time: Clock, money: Money): string[] {
  return returns.map(({ returnId, atMs, answer, givenBack, returnedAt }) => {
    const lines = answer.lines.map(({ lineId, quantity }) => `${quantity} of line ${lineId}`).join(', ');
    const keys = new Set(givenBack.map(([usageKey]) => usageKey));
    const back = uses.filter(({ usageKey }) => keys.has(usageKey));
    const freed = back.length === 0 ? '' : ` Given back: ${describeUses(back)}.`;
    const where = tellPlace(returnedAt);
    return `${time(atMs)}: return ${returnId} of ${lines}${where}, ${money(answer.refund)} refunded.${freed}`;
  });
}

function tellPlace({ venueId, cashRegisterId, clerkNumber }: BookedReturn['returnedAt'] = {}): string {
  const words = [
    ...(venueId === undefined ? [] : [` at ${venueId}`]),
    ...(cashRegisterId === undefined ? [] : [` at till ${cashRegisterId}`]),
    ...(clerkNumber === undefined ? [] : [` by clerk ${clerkNumber}`]),
  ];
  return words.join('');
}

const MS_PER_MINUTE = 60_000;

type Clock = (epochMs: number | undefined) => string;
type Money = (amount: number) => string;

function tellAnswer(record: StoredCalculation, time: Clock, money: Money): string[] {
  const { state, status, answeredAtMs, deadlineMs, total, venueId, member, sale, supersededBy } = record;
  const uses = allUses(record);
  if (state === 'unknown' || status === undefined) {
    if (member !== undefined)
      return ['A basket call asked for it, and no answer was committed: the till kept its basket.'];
    const first = sale ? 'a sale event' : supersededBy === undefined ? 'something' : 'a successor';
    return [
      `No basket call for it has been seen; ${first} named it first. Should the call still come, it holds nothing.`,
    ];
  }
  const asked = `${time(answeredAtMs)}: ${venueId} asked, and was answered ${status}`;
  const sentences = [total === undefined ? `${asked}.` : `${asked}; the guest was to pay ${money(total)}.`];
  if (uses.length > 0) sentences.push(`Held until ${time(deadlineMs)}: ${describeUses(uses)}.`);
  return sentences;
}

/** The clock of a test member was moved, and the end of the hold with it. */
function tellAge({ agedMs }: StoredCalculation): string[] {
  const minutes = Math.round(agedMs / MS_PER_MINUTE);
  return agedMs === 0 ? [] : [`A test has made it ${minutes} minutes older: it ends earlier by as much.`];
}

/** Tells the end. Supersession and expiry come before a sale event, because afterwards neither can happen. */
function tellEnding(record: StoredCalculation, time: Clock, nowMs: number): string[] {
  const { sale, supersededBy, isLate, state, deadlineMs } = record;
  const isEmpty = allUses(record).length === 0;
  const sentences: string[] = [];
  const holdEnded = isEmpty ? 'it ended unsold' : 'it ended unsold, and what it held was given back';
  if (supersededBy !== undefined) {
    sentences.push(`Calculation ${supersededBy} superseded it${isEmpty ? '' : ', and what it held was given back'}.`);
  } else if (state === 'expired' || (state === 'open' && deadlineMs !== undefined && deadlineMs <= nowMs)) {
    sentences.push(`${time(deadlineMs)}: no sale event had come, so ${holdEnded}.`);
  } else if (isLate) {
    sentences.push(`${time(deadlineMs)}: no sale event had come in time.`);
  } else if (state === 'open') {
    sentences.push('No sale event has come yet.');
  }
  const first = record.decision?.first ?? sale;
  if (first) sentences.push(...tellSale(record, first, time));
  return sentences;
}

function tellSale(record: StoredCalculation, sale: NonNullable<StoredCalculation['sale']>, time: Clock): string[] {
  const { soldAtMs, isLate, overRedeemed, state } = record;
  const uses = allUses(record);
  const transaction = sale.transactionId === undefined ? '' : `, transaction ${sale.transactionId}`;
  const reason = sale.failureReason === undefined ? '' : ` (${sale.failureReason})`;
  const when = soldAtMs === undefined ? 'At a time not kept' : time(soldAtMs);
  const sentences = [`${when}: sale event ${sale.status}${reason}${transaction}${isLate ? ', late' : ''}.`];
  if (uses.length === 0 || state === 'unknown') return sentences;
  if (sale.status !== 'applied') {
    if (!isLate) sentences.push('What it held was given back.');
    return sentences;
  }
  sentences.push(`Consumed: ${describeUses(uses)}.`);
  if (overRedeemed > 0 && sale === record.sale)
    sentences.push(`That is ${overRedeemed} past the limit: over-redeemed.`);
  return sentences;
}

/** Renders uses like `coffee (2026-11-21): 1 of 3, cake (grant card-7): 1 of 1, tea (2026-11): 12.00 of 50.00 NOK`. */
function describeUses(uses: readonly Use[]): string {
  const words = uses.map(({ usageKey, units, limit }) => {
    const { benefitId, limitId, grantId, currency, of, period } = readUsageKey(usageKey);
    const whose = of === undefined ? '' : ` of the ${of}`;
    const time = period === '*' ? 'lifetime' : period;
    const counter = grantId === undefined ? `${time}${whose}` : `grant ${grantId}`;
    const [taken, most] = [units, limit].map((count) => (currency ? formatAmount(count, currency) : count));
    return `${benefitId ?? limitId} (${counter}): ${taken} of ${most}${currency ? ` ${currency}` : ''}`;
  });
  return words.join(', ');
}

/** Amounts are in the currency of the calculation. Of an older version it names none, and its venue may have several. */
function moneyOf({ given }: StoredCalculation, venue: Venue | undefined): Money {
  const [only, ...others] = venue?.currencies ?? [];
  const currency = given?.currency ?? (others.length === 0 ? only : undefined);
  return (amount) =>
    currency === undefined ? `${amount} minor units` : `${formatAmount(amount, currency)} ${currency}`;
}

/** Creates a formatter of a zone's wall-clock time: `2026-11-21 12:00:03 Europe/Oslo`. */
function clockOf(timeZone: string): Clock {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (epochMs) => (epochMs === undefined ? 'at a time not kept' : `${format.format(epochMs)} ${timeZone}`);
}
