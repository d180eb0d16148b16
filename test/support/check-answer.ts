/**
 * The judge of every answer of the service. It shares no code and no schema with the service: fields, headers and
 * identities are written out by hand (interface, sections 2, 4 and 7).
 */
import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../packages/conformance/src/kit/judge/pointer.ts';
import type { Answer } from './answer.ts';
import { checkBasket, type Expectations } from './check-basket.ts';
import {
  appliedBody,
  errorBody,
  isRecord,
  memberNotFoundBody,
  type Report,
  saleBody,
  UUID_IN_ANY_CASE,
  unchangedBody,
} from './check-fields.ts';
import type { AppliedBody, BasketBody, ErrorBody } from './wire.ts';

export interface Exchange {
  /** `other` is a route that does not exist: it can only be refused. */
  readonly endpoint: 'basket' | 'sale' | 'other';
  readonly answer: Answer;
  /** The body that was sent, when it was a JSON object. */
  readonly request?: unknown;
  /** The `X-Request-Id` that was sent. */
  readonly requestId?: string;
  readonly expectations?: Partial<Expectations>;
  /** An answer to HEAD carries no body to judge. */
  readonly hasBody?: boolean;
}

/** Which statuses an error code may travel under (interface, section 7; 404, 405 and 413 are faults of the transport). */
const STATUSES: Record<string, readonly number[]> = {
  invalid_request: [400, 404, 405, 413],
  invalid_signature: [401],
  stale_timestamp: [401],
  idempotency_conflict: [409],
  arithmetic_mismatch: [422],
  unknown_currency: [422],
  venue_not_configured: [422],
  too_many_lines: [422],
  rate_limited: [429],
  internal_error: [500],
  unavailable: [503],
};

const SINGLE_HEADERS = ['X-Request-Id', 'Server-Timing', 'Content-Type', 'Retry-After', 'Idempotent-Replayed', 'Allow'];

/** Traces of the machinery that no caller should ever read: stacks, paths, packages. */
const LEAKS =
  /\n\s*at |\bnode:|node_modules|file:\/\/|\.ts\b|\.js\b|\.lua\b|ReplyError|ECONN|ENOENT|ioredis|piscina|\bajv\b/i;

/** Throws one Error that lists every violation of the interface in this answer. */
export function checkAnswer(exchange: Exchange): void {
  const violations = violationsOf(exchange);
  if (violations.length === 0) return;
  const { status, text } = exchange.answer;
  throw new Error(`The answer breaks the interface:\n- ${violations.join('\n- ')}\n${status} ${text.slice(0, 4000)}`);
}

/** Every violation, as one sentence each; empty when the answer is right. */
export function violationsOf(exchange: Exchange): string[] {
  const violations: string[] = [];
  const report: Report = (violation) => violations.push(violation);
  checkHeaders(exchange, report);
  if (exchange.hasBody === false) {
    if (exchange.answer.bytes.length > 0) report('body: an answer to HEAD must be empty');
    return violations;
  }
  const body = parseBody(exchange.answer, report);
  if (body === undefined) return violations;
  forbidNull(body, '', report);
  if (exchange.answer.status === 200) checkSuccess(exchange, body, violations, report);
  else checkError(exchange, body, violations, report);
  return violations;
}

function checkHeaders({ answer, requestId }: Exchange, report: Report): void {
  for (const name of SINGLE_HEADERS) {
    if (answer.headersNamed(name).length > 1) report(`${name}: is sent more than once`);
  }
  const echoed = answer.header('X-Request-Id') ?? '';
  if (!UUID_IN_ANY_CASE.test(echoed)) report(`X-Request-Id: is not a UUID: ${echoed}`);
  const isEchoDue = requestId !== undefined && UUID_IN_ANY_CASE.test(requestId);
  if (isEchoDue && echoed !== requestId) report(`X-Request-Id: ${requestId} is not echoed but ${echoed}`);
  if (requestId !== undefined && !isEchoDue && echoed === requestId) report('X-Request-Id: echoes what is no UUID');
  const timing = answer.header('Server-Timing') ?? '';
  if (!/^app;dur=\d+(\.\d{1,3})?$/.test(timing)) report(`Server-Timing: is not app;dur=<ms>: ${timing}`);
  const type = answer.header('Content-Type') ?? '';
  if (type !== 'application/json; charset=utf-8') report(`Content-Type: is ${type}`);
  const retryAfter = answer.header('Retry-After');
  const isRetryDue = answer.status === 429 || answer.status === 503;
  if (isRetryDue && !/^[1-9]\d*$/.test(retryAfter ?? ''))
    report(`Retry-After: is not whole seconds, 1 or more: ${retryAfter}`);
  if (!isRetryDue && retryAfter !== undefined) report(`Retry-After: is not due on ${answer.status}`);
  const replayed = answer.header('Idempotent-Replayed');
  if (replayed !== undefined && replayed !== 'true') report(`Idempotent-Replayed: is ${replayed}`);
  if (replayed !== undefined && answer.status !== 200) report(`Idempotent-Replayed: is not due on ${answer.status}`);
  if ((answer.status === 405) !== (answer.header('Allow') !== undefined))
    report('Allow: belongs to 405 and to nothing else');
}

