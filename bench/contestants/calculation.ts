import type { IncomingHttpHeaders } from 'node:http';
import { findBasketRequestFault } from '@loyalty/contract/basket/basket-request';
import { findRequestFaults } from '@loyalty/contract/basket/identities';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { type RefusalDetails, refuse } from '@loyalty/contract/errors';
import { fingerprintOf } from '@loyalty/contract/fingerprint';
import { REQUEST_HEADERS } from '@loyalty/contract/headers';
import { COMMIT_MARGIN_MS, MAX_LINES, MAX_SHORTAGE_ROUNDS } from '@loyalty/contract/limits';
import { limitedUses } from '@loyalty/engine/offers/limits';
import type { Venue } from '@loyalty/engine/types';
import { priceAnswer, renderMemberNotFound } from '../../src/calls/answer.ts';
import { findAvailable, findMember, judgeClock } from '../../src/calls/circumstances.ts';
import { judgeAgainstVenue } from '../../src/calls/read-call.ts';
import { storedForm } from '../../src/calls/stored/stored-answer.ts';
import { commitCalculation, findStoredAnswer, findSupersession } from '../../src/store/calculations.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { memberToken } from '../../src/store/keys.ts';
import { readMember } from '../../src/store/members.ts';
import { type Ended, Refused, replay, takeAndRead } from './caller.ts';
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

/** A basket whose faults but those of its key, place and identities are known. */
export type Checked = BasketRequest | Refused;

/**
 * A basket call: takes a token and reads what Redis has of it in one round trip, gives a stored answer again, prices, and commits
 * in another one. An error of the body waits for its place in the order of checks. Throws `Refused` and `StoreUnavailable`.
 */
export async function calculate(
  context: ContestantContext,
  headers: IncomingHttpHeaders,
  checked: Checked,
  rawBody: Uint8Array,
): Promise<Ended> {
  const { store, environment } = context;
  const deadlineMs = performance.now() + environment.latencyBudget.deadlineMs;
  const basket = findBasket(context, headers, checked);
  const fingerprint = fingerprintOf(rawBody);
  const readState = (calculationId: string) =>
    basket instanceof Refused
      ? readIndexEntry(store, calculationId).then((entry) => ({ entry }))
      : readBasketState(context, calculationId, basket);
  const known = await takeAndRead(context, 'basket', headers, readState);
  const { calculationId } = known;
  for (let { state } = known; ; state = await readState(calculationId)) {
    const member = state.entry?.member;
    if (member !== undefined) {
      const found = await findStoredAnswer(store, calculationId, member, () => fingerprint);
      if (found.outcome === 'conflict') throw new Refused(refuse('idempotency_conflict'));
      if (found.outcome === 'replay') {
        return { calculationId, body: replay(found.stored, rawBody), isReplayed: true };
      }
    }
    if (basket instanceof Refused) throw basket;
    if (performance.now() > deadlineMs - COMMIT_MARGIN_MS) throw tooLate();
    const ended = await priceAndCommit(context, { ...basket, rawBody, fingerprint, deadlineMs }, state as State);
    if (ended) return ended;
  }
}

interface Basket {
  readonly sent: BasketRequest;
  readonly venue: Venue;
}

/** The basket with its place, or what is wrong with it. */
function findBasket({ environment }: ContestantContext, headers: IncomingHttpHeaders, sent: Checked): Basket | Refused {
  if (sent instanceof Refused) return sent;
  const { reference, mismatch } = findRequestFaults(sent);
  if (reference) return invalid(reference);
  if (sent.calculationId !== headers[REQUEST_HEADERS.idempotencyKey]) {
    return invalid({ field: '/calculationId', expected: 'the Idempotency-Key', received: 'another ID' });
  }
  const judged = judgeAgainstVenue(environment, { basket: sent, mismatch });
  return judged.kind === 'refused' ? new Refused(judged.refusal) : { sent, venue: judged.venue };
}

/** Of what the service keeps beside the answer this contestant has nothing. */
const NOTHING_KEPT = {
  common: { uses: [], lent: new Map() },
  given: { programmeId: '', currency: '', benefits: [] },
  kept: Buffer.alloc(0),
};

type State = Awaited<ReturnType<typeof readBasketState>>;

async function readBasketState({ store }: ContestantContext, calculationId: string, { sent, venue }: Basket) {
  const { loyaltyId, supersedesCalculationId } = sent;
  const { programmeId, benefits } = venue.programme;
  const token = memberToken(programmeId, loyaltyId);
  const isLimited = benefits.some(({ limits }) => limits.length > 0);
  const [entry, snapshot, superseded] = await Promise.all([
    readIndexEntry(store, calculationId),
    readMember(store, { token, programmeId, loyaltyId }, isLimited),
    supersedesCalculationId === undefined ? undefined : readIndexEntry(store, supersedesCalculationId),
  ]);
  return { entry, token, snapshot, superseded };
}

interface Call extends Basket {
  readonly rawBody: Uint8Array;
  readonly fingerprint: string;
  readonly deadlineMs: number;
}

/** Undefined where the ID has changed meanwhile: it is read again. */
async function priceAndCommit(
  { store, environment }: ContestantContext,
  { sent, venue, rawBody, fingerprint, deadlineMs }: Call,
  { entry, token, snapshot, superseded }: State,
): Promise<Ended | undefined> {
  const { calculationId, loyaltyId, supersedesCalculationId } = sent;
  const member = findMember(environment, venue, loyaltyId, snapshot);
  const available = findAvailable(sent, limitedUses(venue, sent.requestedAt, member), snapshot, new Map());
  const isClockOff = judgeClock(environment, sent, snapshot).isOff;
  for (let round = 0; ; round += 1) {
    const { content, rendered } = member
      ? priceAnswer({ basket: sent, member, venue, available, isClockOff })
      : renderMemberNotFound(sent);
    const { body, status, total, uses, fault } = rendered;
    if (fault !== undefined) throw new Error(`the answer failed at ${fault.field}`);
    const committed = await commitCalculation(store, {
      ...{ calculationId, member: token, fingerprint, stored: storedForm(content, body), venueId: venue.venueId },
      ...{ status, total, uses, entry, ...NOTHING_KEPT },
      supersedes:
        supersedesCalculationId === undefined ? undefined : findSupersession(supersedesCalculationId, superseded),
      deadlineMs: snapshot.nowMs + environment.latencyBudget.deadlineMs - COMMIT_MARGIN_MS,
      remainingMs: () => deadlineMs - performance.now(),
    });
    switch (committed.outcome) {
      case 'committed':
        return { calculationId, body: Buffer.from(body.buffer, body.byteOffset, body.length), isReplayed: false };
      case 'replay':
        return { calculationId, body: replay(committed.stored, rawBody), isReplayed: true };
      case 'conflict':
        throw new Refused(refuse('idempotency_conflict'));
      case 'too_late':
        throw tooLate();
      case 'changed':
        return undefined;
      case 'shortage':
        for (const [usage, left] of committed.left) available.set(usage, round < MAX_SHORTAGE_ROUNDS ? left : 0);
    }
  }
}

function tooLate(): Refused {
  return new Refused(refuse('unavailable', { message: 'The call could not be finished in time.' }));
}

function invalid(details: RefusalDetails): Refused {
  return new Refused(refuse('invalid_request', { message: describe(details), details }));
}

function describe({ field, expected, received }: RefusalDetails): string {
  return `${field || 'The body'}: expected ${expected}, received ${received}.`;
}
