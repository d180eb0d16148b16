import { unitsToGiveBack } from '@loyalty/engine/returns/give-back';
import { type Excess, type ReturnedLine, withReturned } from '@loyalty/engine/returns/portions';
import { quoteReturn, type ReturnedBefore, type ReturnQuote } from '@loyalty/engine/returns/quote';
import type { SoldBasket } from '@loyalty/engine/returns/sold-basket';
import type { PricingContext } from '../calls/call.ts';
import { eventFactsOf } from '../calls/event-facts.ts';
import { keptLineId } from '../calls/stored/kept-form.ts';
import { StoreUnavailable } from '../redis/failure.ts';
import type { BookedReturn, ReturnPlace } from '../store/booked-return.ts';
import { completeEnding, giveBackCommon } from '../store/common-endings.ts';
import { findAnswered } from '../store/find-calculation.ts';
import { readReceipt } from '../store/receipts.ts';
import { bookReturn, finishReturn, readReturns, tellReturn } from '../store/returns.ts';
import { type AnsweredCalculation, allUses } from '../store/stored-calculation.ts';
import { unitsOf } from '../store/uses.ts';
import { countReturn } from './return-costs.ts';
import { type RestoredSale, restoreSale } from './sold-basket.ts';

/** What comes back, and of which sale: by its calculation or by the number on its receipt. */
export interface ReturnRequest {
  readonly calculationId?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly lines: readonly ReturnedLine[];
  readonly returnedAt?: ReturnPlace | undefined;
}

export type ReturnOutcome = (
  | { readonly kind: 'answered'; readonly answer: object; readonly isRepeated: boolean }
  /** Nothing is known of the sale, or no longer enough. */
  | { readonly kind: 'not_found'; readonly message: string }
  | { readonly kind: 'conflict'; readonly message: string }
  /** More than was sold and has not come back yet, or a part of a piece. */
  | { readonly kind: 'refused'; readonly message: string; readonly excess: readonly Excess[] }
) & { readonly sale?: AnsweredCalculation };

/** Each round that finds the sale changed means that another return, a decision or a move is done. */
const MAX_ROUNDS = 100;

/** Quotes a return and books nothing. Throws `StoreUnavailable`. */
export async function quoteReturnOf(context: PricingContext, request: ReturnRequest): Promise<ReturnOutcome> {
  const found = await findSale(context, request);
  if ('kind' in found) return found;
  const returns = await readReturns(context.store, found.record.member, found.record.calculationId);
  const computed = computeReturn(found, request.lines, returns);
  if ('kind' in computed) return computed;
  return { kind: 'answered', answer: computed.quote, isRepeated: false, sale: found.record };
}

/**
 * Books a return under its ID. The booking, its event and what it gives back are one step in the member's slot; the day's costs
 * follow, and a repetition completes them if the first call could not. Throws `StoreUnavailable`.
 */
export async function bookReturnOf(
  context: PricingContext,
  returnId: string,
  request: ReturnRequest,
): Promise<ReturnOutcome> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const found = await findSale(context, request);
    if ('kind' in found) return found;
    const { record } = found;
    const returns = await readReturns(context.store, record.member, record.calculationId);
    const known = returns.find((other) => other.returnId === returnId);
    const computed = known ? { booked: known } : computeReturn(found, request.lines, returns);
    if ('kind' in computed) return computed;
    const booked = 'booked' in computed ? computed.booked : bookingOf(returnId, record, computed, request.returnedAt);
    const outcome = await bookReturn(context.store, record, booked, returns.length, eventFactsOf(context));
    // What has changed since it was read, a return that was booked or a person's decision, is found in the next round.
    if (outcome.outcome === 'changed' || outcome.outcome === 'moved') continue;
    if (outcome.outcome === 'known' && !known) continue;
    if (outcome.outcome === 'gone') return { kind: 'not_found', message: FORGOTTEN, sale: record };
    if (outcome.outcome === 'known' && !hasSameLines(outcome.booked.answer.lines, request.lines)) {
      return { kind: 'conflict', message: `Return ${returnId} was booked with other lines.`, sale: record };
    }
    const settled = outcome.outcome === 'known' ? outcome.booked : { ...booked, atMs: outcome.atMs };
    if (outcome.outcome === 'booked' || outcome.isDue) {
      const before = returnedBefore(found.restored.sold, known ? returns.slice(0, returns.indexOf(known)) : returns);
      await complete(context, found, before, settled, outcome);
    }
    const isRepeated = outcome.outcome === 'known';
    return { kind: 'answered', answer: settled.answer, isRepeated, sale: record };
  }
  throw new StoreUnavailable('other returns of this sale are booked without end');
}

export interface FoundSale {
  readonly record: AnsweredCalculation;
  readonly restored: RestoredSale;
}

export type Missed = Exclude<ReturnOutcome, { kind: 'answered' }>;

const FORGOTTEN = 'The sale is no longer kept: `returns.days` of the configuration says how long sales are.';

