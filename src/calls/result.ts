import { type Refusal, refuse } from '@loyalty/contract/errors';
import { MAX_IDENTIFIER_CHARACTERS } from '@loyalty/contract/limits';
import { PoolUnavailable } from '@loyalty/contract/unavailable';
import { reasonOf, StoreUnavailable } from '../redis/failure.ts';
import type { CallRequest, Outcome } from './call.ts';
import { type CallFacts, NO_FACTS, type SenderFacts } from './call-facts.ts';

/** The outcome of a call that its steps have thrown. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof StoreUnavailable) {
    const facts = { reason: reasonOf(error), cause: error.redisCause, server: error.server };
    const refused = facts.reason === 'deadline' ? tooLate() : refusalOf(refuse('unavailable'));
    return { ...refused, facts };
  }
  if (error instanceof PoolUnavailable) {
    return { ...refusalOf(refuse('unavailable')), facts: { reason: 'threads' } };
  }
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return refusalOf(refuse('internal_error'), fault);
}

/** `fault`: what the log says of an internal error. */
export function refusalOf(refusal: Refusal, fault?: string): Outcome & { readonly kind: 'refusal' } {
  const refused = { kind: 'refusal', refusal, facts: NO_FACTS } as const;
  return fault === undefined ? refused : { ...refused, fault };
}

/** The refusal of a call for which the bucket has no token. */
export function rateLimited({ retryAfterSeconds }: { readonly retryAfterSeconds: number }): Outcome {
  return refusalOf(refuse('rate_limited', { retryAfterSeconds }));
}

/** The refusal of a call whose time ran out. */
export function tooLate(): Outcome & { readonly kind: 'refusal' } {
  const refusal = refuse('unavailable', { message: 'The call could not be finished in time.' });
  return { kind: 'refusal', refusal, facts: { reason: 'deadline' } };
}

/** What support needs of a refused call: its phase when its time ran out, otherwise the till that sent it. */
export function factsOfRefusal(
  { kind, body, stopwatch }: Pick<CallRequest, 'kind' | 'body' | 'stopwatch'>,
  { refusal, facts }: Outcome & { readonly kind: 'refusal' },
): CallFacts {
  if (facts.reason === 'deadline') return { phase: stopwatch.running };
  const isSenderWanted = kind === 'basket' && refusal.code !== 'unavailable' && refusal.code !== 'rate_limited';
  return isSenderWanted ? findSender(body) : NO_FACTS;
}

const MAX_CONTEXT_BYTES = 4096;

/**
 * Finds the venue and the terminal setup in a basket that was refused, for the log: of a basket that is no JSON, or has a
 * fault in its schema, nothing else tells who sent it. It searches the bytes, because reading the body once more would
 * make refusing a call cost more than answering it.
 */
function findSender(body: Uint8Array): SenderFacts {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const context = sectionAt(bytes, bytes.indexOf('"context"'));
  const [venueId, terminal] = [textOf(context, 'venueId'), textOf(context, 'baxId')];
  // A caller may have mixed its fields up, and no log line names a loyalty ID.
  const loyaltyId = textOf(sectionAt(bytes, bytes.indexOf('"loyaltyId"')), 'loyaltyId');
  return {
    venueId: venueId === loyaltyId ? undefined : venueId,
    terminal: terminal === loyaltyId ? undefined : terminal,
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
