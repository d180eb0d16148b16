import { findAnswerMismatch } from '../basket/identities.ts';
import { findAnswerFault } from '../basket/schema.ts';
import type { BasketRequest } from '../contract/basket-request.ts';
import type { BasketResponse } from '../contract/basket-response.ts';
import type { RefusalDetails } from '../contract/errors.ts';
import { MAX_ANSWER_BYTES } from '../contract/limits.ts';
import { type Decision, type PriceInput, priceBasket, priceCheapBasket } from '../pricing/price.ts';
import type { Use } from '../store/calculations.ts';
import { keepForRepair } from './repair.ts';

/**
 * An answer ready to be stored and sent. When it has a `fault`, its basket is kept in `repairDir` without the loyalty
 * ID.
 */
export interface RenderedAnswer {
  readonly body: Uint8Array;
  readonly status: string;
  readonly reason: string | undefined;
  /** Minor units; undefined when the answer has no totals. */
  readonly total: number | undefined;
  readonly uses: readonly Use[];
  /** Set when the answer failed its own check and must not be sent. */
  readonly fault?: string;
}

export interface PricedAnswer {
  readonly decision: Decision;
  readonly rendered: RenderedAnswer;
}

/**
 * Prices a basket and renders the decision. An answer larger than `maximumBytes` could not be replayed, so it is never
 * given: the basket is priced again without its limited benefits, whose cut lines made the answer grow.
 */
export function priceAnswer(
  input: PriceInput,
  repairDir: string,
  maximumBytes: number = MAX_ANSWER_BYTES,
): PricedAnswer {
  return renderDecision(priceBasket(input), input, repairDir, maximumBytes);
}

/** The same if pricing takes no more than so many steps (src/pricing/work.ts), and undefined if it takes more. */
export function priceCheapAnswer(input: PriceInput, repairDir: string, steps: number): PricedAnswer | undefined {
  const decision = priceCheapBasket(input, steps);
  return decision && renderDecision(decision, input, repairDir, MAX_ANSWER_BYTES);
}

function renderDecision(decision: Decision, input: PriceInput, repairDir: string, maximumBytes: number): PricedAnswer {
  const { basket } = input;
  const answer = toResponse(basket, decision);
  const body = Buffer.from(JSON.stringify(answer));
  if (body.length > maximumBytes && input.available.size > 0) {
    return priceAnswer({ ...input, available: NOTHING }, repairDir, maximumBytes);
  }
  const isApplied = decision.status === 'applied';
  const mismatch =
    findAnswerFault(answer) ??
    (answer.status === 'applied' ? findAnswerMismatch(basket, answer) : undefined) ??
    findSizeFault(body, maximumBytes);
  const rendered = {
    body,
    status: decision.status,
    reason: isApplied ? undefined : decision.reason,
    total: isApplied ? decision.totals.total : basket.totals.total,
    uses: isApplied ? decision.uses : [],
    // Checked against the response schema and every identity (interface, section 2). An answer that fails is never
    // sent.
    ...(mismatch && { fault: describeFault(basket, mismatch, repairDir) }),
  };
  return { decision, rendered };
}

const NOTHING: ReadonlyMap<string, number> = new Map();

function findSizeFault({ length }: Uint8Array, maximumBytes: number): RefusalDetails | undefined {
  if (length <= maximumBytes) return undefined;
  return { field: '/lines', expected: `at most ${maximumBytes} bytes`, received: `${length} bytes` };
}

/** The answer for a loyalty ID that the venue's programme does not know: the status alone. */
export function renderMemberNotFound(basket: BasketRequest): RenderedAnswer {
  const answer: BasketResponse = { calculationId: basket.calculationId, status: 'member_not_found' };
  const { status } = answer;
  return { body: Buffer.from(JSON.stringify(answer)), status, reason: undefined, total: basket.totals.total, uses: [] };
}

function toResponse({ calculationId }: BasketRequest, decision: Decision): BasketResponse {
  const { status, memberLabel } = decision;
  const label = memberLabel === undefined ? {} : { memberLabel };
  if (status === 'unchanged') return { calculationId, status, reason: decision.reason, ...label };
  const { receiptFooterText, lines, orderDiscounts, totals } = decision;
  const footer = receiptFooterText === undefined ? {} : { receiptFooterText };
  return { calculationId, status, ...label, ...footer, lines, orderDiscounts, totals };
}

function describeFault(basket: BasketRequest, mismatch: RefusalDetails, repairDir: string): string {
  const fault = `An answer failed its own check at ${mismatch.field}: expected ${mismatch.expected}, received ${mismatch.received}.`;
  return `${fault} ${keepForRepair(repairDir, basket, fault)}`;
}
