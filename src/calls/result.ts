import { type Refusal, refuse } from '@loyalty/contract/errors';
import { MAX_IDENTIFIER_CHARACTERS } from '@loyalty/contract/limits';
import { PoolUnavailable, type UnavailableReason } from '@loyalty/contract/unavailable';
import { reasonOf, StoreUnavailable } from '../redis/failure.ts';
import type { CallFacts, CallRequest, Outcome } from './call.ts';

/** The outcome of a call that its steps have thrown. */
export function outcomeOfError(error: unknown, facts: CallFacts): Outcome {
  if (error instanceof StoreUnavailable) {
    facts.reason = reasonOf(error);
    if (error.redisCause) facts.cause = error.redisCause;
    if (error.server) facts.server = error.server;
    return facts.reason === 'deadline' ? tooLate() : refusalOf(refuse('unavailable'));
  }
  if (error instanceof PoolUnavailable) {
    facts.reason = 'threads' satisfies UnavailableReason;
    return refusalOf(refuse('unavailable'));
  }
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return refusalOf(refuse('internal_error'), fault);
}

/** `fault`: what the log says of an internal error. */
export function refusalOf(refusal: Refusal, fault?: string): Outcome & { readonly kind: 'refusal' } {
  return fault === undefined ? { kind: 'refusal', refusal } : { kind: 'refusal', refusal, fault };
}

/** The refusal of a call for which the bucket has no token. */
export function rateLimited({ retryAfterSeconds }: { readonly retryAfterSeconds: number }): Outcome {
  return refusalOf(refuse('rate_limited', { retryAfterSeconds }));
}

/** The refusal of a call whose time ran out. */
export function tooLate(): Outcome & { readonly kind: 'refusal' } {
  return refusalOf(refuse('unavailable', { message: 'The call could not be finished in time.' }));
}

/** Adds what support needs of a refused call: its phase when its time ran out, otherwise the till that sent it. */
export function noteRefusal({ kind, body, facts, stopwatch }: CallRequest, refusal: Refusal): void {
  if (refusal.code === 'unavailable') {
    // A script that came too late refuses without an error.
    facts.reason ??= 'deadline' satisfies UnavailableReason;
    if (facts.reason === 'deadline') facts.phase ??= stopwatch.running;
  } else if (kind === 'basket' && refusal.code !== 'rate_limited') Object.assign(facts, findSender(body));
}

const MAX_CONTEXT_BYTES = 4096;

/**
 * Finds the venue and the terminal setup in a basket that was refused, for the log: of a basket that is no JSON, or has a
 * fault in its schema, nothing else tells who sent it. It searches the bytes, because reading the body once more would
 * make refusing a call cost more than answering it.
 */
function findSender(body: Uint8Array): { venueId?: string; terminal?: string } {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const context = sectionAt(bytes, bytes.indexOf('"context"'));
  const [venueId, terminal] = [textOf(context, 'venueId'), textOf(context, 'baxId')];
  // A caller may have mixed its fields up, and no log line names a loyalty ID.
  const loyaltyId = textOf(sectionAt(bytes, bytes.indexOf('"loyaltyId"')), 'loyaltyId');
  return {
    ...(venueId !== undefined && venueId !== loyaltyId && { venueId }),
    ...(terminal !== undefined && terminal !== loyaltyId && { terminal }),
  };
}

/** The text from a place of the body on, as far as its fields may reach; empty without a place. */
function sectionAt(bytes: Buffer, start: number): string {
  return start < 0 ? '' : bytes.subarray(start, start + MAX_CONTEXT_BYTES).toString('utf8');
}

/** The first text under this name, if it is an identifier as the schema allows it. */
function textOf(json: string, name: 'venueId' | 'baxId' | 'loyaltyId'): string | undefined {
  const literal = new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(json)?.[1];
  if (literal === undefined) return undefined;
  try {
    const text: string = JSON.parse(literal);
    return text.length <= MAX_IDENTIFIER_CHARACTERS ? text : undefined;
  } catch {
    return undefined;
  }
}
