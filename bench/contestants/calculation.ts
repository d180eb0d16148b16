import { tmpdir } from 'node:os';
import { findBasketRequestFault } from '../../src/basket/basket-request.ts';
import { findRequestFaults } from '../../src/basket/identities.ts';
import { priceAnswer, renderMemberNotFound } from '../../src/calls/answer.ts';
import { findPlace, headOf } from '../../src/calls/read-call.ts';
import { findAvailable, findMember, judgeClock } from '../../src/calls/situation.ts';
import { storedForm } from '../../src/calls/stored/stored-answer.ts';
import type { BasketRequest } from '../../src/contract/basket-request.ts';
import { type RefusalDetails, refuse } from '../../src/contract/errors.ts';
import { fingerprintOf } from '../../src/contract/fingerprint.ts';
import { COMMIT_MARGIN_MS, MAX_LINES, MAX_SHORTAGE_ROUNDS } from '../../src/contract/limits.ts';
import { limitedUses } from '../../src/pricing/price.ts';
import { commitCalculation, findSupersession } from '../../src/store/calculations.ts';
import { noteDue } from '../../src/store/expiry.ts';
import { claimIndexEntry, readIndexEntry } from '../../src/store/index-entry.ts';
import { memberToken } from '../../src/store/keys.ts';
import { readMember } from '../../src/store/members.ts';
import { type KnownCall, Refused, replay } from './caller.ts';
import type { ContestantContext } from './context.ts';

/**
 * The basket call as a handler for any framework: the body is parsed already, and everything runs in this process. The
 * rules are the service's own, so that they cannot drift from the contract; the framework brings the call in and out.
 */

/** Checks the number of lines and the schema, by ajv as frameworks do. Returns the refusal as an error, for frameworks to throw. */
export function findBodyFault(body: unknown): Refused | undefined {
  const { lines } = (body ?? {}) as { lines?: unknown };
  if (Array.isArray(lines) && lines.length > MAX_LINES) {
    const details = { field: '/lines', expected: `at most ${MAX_LINES} items`, received: lines.length };
    return new Refused(refuse('too_many_lines', { details }));
  }
  const fault = findBasketRequestFault(body);
  return fault && invalid(fault);
}

/** Prices a basket that meets its schema and commits the answer. Throws `Refused` and `StoreUnavailable`. */
export async function calculate(
  context: ContestantContext,
  call: KnownCall,
  sent: BasketRequest,
  rawBody: Uint8Array,
): Promise<{ body: Buffer; isReplayed: boolean }> {
  const basket = headOf(sent);
  const { reference, mismatch } = findRequestFaults(sent);
  if (reference) throw invalid(reference);
  if (basket.calculationId !== call.calculationId) {
    throw invalid({ field: '/calculationId', expected: 'the Idempotency-Key', received: 'another ID' });
  }
  const { store, environment } = context;
  const place = findPlace(environment, { head: basket, basket: sent, mismatch });
  if ('refusal' in place) throw new Refused(place.refusal);
  const { venue } = place;
  const { calculationId, loyaltyId, supersedesCalculationId } = basket;
  const { programmeId, benefits } = venue.programme;
  const token = memberToken(programmeId, loyaltyId);
  const fingerprint = fingerprintOf(rawBody);
  const deadlineMs = call.atMs + environment.latencyBudget.deadlineMs;
  const isLimited = benefits.some(({ limits }) => limits.length > 0);
  const [snapshot, claim, superseded] = await Promise.all([
    readMember(store, { token, programmeId, loyaltyId }, isLimited),
    claimIndexEntry(store, calculationId, token, fingerprint, () => deadlineMs - performance.now()),
    supersedesCalculationId === undefined ? undefined : readIndexEntry(store, supersedesCalculationId),
    noteDue(store, calculationId),
  ]);
  if (claim.outcome === 'answered') throw new Refused(refuse('idempotency_conflict'));

  const member = findMember(environment, venue, loyaltyId, snapshot);
  const available = findAvailable(basket, limitedUses(venue, basket.requestedAt, member), snapshot, new Map());
  const isClockOff = judgeClock(environment, basket, snapshot).isOff;
  for (let round = 0; ; round += 1) {
    const { body, digest, status, total, uses, fault } = member
      ? priceAnswer({ basket: sent, member, venue, available, isClockOff }, tmpdir()).rendered
      : renderMemberNotFound(sent);
    if (fault !== undefined) throw new Error(fault);
    const committed = await commitCalculation(store, {
      ...{
        calculationId,
        member: token,
        fingerprint,
        stored: storedForm(digest, body),
        venueId: venue.venueId,
      },
      ...{ status, total, uses, tombstone: claim.tombstone },
      supersedes:
        supersedesCalculationId === undefined ? undefined : findSupersession(supersedesCalculationId, superseded),
      deadlineMs: snapshot.nowMs + environment.latencyBudget.deadlineMs - COMMIT_MARGIN_MS,
    });
    switch (committed.outcome) {
      case 'committed':
        return { body: Buffer.from(body.buffer, body.byteOffset, body.length), isReplayed: false };
      case 'replay':
        return { body: replay(committed.stored, rawBody), isReplayed: true };
      case 'conflict':
        throw new Refused(refuse('idempotency_conflict'));
      case 'too_late':
        throw new Refused(refuse('unavailable', { message: 'The call could not be finished in time.' }));
      case 'shortage':
        for (const [usage, left] of committed.left) available.set(usage, round < MAX_SHORTAGE_ROUNDS ? left : 0);
    }
  }
}

function invalid(details: RefusalDetails): Refused {
  return new Refused(refuse('invalid_request', { message: describe(details), details }));
}

function describe({ field, expected, received }: RefusalDetails): string {
  return `${field || 'The body'}: expected ${expected}, received ${received}.`;
}
