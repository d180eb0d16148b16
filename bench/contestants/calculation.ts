import { findAnswerMismatch, findRequestMismatch } from '../../src/basket/identities.ts';
import { findReferenceFault } from '../../src/basket/references.ts';
import { findAnswerFault, findBasketRequestFault } from '../../src/basket/schema.ts';
import type { BasketRequest } from '../../src/contract/basket-request.ts';
import type { BasketResponse } from '../../src/contract/basket-response.ts';
import { type RefusalDetails, refuse } from '../../src/contract/errors.ts';
import { fingerprintOf } from '../../src/contract/fingerprint.ts';
import { COMMIT_MARGIN_MS, MAX_LINES, MAX_SHORTAGE_ROUNDS } from '../../src/contract/limits.ts';
import { type Decision, limitedUses, priceBasket, type Venue } from '../../src/pricing/price.ts';
import { commitCalculation } from '../../src/store/calculations.ts';
import { noteDue } from '../../src/store/expiry.ts';
import { claimIndexEntry, readIndexEntry } from '../../src/store/index-entry.ts';
import { memberToken } from '../../src/store/keys.ts';
import { readMember, unitsLeft } from '../../src/store/members.ts';
import { type KnownCall, Refused } from './caller.ts';
import type { ContestantContext } from './context.ts';

/** The basket call as a handler of any framework would have it: the body parsed already, everything in this process. */

/** Schema, references, and the key equal to the body's ID. Returns the refusal as an error, for frameworks to throw. */
export function findBodyFault(body: unknown): Refused | undefined {
  const { lines } = (body ?? {}) as { lines?: unknown };
  if (Array.isArray(lines) && lines.length > MAX_LINES) {
    const details = { field: '/lines', expected: `at most ${MAX_LINES} items`, received: lines.length };
    return new Refused(refuse('too_many_lines', { details }));
  }
  const fault = findBasketRequestFault(body) ?? findReferenceFault(body as BasketRequest);
  return fault ? invalid(fault) : undefined;
}

/** Prices a valid basket and commits the answer. Throws `Refused` and `StoreUnavailable`. */
export async function calculate(
  context: ContestantContext,
  call: KnownCall,
  basket: BasketRequest,
  rawBody: Uint8Array,
): Promise<{ body: Buffer; isReplayed: boolean }> {
  if (basket.calculationId !== call.calculationId) {
    throw invalid({ field: '/calculationId', expected: 'the Idempotency-Key', received: 'another ID' });
  }
  const venue = findVenue(context, basket);
  const { store, environment } = context;
  const { calculationId, loyaltyId, supersedesCalculationId } = basket;
  const { programmeId, benefits } = venue.programme;
  const token = memberToken(programmeId, loyaltyId);
  const fingerprint = fingerprintOf(rawBody);
  const deadlineMs = call.atMs + environment.latencyBudget.deadlineMs;
  const isLimited = benefits.some(({ limit }) => limit !== undefined);
  const [snapshot, claim, superseded] = await Promise.all([
    readMember(store, { token, programmeId, loyaltyId }, isLimited),
    claimIndexEntry(store, calculationId, token, fingerprint, () => deadlineMs - performance.now()),
    supersedesCalculationId === undefined ? undefined : readIndexEntry(store, supersedesCalculationId),
    noteDue(store, calculationId),
  ]);
  if (claim.outcome === 'conflict') throw new Refused(refuse('idempotency_conflict'));

  const except = [calculationId, supersedesCalculationId];
  const uses = limitedUses(venue, basket.requestedAt);
  const available = new Map(
    uses.map(({ usageKey, limit }) => [usageKey, unitsLeft(snapshot, usageKey, limit, except)]),
  );
  for (let round = 0; ; round += 1) {
    const decision = snapshot.member && priceBasket({ basket, member: snapshot.member, venue, available });
    const answer = Buffer.from(JSON.stringify(respond(basket, decision)));
    const committed = await commitCalculation(store, {
      calculationId,
      member: token,
      fingerprint,
      body: rawBody,
      answer,
      venueId: venue.venueId,
      status: decision?.status ?? 'member_not_found',
      total: decision?.status === 'applied' ? decision.totals.total : basket.totals.total,
      uses: decision?.status === 'applied' ? decision.uses : [],
      supersedes:
        supersedesCalculationId === undefined
          ? undefined
          : { calculationId: supersedesCalculationId, member: superseded?.member },
      tombstone: claim.tombstone,
      deadlineMs: snapshot.nowMs + environment.latencyBudget.deadlineMs - COMMIT_MARGIN_MS,
    });
    switch (committed.outcome) {
      case 'committed':
        return { body: answer, isReplayed: false };
      case 'replay':
        return { body: committed.answer, isReplayed: true };
      case 'conflict':
        throw new Refused(refuse('idempotency_conflict'));
      case 'too_late':
        throw new Refused(refuse('unavailable', { message: 'The call could not be finished in time.' }));
      case 'shortage':
        for (const [usage, left] of committed.left) available.set(usage, round < MAX_SHORTAGE_ROUNDS ? left : 0);
    }
  }
}

function findVenue({ environment }: ContestantContext, basket: BasketRequest): Venue {
  const venue = environment.findVenue(basket.context.venueId, basket.context.baxId);
  if (!venue) {
    const details = { field: '/context/venueId', expected: 'a venue and terminal setup mapped here together' };
    throw new Refused(refuse('venue_not_configured', { details }));
  }
  if (!venue.currencies.includes(basket.currency)) {
    const details = { field: '/currency', expected: venue.currencies.join(', '), received: basket.currency };
    throw new Refused(refuse('unknown_currency', { details }));
  }
  const mismatch = findRequestMismatch(basket);
  if (mismatch) {
    throw new Refused(refuse('arithmetic_mismatch', { message: describe(mismatch), details: mismatch }));
  }
  return venue;
}

/** The answer, checked against its schema and every identity: the contract asks that of everybody. */
function respond(basket: BasketRequest, decision: Decision | undefined): BasketResponse {
  const { calculationId } = basket;
  if (!decision) return { calculationId, status: 'member_not_found' };
  const { memberLabel } = decision;
  const label = memberLabel === undefined ? {} : { memberLabel };
  if (decision.status === 'unchanged') {
    return checked(basket, { calculationId, status: 'unchanged', reason: decision.reason, ...label });
  }
  const { receiptFooterText, lines, orderDiscounts, totals } = decision;
  const footer = receiptFooterText === undefined ? {} : { receiptFooterText };
  return checked(basket, { calculationId, status: 'applied', ...label, ...footer, lines, orderDiscounts, totals });
}

function checked(basket: BasketRequest, answer: BasketResponse): BasketResponse {
  const fault = findAnswerFault(answer) ?? (answer.status === 'applied' && findAnswerMismatch(basket, answer));
  if (fault) throw new Error(`An answer failed its own check: ${describe(fault)}`);
  return answer;
}

function invalid(details: RefusalDetails): Refused {
  return new Refused(refuse('invalid_request', { message: describe(details), details }));
}

function describe({ field, expected, received }: RefusalDetails): string {
  return `${field || 'The body'}: expected ${expected}, received ${received}.`;
}
