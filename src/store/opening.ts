import { COMMIT_MARGIN_MS } from '../contract/limits.ts';
import { replyText, type ScriptReply } from '../redis/scripts.ts';
import { firstLookMs } from './expiry.ts';
import { eventStream, type MemberToken } from './keys.ts';
import { type MemberSnapshot, readSnapshot } from './members.ts';
import { noteRefusal, type RateLimit, retryAfterSeconds } from './rate-limit.ts';
import { estimateRedisMs, noteBucketReply, sinceRefusedMs } from './redis-clock.ts';
import { runScript } from './scripts.ts';
import type { Store } from './store.ts';

/**
 * The first trip of a calculation whose ID was never seen: one script takes the token of the rate limit, claims the ID,
 * notes it for expiry and reads the member, where the ordinary way needs three scripts and two commands in two trips. A
 * refused call and a known ID cost no more than the token. All keys must lie on one server, and the deadline is by that
 * server's clock, which earlier replies have told; so a cluster, the first call after a start and calls after a 429 take
 * the ordinary way. A call's commands cost 34 to 56 µs of CPU here instead of 44 to 64, and Redis a tenth less
 * (docs/measurements/service.md).
 */
export interface OpeningRequest {
  readonly calculationId: string;
  readonly member: { readonly token: MemberToken; readonly programmeId: string; readonly loyaltyId: string };
  readonly fingerprint: string;
  /** True when the programme has limited or granted benefits. */
  readonly withUses: boolean;
  /** True when it supersedes another calculation. */
  readonly isSuperseding?: boolean;
  /** Calculations whose own holds do not stand in the way of this one. */
  readonly wanted?: readonly string[];
  /** The time left of the call. Nothing is written in its last moments, when no commit would be accepted. */
  readonly remainingMs: number;
}

export type Opening =
  | { readonly outcome: 'opened'; readonly snapshot: MemberSnapshot; readonly claim: string }
  /** The token is taken; the ordinary way goes on from the entry that is there. */
  | { readonly outcome: 'known'; readonly entry: string; readonly redisNowMs: number }
  | { readonly outcome: 'refused'; readonly retryAfterSeconds: number }
  /** Nothing was done. */
  | { readonly outcome: 'too_late' };

/** After a refusal calls look at the bucket alone for this long, because reading a body first would be in vain. */
const REFUSED_REST_MS = 1000;

/** True when a call may begin with `openCalculation`. */
export function canOpen({ connection }: Store): boolean {
  const isClockKnown = estimateRedisMs(connection) !== undefined;
  return isClockKnown && !connection.isCluster && sinceRefusedMs(connection) > REFUSED_REST_MS;
}

/** Begins a calculation; `canOpen` must have allowed it. Throws `StoreUnavailable`. */
export async function openCalculation(store: Store, limit: RateLimit, request: OpeningRequest): Promise<Opening> {
  const { connection, keys, periods } = store;
  const { calculationId, member, fingerprint, withUses } = request;
  const remainingMs = Math.ceil(request.remainingMs);
  const estimateMs = estimateRedisMs(connection) ?? 0;
  const holder = `${member.token} ${fingerprint}`;
  const sentMs = performance.now();
  const reply = (await runScript(
    connection,
    'open-calculation',
    [
      keys.rate(),
      keys.index(calculationId),
      keys.due(eventStream(calculationId)),
      keys.member(member.token),
      keys.use(member.token),
      keys.hold(member.token),
      keys.held(member.token),
      keys.holdsDue(member.token),
    ],
    [
      1e6 / limit.sustained,
      limit.burst,
      Math.floor(estimateMs + remainingMs - COMMIT_MARGIN_MS),
      calculationId,
      holder,
      remainingMs,
      periods.retentionMs,
      firstLookMs(store, request.isSuperseding === true),
      withUses ? 1 : 0,
      ...(request.wanted ?? []),
    ],
  )) as [nowMs: number, outcome: Buffer, ...ScriptReply[]];
  const [nowMs, word, first, ...uses] = reply;
  const outcome = replyText(word) as Opening['outcome'];
  noteBucketReply(connection, nowMs, outcome === 'refused');
  switch (outcome) {
    case 'opened': {
      const snapshot = readSnapshot(member, [nowMs, first, ...uses] as ScriptReply[]);
      return { outcome, snapshot, claim: `${holder} ${nowMs + remainingMs} -` };
    }
    case 'known':
      return { outcome, entry: replyText(first), redisNowMs: nowMs };
    case 'refused':
      noteRefusal(store, 'basket', sentMs, first as number);
      return { outcome, retryAfterSeconds: retryAfterSeconds(first as number) };
    case 'too_late':
      return { outcome };
  }
}

/** Takes back the claim of a call that was given up before its commit. */
export async function dropClaim(store: Store, calculationId: string, claim: string): Promise<void> {
  await runScript(store.connection, 'drop-claim', [store.keys.index(calculationId)], [claim]);
}