/** Finds the sale, or says what of it is missing. Throws `StoreUnavailable`. */
export async function findSale(context: PricingContext, request: ReturnRequest): Promise<FoundSale | Missed> {
  const { calculationId, transactionId = '' } = request;
  const named = calculationId === undefined ? await readReceipt(context.store, transactionId) : [calculationId];
  const name = calculationId === undefined ? `receipt ${transactionId}` : `calculation ${calculationId}`;
  const read = await Promise.all(named.map((id) => findAnswered(context.store, id)));
  const records = read.filter((record) => record !== undefined);
  if (records.length === 0) {
    const message = `Nothing is known of ${name}: it was never seen here, or its sale is no longer kept.`;
    return { kind: 'not_found', message };
  }
  const sales = records.filter(isSale);
  const [record] = sales;
  if (!record) {
    const excess = request.lines.map(({ lineId, quantity }) => ({ lineId, sold: 0, left: 0, asked: quantity }));
    return { kind: 'refused', message: `Of ${name} nothing was sold.`, excess, sale: records[0]! };
  }
  if (sales.length > 1) {
    const ids = sales.map((sale) => sale.calculationId).join(', ');
    return { kind: 'conflict', message: `Several sales have the ${name}; name one by its calculationId: ${ids}.` };
  }
  const restored = await restoreSale(context, record);
  if (typeof restored !== 'string') return { record, restored };
  const message = `The sale of ${name} is known, but not enough of it is kept. ${restored}`;
  return { kind: 'not_found', message, sale: record };
}

/** A cancelled sale sold nothing; after any other ending the guest has paid, if without benefits. */
function isSale({ sale }: AnsweredCalculation): boolean {
  return sale !== undefined && sale.status !== 'cancelled';
}

interface Computed {
  readonly quote: ReturnQuote;
  readonly givenBack: ReadonlyMap<string, number>;
}

/** Quotes a return after what came back before, with the units that it gives back; or says what of it is too much. */
export function computeReturn(
  { record, restored }: FoundSale,
  lines: readonly ReturnedLine[],
  returns: readonly BookedReturn[],
): Computed | Missed {
  const { sold, policy, draws } = restored;
  const before = returnedBefore(sold, returns);
  const givenBack = addUp(returns.flatMap((booked) => booked.givenBack));
  // The sale knows its lines by the form in which their IDs are kept, the till by the IDs themselves.
  const named = new Map(lines.map(({ lineId }) => [keptLineId(lineId), lineId]));
  const nameOf = (lineId: string): string => named.get(lineId) ?? lineId;
  const quoted = quoteReturn(sold, policy, before, lines.map(asKept), restored.pricer(givenBack));
  if (quoted.kind !== 'quoted') {
    const excess = quoted.excess.map((line) => ({ ...line, lineId: nameOf(line.lineId) }));
    const words = excess.map(quoted.kind === 'too_much' ? tellExcess : tellBroken);
    return { kind: 'refused', message: `${words.join('; ')}.`, excess, sale: record };
  }
  const taken = record.sale?.status === 'applied' ? unitsOf(allUses(record)) : new Map<string, number>();
  const { quote, staying } = quoted;
  const shown = {
    ...quote,
    lines: quote.lines.map((line) => ({ ...line, lineId: nameOf(line.lineId) })),
    explanation: quote.explanation.map((sentence) => sentence.replaceAll(KEPT_AS_HASH, nameOf)),
  };
  return { quote: shown, givenBack: unitsToGiveBack(sold, draws, staying, taken, givenBack) };
}

function tellExcess({ lineId, sold, left, asked }: Excess): string {
  if (sold === 0) return `there is no line ${lineId}`;
  return `of line ${lineId}, ${left} of ${sold} are left and ${asked} should come back`;
}

function tellBroken({ lineId, left, asked }: Excess): string {
  return `line ${lineId} was sold in pieces, of which ${left} are left: ${asked} would come back, and only whole pieces can`;
}

const KEPT_AS_HASH = /sha256:[\w-]{22}/g;

function asKept({ lineId, quantity }: ReturnedLine): ReturnedLine {
  return { lineId: keptLineId(lineId), quantity };
}

export function returnedBefore({ given }: SoldBasket, returns: readonly BookedReturn[]): ReturnedBefore {
  let quantities: ReadonlyMap<string, number> = new Map();
  for (const { answer } of returns) quantities = withReturned(quantities, answer.lines.map(asKept));
  const refunded = returns.reduce((sum, { answer }) => sum + answer.refund, 0);
  return { quantities, refunded, kept: returns.at(-1)?.answer.kept ?? given };
}

function addUp(units: readonly (readonly [string, number])[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [usageKey, count] of units) sums.set(usageKey, (sums.get(usageKey) ?? 0) + count);
  return sums;
}

function bookingOf(
  returnId: string,
  { calculationId }: AnsweredCalculation,
  { quote, givenBack }: Computed,
  returnedAt: ReturnPlace | undefined,
): BookedReturn {
  return {
    returnId,
    answer: { returnId, calculationId, ...quote } as BookedReturn['answer'],
    givenBack: [...givenBack],
    returnedAt,
  };
}

/** The same lines in any order. */
export function hasSameLines(one: readonly ReturnedLine[], other: readonly ReturnedLine[]): boolean {
  const quantities = new Map(one.map(({ lineId, quantity }) => [lineId, quantity]));
  return one.length === other.length && other.every(({ lineId, quantity }) => quantities.get(lineId) === quantity);
}

async function complete(
  context: PricingContext,
  { record, restored }: FoundSale,
  before: ReturnedBefore,
  booked: BookedReturn & { readonly atMs: number },
  { owesCosts, owesEvent }: { readonly owesCosts: boolean; readonly owesEvent: boolean },
): Promise<void> {
  const { store } = context;
  const { calculationId, commonUses, due } = record;
  // A counter gives back only what it has consumed.
  if (due.commonDue) await completeEnding(store, record, { uses: commonUses, ending: due.commonDue });
  await giveBackCommon(store, { calculationId, returnId: booked.returnId }, commonUses, addUp(booked.givenBack));
  if (owesEvent) await tellReturn(store, record, booked, eventFactsOf(context));
  if (owesCosts) await countReturn(context, record, restored, before, booked);
  await finishReturn(store, record, booked.returnId);
}
