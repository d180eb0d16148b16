import { lookInSlot } from './find-calculation.ts';
import type { CounterToken, MemberToken } from './keys.ts';
import {
  confirmCommonScript,
  endCommonScript,
  finishCommonScript,
  forgetCommonScript,
  giveBackCommonScript,
  noteOverScript,
} from './scripts/common-limits.ts';
import { orGoWithout, orLeaveUndone } from './spare-key.ts';
import { type Store, soldMs } from './store.ts';
import { type Ending, type Owner, readSome } from './stored-calculation.ts';
import { type CommonUse, useText } from './uses.ts';

/** How holds in counters of all members end: confirmed, given back or consumed, as the calculation's record says. */

/** What is still to be done in the counters of a calculation; the script that ended the calculation has noted it. */
export interface CommonDue {
  readonly uses: readonly CommonUse[];
  readonly ending: Ending;
}

/** A step that is still on its way is known as a repetition for so long after the record has forgotten the ending. */
const STRAGGLERS_MS = 10 * 60_000;

/**
 * Ends the holds of a calculation in their counters, and notes in its record that this is done. A process that dies in between
 * leaves the mark, and whoever meets the record completes it. Returns the units past the limits. Throws `StoreUnavailable`.
 */
export async function completeEnding(store: Store, owner: Owner, { uses, ending }: CommonDue): Promise<number> {
  const { calculationId, member } = owner;
  const record = { calculation: store.keys.calculation(member, calculationId) };
  const end = async (use: CommonUse): Promise<number> => {
    const over =
      ending === 'give_back' ? await giveBackUse(store, owner, use) : await endHold(store, owner, use, ending);
    // A counter tells it once.
    if (over > 0) await noteOverScript(store.connection, record, { overRedeemed: over });
    return over;
  };
  const ends = uses.map(end);
  // Where a counter is away, a repetition finds what the others have told.
  await Promise.allSettled(ends);
  const overs = await Promise.all(ends);
  const isNoted = await finishCommonScript(store.connection, record, { ending });
  // Of a record that has moved to another member meanwhile the ending is still due there.
  if (ending === 'consume' && isNoted) forgetSettled(store, calculationId, uses);
  return overs.reduce((sum, own) => sum + own, 0);
}

/** Ends one hold; returns the units past the limit. */
async function endHold(
  { connection, keys, periods }: Store,
  { calculationId, member }: Owner,
  use: CommonUse,
  ending: Exclude<Ending, 'give_back'> | 'lapse',
): Promise<number> {
  const { counter } = use;
  const { holdMs, retentionMs } = periods;
  const ended = { calculationId, member, use: useText(use), ending, holdMs, retentionMs };
  return endCommonScript(connection, keys.ofCounter(counter), ended);
}

/** Gives back what a sale had consumed; returns 0, because nothing goes past a limit by it. */
async function giveBackUse({ connection, keys, periods }: Store, { calculationId }: Owner, use: CommonUse) {
  const { counter, usageKey, units } = use;
  // A return has a step that begins with the calculation.
  const taken = { step: `resolved ${calculationId}`, usageKey, units, retentionMs: soldMs(periods) };
  await giveBackCommonScript(connection, keys.ofCounter(counter), taken);
  return 0;
}

/** Without this the marks stay for the retention, which costs memory and nothing else. */
function forgetSettled(store: Store, calculationId: string, uses: readonly CommonUse[]): void {
  for (const { counter } of uses) {
    const forgotten = { calculationId, knownMs: STRAGGLERS_MS };
    orLeaveUndone(store, forgetCommonScript(store.connection, store.keys.ofCounter(counter), forgotten));
  }
}

/** What a commit has decided about holds in counters of all members. */
export interface CommonCommitted extends Owner {
  /** The uses that hold by the commit. */
  readonly uses: readonly CommonUse[];
  /** Uses that were held for the call and are not part of its answer. */
  readonly dropped: readonly CommonUse[];
}

/** Confirms what a commit holds, and gives back what an earlier round of the same call held beside it. */
export async function confirmHolds(store: Store, committed: CommonCommitted): Promise<void> {
  const { uses, dropped } = committed;
  const confirmed = uses.map((use) => confirmHold(store, committed, use));
  const released = dropped.map((use) => endHold(store, committed, use, 'release'));
  await Promise.all([...confirmed, ...released]);
}

async function confirmHold({ connection, keys }: Store, { calculationId, member }: Owner, use: CommonUse) {
  await confirmCommonScript(connection, keys.ofCounter(use.counter), { calculationId, member, use: useText(use) });
}

/** The counters of which this process looks up overdue holds at the moment. */
const resolving = new WeakMap<Store['connection'], Map<CounterToken, Promise<unknown>>>();

/**
 * Looks up the calculations of holds whose calls are over: a committed one keeps its hold, any other gives it back. Whoever meets such
 * holds waits for it, because their units may be free. Throws `StoreUnavailable` where there is one server.
 */
export async function resolveOverdue(
  store: Store,
  { counter, usageKey }: Pick<CommonUse, 'counter' | 'usageKey'>,
  overdue: readonly string[],
): Promise<void> {
  const underWay = resolving.get(store.connection) ?? new Map<CounterToken, Promise<unknown>>();
  resolving.set(store.connection, underWay);
  const lookUp = () => {
    const each = overdue.map((entry) => {
      const [member, calculationId] = entry.split(' ') as [MemberToken, string];
      return resolveOne(store, { member, calculationId }, { counter, usageKey });
    });
    // What is left undone is completed by whoever meets the record later.
    const looked = orLeaveUndone(store, Promise.all(each)).finally(() => underWay.delete(counter));
    underWay.set(counter, looked);
    return looked;
  };
  await orGoWithout(store, underWay.get(counter) ?? lookUp());
}

async function resolveOne(
  store: Store,
  owner: Owner,
  { counter, usageKey }: Pick<CommonUse, 'counter' | 'usageKey'>,
): Promise<void> {
  // Of several members who have asked for one ID, one has a calculation.
  const { found } = await lookInSlot(store, owner.calculationId, async (member) => {
    const read = await readSome(store, { ...owner, member }, 'state', 'commonUses', 'due');
    return read.state === 'unknown' ? undefined : read;
  });
  const use = found?.commonUses.find((own) => own.counter === counter);
  const ending = found?.due.commonDue;
  if (use && found?.state === 'open') {
    await confirmHold(store, owner, use);
  } else if (use && found && ending) {
    await completeEnding(store, { ...owner, member: found.member }, { uses: found.commonUses, ending });
  } else {
    await endHold(store, owner, { counter, usageKey, units: 0, limit: 0 }, 'lapse');
  }
}

/**
 * Gives back what returned goods had taken of limits over all members, once for each return. Throws `StoreUnavailable`.
 */
export async function giveBackCommon(
  store: Store,
  { calculationId, returnId }: { readonly calculationId: string; readonly returnId: string },
  uses: readonly CommonUse[],
  givenBack: ReadonlyMap<string, number>,
): Promise<void> {
  const { keys, connection, periods } = store;
  await Promise.all(
    uses.map(async ({ counter, usageKey }) => {
      const units = givenBack.get(usageKey) ?? 0;
      if (units === 0) return;
      const step = `${calculationId} ${returnId}`;
      const returned = { step, usageKey, units, retentionMs: soldMs(periods) };
      await giveBackCommonScript(connection, keys.ofCounter(counter), returned);
    }),
  );
}
