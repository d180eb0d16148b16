import { findAnswerFault } from '@loyalty/contract/basket/answer';
import { findAnswerMismatch } from '@loyalty/contract/basket/identities';
import { parseJson } from '@loyalty/contract/basket/parse-json';
import type { BasketRequest } from '@loyalty/contract/basket-request';
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
import { findEchoFault } from './echo.ts';
import { changesBasket, findOrderDiscountFault } from './order-discounts.ts';
import { describeRefusal, type RefusalFacts, readRefusal } from './refusal.ts';

/** Judges an answer to the basket call (interface, sections 4.7 and 7). */

export type Judgement =
  | { readonly verdict: 'accepted'; readonly answer: BasketResponse }
  | { readonly verdict: 'http_error' | 'invalid_response'; readonly detail: string; readonly facts: RefusalFacts };

/** The fields that each status has. Others are not known to this version of the interface and are ignored (interface, section 9). */
const KNOWN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  applied: Object.keys(AppliedResponse.properties),
  unchanged: Object.keys(UnchangedResponse.properties),
  member_not_found: Object.keys(MemberNotFoundResponse.properties),
};

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
    return invalid('the content type is not JSON', { field: RESPONSE_HEADERS.contentType });
  const parsed = parseJson(received.body);
  if (!parsed.ok) return invalid(parsed.refusal.message);
  if (!isObject(parsed.value)) return invalid('the body is not an object');
  const { value } = parsed;
  if (value['calculationId'] !== request.calculationId) {
    return invalid('/calculationId: not that of the request', { field: '/calculationId' });
  }
  const answer = knownFieldsOf(value);
  if (answer === undefined) return invalid('/status: not a known one', { field: '/status' });
  const fault = findAnswerFault(tolerant(answer)) ?? findContradiction(value);
  if (fault) return invalid(describe(fault), fault);
  const response = answer as unknown as BasketResponse;
  if (response.status !== 'applied') return { verdict: 'accepted', answer: response };
  const wrong = findAppliedFault(request, response, priceList);
  return wrong ? invalid(describe(wrong), wrong) : { verdict: 'accepted', answer: response };
}

function findAppliedFault(
  request: BasketRequest,
  answer: AppliedResponse,
  priceList: PriceList,
): RefusalDetails | undefined {
  return (
    findEchoFault(request, answer) ??
    findOrderDiscountFault(request, answer) ??
    findAnswerMismatch(request, answer) ??
    findAddedLineFault(request.context.venueId, answer, priceList) ??
    findDearerFault(request, answer) ??
    (changesBasket(request, answer) ? undefined : { field: '/status', expected: 'unchanged', received: 'applied' })
  );
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
  return price > most
    ? { field: '/totals/total', expected: `at most ${most} without added products`, received: price }
    : undefined;
}

type AnswerFields = Record<string, unknown> & { readonly status: string };

/** The answer without the fields that this version does not know; undefined when its status is none of the three. */
function knownFieldsOf(value: Record<string, unknown>): AnswerFields | undefined {
  const { status } = value;
  if (typeof status !== 'string' || !Object.hasOwn(KNOWN_FIELDS, status)) return undefined;
  const known: Record<string, unknown> = {};
  for (const field of KNOWN_FIELDS[status]!) if (Object.hasOwn(value, field)) known[field] = value[field];
  return known as AnswerFields;
}

/** New reasons may be added without a new version (interface, section 9), so any text is judged as if it were a known one. */
function tolerant(answer: AnswerFields): AnswerFields {
  return answer.status === 'unchanged' && typeof answer['reason'] === 'string'
    ? { ...answer, reason: UNCHANGED_REASONS[0] }
    : answer;
}

function findContradiction(value: Record<string, unknown>): RefusalDetails | undefined {
  if (value['status'] === 'applied') return undefined;
  const present = BASKET_FIELDS.find((field) => Object.hasOwn(value, field));
  return present && { field: `/${present}`, expected: 'nothing beside this status', received: 'a value' };
}

function invalid(detail: string, { field }: RefusalDetails = {}): Judgement {
  return { verdict: 'invalid_response', detail, facts: { httpStatus: HTTP_OK, ...(field !== undefined && { field }) } };
}

function describe({ field, expected, received }: RefusalDetails): string {
  return `${field || 'the body'}: expected ${expected}, received ${received}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
