import type { IncomingHttpHeaders } from 'node:http';
import { type Refusal, refuse } from '@loyalty/contract/errors';
import { isJsonContentType, isUuid, JSON_CONTENT_TYPE, REQUEST_HEADERS } from '@loyalty/contract/headers';
import { verifySignature } from '@loyalty/contract/signature';
import { replayAnswer } from '../../src/calls/stored/stored-answer.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import type { CallKind } from '../../src/store/tokens.ts';
import type { ContestantContext } from './context.ts';

/** What every call begins with, for any framework on Node's HTTP server. */

/** A refusal as an error, which frameworks expect. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The end of a call, for its answer and its log line. */
export interface Ended {
  readonly calculationId: string;
  readonly body: Buffer;
  readonly isReplayed: boolean;
}

/** Converts an error into a refusal: any error but `Refused` is a fault of Redis or our own. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal;
  return refuse(error instanceof StoreUnavailable ? 'unavailable' : 'internal_error');
}

/**
 * Checks content type and signature (interface, section 5). The type comes first: the frameworks read bodies of this
 * type only, and the signature covers their bytes. Throws `Refused`.
 */
export function verifyCaller(context: ContestantContext, headers: IncomingHttpHeaders, body: Uint8Array): void {
  const contentType = headers[REQUEST_HEADERS.contentType];
  if (!isJsonContentType(contentType ?? '')) throw badHeader('Content-Type', JSON_CONTENT_TYPE, contentType);
  const header = headers[REQUEST_HEADERS.signature] as string | undefined;
  const field = 'POS-Signature';
  if (header === undefined) {
    const details = { field, expected: 't=<unix seconds>,v1=<hex>', received: 'nothing' };
    throw new Refused(refuse('invalid_signature', { details }));
  }
  const outcome = verifySignature(header, body, context.secrets, Math.floor(Date.now() / 1000));
  if (outcome !== 'verified') throw new Refused(refuse(outcome, { details: { field } }));
}

/**
 * Takes the call's token, and reads at the same time what a call with this key needs, as the service does. Throws `Refused` and
 * `StoreUnavailable`.
 */
export async function takeAndRead<State>(
  { tokens }: ContestantContext,
  kind: CallKind,
  headers: IncomingHttpHeaders,
  read: (calculationId: string) => Promise<State>,
): Promise<{ readonly calculationId: string; readonly state: State }> {
  const key = headers[REQUEST_HEADERS.idempotencyKey] as string | undefined;
  const calculationId = key !== undefined && isUuid(key) ? key : undefined;
  const taken = tokens.take(kind);
  const isKnown = !(taken instanceof Promise) && !taken.isAllowed;
  const [token, state] = await Promise.all([
    taken,
    calculationId === undefined || isKnown ? undefined : read(calculationId),
  ]);
  if (!token.isAllowed) throw new Refused(refuse('rate_limited', { retryAfterSeconds: token.retryAfterSeconds }));
  if (calculationId === undefined) throw badHeader('Idempotency-Key', 'one lower-case UUID', key);
  return { calculationId, state: state as State };
}

/** The stored answer as bytes. Throws when it cannot be replayed. */
export function replay(stored: Buffer, body: Uint8Array): Buffer {
  const replayed = replayAnswer(stored, body);
  if ('fault' in replayed) throw new Error(replayed.fault);
  return Buffer.from(replayed.answer.buffer, replayed.answer.byteOffset, replayed.answer.length);
}

function badHeader(field: string, expected: string, value: string | undefined): Refused {
  const received = value === undefined ? 'nothing' : 'something else';
  const message = `The header ${field} is not valid.`;
  return new Refused(refuse('invalid_request', { message, details: { field, expected, received } }));
}