function parseBody(answer: Answer, report: Report): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(answer.bytes);
    return JSON.parse(text);
  } catch (fault) {
    report(`body: is not JSON in UTF-8: ${fault instanceof Error ? fault.message : fault}`);
    return undefined;
  }
}

/** No field of the interface is ever null (interface, section 2: flags are always explicit). */
function forbidNull(value: unknown, path: string, report: Report): void {
  if (value === null) report(`${path || '/'}: is null`);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, entry] of Object.entries(value)) forbidNull(entry, `${path}/${name}`, report);
}

function checkSuccess(exchange: Exchange, body: unknown, violations: string[], report: Report): void {
  if (exchange.endpoint === 'other') {
    report('status: a route that does not exist answered 200');
    return;
  }
  if (exchange.endpoint === 'sale') {
    saleBody(body, '', report);
    return;
  }
  const status = isRecord(body) ? body.status : undefined;
  if (status === 'applied') appliedBody(body, '', report);
  else if (status === 'unchanged') unchangedBody(body, '', report);
  else if (status === 'member_not_found') memberNotFoundBody(body, '', report);
  else report(`/status: is ${JSON.stringify(status)}`);
  const request = exchange.request as BasketBody | undefined;
  if (request === undefined) return;
  const answered = (body as { calculationId: string }).calculationId;
  if (answered !== request.calculationId) report(`/calculationId: ${answered} is not ${request.calculationId}`);
  // Identities can only be computed on a body whose fields and types are right.
  if (status !== 'applied' || violations.length > 0) return;
  const expectations = { discountCode: 'loyalty', products: new Map(), ...exchange.expectations };
  checkBasket(request, body as AppliedBody, expectations, report);
}

function checkError({ answer, request }: Exchange, body: unknown, violations: string[], report: Report): void {
  errorBody(body, '', report);
  if (violations.some((violation) => violation.startsWith('/error'))) return;
  const { error } = body as ErrorBody;
  const statuses = STATUSES[error.code];
  if (!statuses) report(`/error/code: is not a code of the interface: ${error.code}`);
  else if (!statuses.includes(answer.status)) report(`/error/code: ${error.code} does not belong to ${answer.status}`);
  if (error.requestId !== answer.header('X-Request-Id')) report('/error/requestId: differs from X-Request-Id');
  if (LEAKS.test(answer.text)) report(`body: tells about the machinery: ${answer.text.slice(0, 300)}`);
  const loyaltyId = isRecord(request) ? request.loyaltyId : undefined;
  // A short ID could stand in any text by chance, so only long ones are looked for.
  if (typeof loyaltyId === 'string' && loyaltyId.length >= 8 && answer.text.includes(loyaltyId)) {
    report('body: repeats the loyalty ID');
  }
  if (error.code === 'arithmetic_mismatch') checkMismatch(error.details ?? {}, request, report);
}

/** `details` (interface, section 4.1) names `field`, `expected` and `received`. */
function checkMismatch(details: Record<string, unknown>, request: unknown, report: Report): void {
  for (const name of ['field', 'expected', 'received']) {
    if (details[name] === undefined) report(`/error/details/${name}: is missing`);
  }
  if (typeof details.field !== 'string' || request === undefined) return;
  const received = valueAt(request, details.field);
  if (received === undefined) report(`/error/details/field: ${details.field} points at nothing that was sent`);
  else if (!isDeepStrictEqual(String(received), String(details.received))) {
    report(`/error/details/received: is ${details.received}, but ${received} was sent`);
  }
  if (String(details.expected) === String(details.received))
    report('/error/details: expected and received are the same');
}
