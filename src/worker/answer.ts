import { findAnswerMismatch } from '../basket/identities.ts';
import { findAnswerFault } from '../basket/schema.ts';
import type { BasketRequest } from '../contract/basket-request.ts';
import type { BasketResponse } from '../contract/basket-response.ts';
import type { RefusalDetails } from '../contract/errors.ts';
import type { Decision } from '../pricing/types.ts';
import type { Use } from '../store/calculations.ts';
import { keepForRepair } from './repair.ts';

/** An answer ready to be stored and sent. */
export interface RenderedAnswer {
  readonly body: Uint8Array;
  readonly status: string;
  readonly reason: string | undefined;
  /** Minor units; undefined without totals. */
  readonly total: number | undefined;
  readonly uses: readonly Use[];
  /** Set when the answer failed its own check: it must not leave. */
  readonly fault?: string;
}

/**
 * Renders a decision as JSON after checking it against the response schema and every identity (specification, section 2).
 * An answer that fails is never sent; its basket is kept in `repairDir`, without the loyalty ID.
 */
export function renderAnswer(basket: BasketRequest, decision: Decision, repairDir: string): RenderedAnswer {
  const answer = toResponse(basket, decision);
  const mismatch =
    findAnswerFault(answer) ?? (answer.status === 'applied' ? findAnswerMismatch(basket, answer) : undefined);
  const rendered = {
    body: Buffer.from(JSON.stringify(answer)),
    status: decision.status,
    reason: decision.status === 'unchanged' ? decision.reason : undefined,
    total: decision.status === 'applied' ? decision.totals.total : basket.totals.total,
    uses: decision.status === 'applied' ? decision.uses : [],
  };
  return mismatch ? { ...rendered, fault: describeFault(basket, mismatch, repairDir) } : rendered;
}

/** The answer for a loyalty ID that the venue's programme does not know: nothing but the status. */
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
