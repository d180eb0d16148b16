import { findAnswerFault } from '@loyalty/contract/basket/answer';
import { findAnswerMismatch } from '@loyalty/contract/basket/identities';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { RefusalDetails } from '@loyalty/contract/errors';
import { MAX_ANSWER_BYTES } from '@loyalty/contract/limits';
import type { AnswerContent } from '@loyalty/engine/answer/content';
import { renderAnswer } from '@loyalty/engine/answer/render';
import { type BasketToPrice, decideBasket } from '@loyalty/engine/price';
import type { Trace } from '@loyalty/engine/types';
import type { GivenBenefit } from '../store/given.ts';
import type { Use } from '../store/uses.ts';

/** An answer ready to be sent. */
export interface RenderedAnswer {
  readonly body: Uint8Array;
  readonly status: string;
  readonly reason: string | undefined;
  /** Minor units; undefined when the answer has no totals. */
  readonly total: number | undefined;
  readonly uses: readonly Use[];
  /** What each benefit gives. */
  readonly given: readonly GivenBenefit[];
  /** An estimate of the most that another permitted combination could still save, in minor units (engine/src/price.ts). */
  readonly gap: number;
  /** Order discounts of the service itself that came back and were taken off. */
  readonly ownDiscounts: number;
  /** Set when the answer failed its own check and must not be sent: what it failed. */
  readonly fault?: RefusalDetails;
}

export interface PricedAnswer {
  readonly trace: Trace | undefined;
  /** The decision, of which the answer is rendered, and which is stored (stored/stored-answer.ts). */
  readonly content: AnswerContent;
  readonly rendered: RenderedAnswer;
}

/**
 * Prices a basket and renders the decision. An answer larger than `maximumBytes` could not be replayed, so it is never
 * given: the basket is priced again without its limited benefits, whose cut lines made the answer grow. Throws `OverBudget`.
 */
export function priceAnswer(input: BasketToPrice, maximumBytes: number = MAX_ANSWER_BYTES): PricedAnswer {
  const decided = decideBasket(input);
  const rendition = render(input.basket, decided.content);
  const { answer, body, basket } = rendition;
  if (body.length > maximumBytes && input.available.size > 0) {
    return priceAnswer({ ...input, available: NOTHING }, maximumBytes);
  }
  const fault = findFault(rendition) ?? findSizeFault(body, maximumBytes);
  const rendered = {
    body,
    status: answer.status,
    reason: answer.status === 'unchanged' ? answer.reason : undefined,
    total: answer.status === 'applied' ? answer.totals.total : basket.totals.total,
    uses: decided.uses,
    given: decided.given(),
    gap: decided.gap,
    ownDiscounts: decided.ownDiscounts,
    // An answer that fails its check is never sent.
    ...(fault && { fault }),
  };
  return { trace: decided.trace, content: decided.content, rendered };
}

/** An answer and its request. */
function render(basket: BasketRequest, content: AnswerContent) {
  const answer = renderAnswer(basket, content);
  return { basket, answer, body: Buffer.from(JSON.stringify(answer)) };
}

/** Checks an answer of ours against its schema, and every reference and identity (interface, section 2). */
function findFault({ basket, answer }: ReturnType<typeof render>): RefusalDetails | undefined {
  return findAnswerFault(answer) ?? (answer.status === 'applied' ? findAnswerMismatch(basket, answer) : undefined);
}

const NOTHING: ReadonlyMap<string, number> = new Map();

function findSizeFault({ length }: Uint8Array, maximumBytes: number): RefusalDetails | undefined {
  if (length <= maximumBytes) return undefined;
  return { field: '/lines', expected: `at most ${maximumBytes} bytes`, received: `${length} bytes` };
}

/** The answer for a loyalty ID that the venue's programme does not know: the status alone. */
export function renderMemberNotFound(request: BasketRequest): PricedAnswer {
  const content: AnswerContent = { status: 'member_not_found' };
  const { basket, answer, body } = render(request, content);
  const rendered = {
    body,
    status: answer.status,
    reason: undefined,
    total: basket.totals.total,
    uses: [],
    given: [],
    gap: 0,
    ownDiscounts: 0,
  };
  return { trace: undefined, content, rendered };
}
