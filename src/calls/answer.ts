import { isFlawlessAnswer } from '../basket/flawless-answer.ts';
import { findAnswerMismatch } from '../basket/identities.ts';
import { findAnswerFault } from '../basket/schema.ts';
import type { BasketRequest } from '../contract/basket-request.ts';
import type { BasketResponse } from '../contract/basket-response.ts';
import type { RefusalDetails } from '../contract/errors.ts';
import { MAX_ANSWER_BYTES } from '../contract/limits.ts';
import type { AnswerContent } from '../pricing/answer/content.ts';
import { renderAnswer } from '../pricing/answer/render.ts';
import { type Decided, decideBasket, decideCheapBasket, type PriceInput, type Trace } from '../pricing/price.ts';
import type { Use } from '../store/calculations.ts';
import { keepForRepair } from './repair.ts';
import { decodeContent } from './stored/decode.ts';
import { encodeContent } from './stored/encode.ts';

/**
 * An answer ready to be stored and sent. When it has a `fault`, its basket is kept in `repairDir` without the loyalty
 * ID.
 */
export interface RenderedAnswer {
  readonly body: Uint8Array;
  /** What is stored of it (stored/stored-answer.ts). */
  readonly digest: Buffer;
  readonly status: string;
  readonly reason: string | undefined;
  /** Minor units; undefined when the answer has no totals. */
  readonly total: number | undefined;
  readonly uses: readonly Use[];
  /** Set when the answer failed its own check and must not be sent. */
  readonly fault?: string;
}

export interface PricedAnswer {
  readonly trace: Trace | undefined;
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
  return renderDecision(decideBasket(input), input, repairDir, maximumBytes);
}

/** The same if pricing takes no more than so many steps (src/pricing/work.ts), and undefined if it takes more. */
export function priceCheapAnswer(input: PriceInput, repairDir: string, steps: number): PricedAnswer | undefined {
  const decided = decideCheapBasket(input, steps);
  return decided && renderDecision(decided, input, repairDir, MAX_ANSWER_BYTES);
}

function renderDecision(decided: Decided, input: PriceInput, repairDir: string, maximumBytes: number): PricedAnswer {
  const { basket } = input;
  const { answer, body, digest } = renderContent(basket, decided.content);
  if (body.length > maximumBytes && input.available.size > 0) {
    return priceAnswer({ ...input, available: NOTHING }, repairDir, maximumBytes);
  }
  const mismatch = findFault(basket, answer) ?? findSizeFault(body, maximumBytes);
  const rendered = {
    body,
    digest,
    status: answer.status,
    reason: answer.status === 'unchanged' ? answer.reason : undefined,
    total: answer.status === 'applied' ? answer.totals.total : basket.totals.total,
    uses: decided.uses,
    // An answer that fails its check is never sent.
    ...(mismatch && { fault: describeFault(basket, mismatch, repairDir) }),
  };
  return { trace: decided.trace, rendered };
}

/**
 * Renders the answer of a decision from its digest, as a replay does: an answer that could not be rendered again is never
 * given.
 */
function renderContent(
  basket: BasketRequest,
  content: AnswerContent,
): { answer: BasketResponse; body: Buffer; digest: Buffer } {
  const digest = encodeContent(content);
  const answer = renderAnswer(basket, decodeContent(digest, 0, 'utf8').content);
  return { answer, body: Buffer.from(JSON.stringify(answer)), digest };
}

/**
 * One answer in so many is checked against the response schema too, the first of every thread among them. Shapes, texts and
 * names come from a checked request and a checked configuration, so a fault of them would be a fault of every such answer.
 */
const SCHEMA_SAMPLE = 64;
let answers = 0;

/** Checks an answer of ours: every amount and identity always (interface, section 2), the schema of a sample. */
function findFault(basket: BasketRequest, answer: BasketResponse): RefusalDetails | undefined {
  const isSampled = answers++ % SCHEMA_SAMPLE === 0;
  const isFlawless = answer.status !== 'applied' || isFlawlessAnswer(basket, answer);
  if (isFlawless && !isSampled) return undefined;
  return findAnswerFault(answer) ?? (answer.status === 'applied' ? findAnswerMismatch(basket, answer) : undefined);
}

const NOTHING: ReadonlyMap<string, number> = new Map();

function findSizeFault({ length }: Uint8Array, maximumBytes: number): RefusalDetails | undefined {
  if (length <= maximumBytes) return undefined;
  return { field: '/lines', expected: `at most ${maximumBytes} bytes`, received: `${length} bytes` };
}

/** The answer for a loyalty ID that the venue's programme does not know: the status alone. */
export function renderMemberNotFound(basket: BasketRequest): RenderedAnswer {
  const { body, digest } = renderContent(basket, { status: 'member_not_found' });
  return { body, digest, status: 'member_not_found', reason: undefined, total: basket.totals.total, uses: [] };
}

function describeFault(basket: BasketRequest, mismatch: RefusalDetails, repairDir: string): string {
  const fault = `An answer failed its own check at ${mismatch.field}: expected ${mismatch.expected}, received ${mismatch.received}.`;
  return `${fault} ${keepForRepair(repairDir, basket, fault)}`;
}
