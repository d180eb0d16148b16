import { scanCalculations } from './calculation-scan.ts';
import { postpone } from './expiry.ts';
import { lookSooner } from './grant-endings.ts';
import { eventStream, type MemberToken } from './keys.ts';
import { ageIndexScript } from './scripts/index-entries.ts';
import { moveClockScript } from './scripts/members.ts';
import { ageCalculationScript, ageContentScript } from './scripts/owned-keys.ts';
import type { Store } from './store.ts';

/**
 * Moves the clock of a test member (moved-clock.ts). Whatever Redis' own clock ends is made older instead.
 */

/** What became older. */
export interface Aged {
  readonly calculations: number;
  /** Holds that have ended by it. */
  readonly holds: number;
  /** Answers that are not replayed any more because of it. */
  readonly answers: number;
}

/** The sweep comes by once a second, and finds what has ended for so long after its time. */
const SWEEP_GRACE_MS = 60_000;

/** Moves a member's clock for a while; 0 sets it right. Throws `StoreUnavailable`. */
export async function moveClock(store: Store, member: MemberToken, movedMs: number, lastsMs: number): Promise<void> {
  await moveClockScript(store.connection, store.keys.ofMember(member), { movedMs, lastsMs });
  await lookSooner(store, member, movedMs);
}

/**
 * Makes all calculations of a member, and what else of it ends by Redis' clock, older, found by a search through all keys: holds end sooner, answers are forgotten
 * sooner, and what was open and has ended is found by the next sweep. Consumption stays, because it goes by periods. An
 * interrupted run leaves some of them older; running it again makes those older twice. Throws `StoreUnavailable`.
 */
export async function ageCalculations(store: Store, member: MemberToken, byMs: number): Promise<Aged> {
  let [calculations, holds, answers] = [0, 0, 0];
  for await (const { fresh } of scanCalculations(store, member)) {
    calculations += fresh.length;
    const aged = await Promise.all(fresh.map((id) => ageCalculation(store, member, id, byMs)));
    holds += aged.filter(({ holdEnded }) => holdEnded).length;
    answers += aged.filter(({ answerEnded }) => answerEnded).length;
  }
  const { connection, keys } = store;
  const own = keys.ofMember(member) as Readonly<Record<string, string>>;
  for (const [name, { clock }] of Object.entries(keys.owned.member)) {
    if (clock === 'aged') await ageContentScript(connection, { owned: own[name]! }, { byMs });
  }
  return { calculations, holds, answers };
}

async function ageCalculation(
  store: Store,
  member: MemberToken,
  calculationId: string,
  byMs: number,
): Promise<{ readonly holdEnded: boolean; readonly answerEnded: boolean }> {
  const { connection, keys } = store;
  const named = keys.everyKeyOf(member, calculationId);
  const aged = await ageCalculationScript(connection, named, { calculationId, byMs, leastMs: SWEEP_GRACE_MS });
  const leastMs = aged.outcome === 'open' ? SWEEP_GRACE_MS : 0;
  await ageIndexScript(connection, { index: keys.index(calculationId) }, { member, byMs, leastMs });
  if (aged.outcome === 'gone') return { holdEnded: false, answerEnded: false };
  if (aged.outcome === 'open') {
    await postpone(store, keys.examinations(eventStream(calculationId)), calculationId, aged.leftMs);
  }
  return aged;
}
