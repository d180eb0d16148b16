import { findAnswerFault } from '@loyalty/contract/basket/answer';
import { findAnswerMismatch } from '@loyalty/contract/basket/identities';
import { parseJson } from '@loyalty/contract/basket/parse-json';
import {
  AppliedResponse,
  type BasketResponse,
  MemberNotFoundResponse,
  UNCHANGED_REASONS,
  UnchangedResponse,
} from '@loyalty/contract/basket-response';
import { HTTP_OK, type RefusalDetails } from '@loyalty/contract/errors';
import { isJsonContentType, RESPONSE_HEADERS } from '@loyalty/contract/headers';
import { findAddedLineFault, type PriceList } from './added-lines.ts';
import type { ReceivedAnswer } from './attempt.ts';
import type { BasketRequest } from './basket.ts';
import { findEchoFault } from './echo.ts';
import { describeRefusal, type RefusalFacts, readRefusal } from './refusal.ts';

/** Judges an answer to the basket call (interface, sections 4.7 and 7). */

export type Judgement =
  | { readonly verdict: 'accepted'; readonly answer: BasketResponse }
  | { readonly verdict: 'http_error' | 'invalid_response'; readonly detail: string; readonly facts: RefusalFacts };

/** The fields that each status has. Others are not known to this version of the interface and are ignored (interface, section 9). */
const KNOWN_FIELDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['applied', Object.keys(AppliedResponse.properties)],
  ['unchanged', Object.keys(UnchangedResponse.properties)],
  ['member_not_found', Object.keys(MemberNotFoundResponse.properties)],
]);

/** Without a basket there are none of these (interface, section 2): an answer that has them contradicts itself. */
const BASKET_FIELDS = ['lines', 'orderDiscounts', 'totals'] as const;

/** Throws where the price list throws, and nowhere else. Only an answer that is right in every part is accepted. */
export function judgeAnswer(request: BasketRequest, received: ReceivedAnswer, priceList: PriceList): Judgement {
  if (received.status !== HTTP_OK) {
    const facts = readRefusal(received);
    return { verdict: 'http_error', detail: describeRefusal(facts), facts };
  }
  const contentType = received.headers[RESPONSE_HEADERS.contentType.toLowerCase()];
  // A proxy's or a captive portal's page comes with 200 too.
  if (typeof contentType !== 'string' || !isJsonContentType(contentType))
    return invalid('the content type is not JSON', RESPONSE_HEADERS.contentType);
  const parsed = parseJson(received.body);
  if (!parsed.ok) return invalid(parsed.refusal.message);
  if (typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value)) {
    return invalid('the body is not an object');
  }
  const body = parsed.value as Partial<AppliedResponse> & Readonly<Record<string, unknown>>;
  if (body.calculationId !== request.calculationId) {
    return invalid('/calculationId: not that of the request', '/calculationId');
  }
  const known = KNOWN_FIELDS.get(body.status);
  if (!known) return invalid('/status: not a known one', '/status');
  const answer = Object.fromEntries(Object.entries(body).filter(([name]) => known.includes(name)));
  const fault =
    findAnswerFault(tolerant(answer) as BasketResponse) ??
    findContradiction(body) ??
    findAppliedFault(request, answer as BasketResponse, priceList);
  if (!fault) return { verdict: 'accepted', answer: answer as BasketResponse };
  const { field, expected, received: found } = fault;
  return invalid(`${field || 'the body'}: expected ${expected}, received ${found}`, field);
}

/** New reasons may be added without a new version (interface, section 9), so any text is judged as if it were a known one. */
function tolerant(answer: Record<string, unknown>): unknown {
  const isUnchanged = answer['status'] === 'unchanged' && typeof answer['reason'] === 'string';
  return isUnchanged ? { ...answer, reason: UNCHANGED_REASONS[0] } : answer;
}

function findContradiction(body: Readonly<Record<string, unknown>>): RefusalDetails | undefined {
  if (body['status'] === 'applied') return undefined;
  const present = BASKET_FIELDS.find((field) => Object.hasOwn(body, field));
  return present && { field: `/${present}`, expected: 'nothing beside this status', received: 'a value' };
}

function findAppliedFault(
  request: BasketRequest,
  answer: BasketResponse,
  priceList: PriceList,
): RefusalDetails | undefined {
  if (answer.status !== 'applied') return undefined;
  return (
    findEchoFault(request, answer) ??
    findCodelessDiscount(request, answer) ??
    findAnswerMismatch(request, answer) ??
    findAddedLineFault(request.context.venueId, answer, priceList) ??
    findDearerFault(request, answer) ??
    (changesBasket(request, answer) ? undefined : { field: '/status', expected: 'unchanged', received: 'applied' })
  );
}

/** An order discount that the service added has its code (interface, section 4.6). */
function findCodelessDiscount(request: BasketRequest, answer: AppliedResponse): RefusalDetails | undefined {
  const before = new Set(request.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId));
  const index = answer.orderDiscounts.findIndex(
    ({ orderDiscountId, discountCode }) => !before.has(orderDiscountId) && !discountCode,
  );
  if (index < 0) return undefined;
  const field = `/orderDiscounts/${index}/discountCode`;
  return { field, expected: 'a code on an added discount', received: 'nothing' };
}

/**
 * No benefit makes the basket dearer. An order discount that is gone may have been the service's own, of an earlier answer; and
 * the staff's discounts may make way for an added product that is worth more, whose price the caller's list has confirmed.
 */
function findDearerFault(
  { orderDiscounts, totals }: BasketRequest,
  answer: AppliedResponse,
): RefusalDetails | undefined {
  const kept = new Set(answer.orderDiscounts.map(({ orderDiscountId }) => orderDiscountId));
  const gone = orderDiscounts.filter(({ orderDiscountId }) => !kept.has(orderDiscountId));
  const most = gone.reduce((sum, { amount }) => sum + amount, totals.total);
  const added = answer.lines.filter(({ addedByLoyalty }) => addedByLoyalty === true);
  const price = added.reduce((rest, { originalLinePrice }) => rest - originalLinePrice, answer.totals.total);
  if (price <= most) return undefined;
  return { field: '/totals/total', expected: `at most ${most} without added products`, received: price };
}

/** True when the answer differs from the basket in at least one way, which `applied` promises (interface, section 2). */
function changesBasket(request: BasketRequest, answer: AppliedResponse): boolean {
  if (answer.lines.length !== request.lines.length) return true;
  if (answer.orderDiscounts.length !== request.orderDiscounts.length) return true;
  const amounts = new Map(request.orderDiscounts.map(({ orderDiscountId, amount }) => [orderDiscountId, amount]));
  if (answer.orderDiscounts.some(({ orderDiscountId, amount }) => amounts.get(orderDiscountId) !== amount)) return true;
  const prices = new Map(request.lines.map((line) => [line.lineId, line.orderLinePrice]));
  return answer.lines.some(
    (line) =>
      line.lineDiscountType !== 'none' ||
      line.overrideUnitPrice !== undefined ||
      prices.get(line.lineId) !== line.orderLinePrice,
  );
}

function invalid(detail: string, field?: string): Judgement {
  const facts = { httpStatus: HTTP_OK, ...(field !== undefined && { field }) };
  return { verdict: 'invalid_response', detail, facts };
}
