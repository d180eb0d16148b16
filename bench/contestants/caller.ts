import type { IncomingHttpHeaders } from 'node:http';
import { replayAnswer } from '../../src/calls/stored/stored-answer.ts';
import { type Refusal, refuse } from '../../src/contract/errors.ts';
import { fingerprintOf } from '../../src/contract/fingerprint.ts';
import { isJsonContentType, isUuid, JSON_CONTENT_TYPE, REQUEST_HEADERS } from '../../src/contract/headers.ts';
import { verifySignature } from '../../src/contract/signature.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { findStoredAnswer } from '../../src/store/calculations.ts';
import { type IndexEntry, readIndexEntry } from '../../src/store/index-entry.ts';
import { type CallKind, takeToken } from '../../src/store/rate-limit.ts';
import type { ContestantContext } from './context.ts';

/** The checks before the body is examined, for any framework on Node's HTTP server. */

/** A refusal as an error, which frameworks expect. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The facts about a call that passed the checks. */
export interface KnownCall {
  readonly calculationId: string;
  readonly entry: IndexEntry | undefined;
  /** Our clock at the end of the look-up, milliseconds. */
  readonly atMs: number;
  /** Redis' clock, from the reply of the token. */
  readonly redisNowMs: number;
  /** Set when the call was answered before. */
  readonly stored: Buffer | undefined;
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

/** Checks rate limit, idempotency key and stored answer. Throws `Refused` and `StoreUnavailable`. */
export async function lookUp(
  context: ContestantContext,
  kind: CallKind,
  headers: IncomingHttpHeaders,
  body: Uint8Array,
): Promise<KnownCall> {
  const { store, environment } = context;
  const key = headers[REQUEST_HEADERS.idempotencyKey] as string | undefined;
  const calculationId = key !== undefined && isUuid(key) ? key : undefined;
  const [token, entry] = await Promise.all([
    takeToken(store, environment.rateLimit, kind),
    calculationId === undefined ? undefined : readIndexEntry(store, calculationId),
  ]);
  if (!token.isAllowed) {
    throw new Refused(refuse('rate_limited', { retryAfterSeconds: token.retryAfterSeconds }));
  }
  if (calculationId === undefined) throw badHeader('Idempotency-Key', 'one lower-case UUID', key);
  const stored = kind === 'basket' && entry ? await findStored(context, calculationId, entry, body) : undefined;
  return { calculationId, entry, atMs: performance.now(), redisNowMs: token.redisNowMs, stored };
}

async function findStored(
  { store }: ContestantContext,
  calculationId: string,
  { member }: IndexEntry,
  body: Uint8Array,
): Promise<Buffer | undefined> {
  if (member === undefined) return undefined;
  const stored = await findStoredAnswer(store, calculationId, member, () => fingerprintOf(body));
  if (stored.outcome === 'conflict') throw new Refused(refuse('idempotency_conflict'));
  return stored.outcome === 'replay' ? replay(stored.stored, body) : undefined;
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
