/** Calls on limits over all members as the service makes them, and as one that dies half way. */
import { CommonHolds } from '../../../src/calls/common-holds.ts';
import type { ReadCall } from '../../../src/calls/read-call.ts';
import { type Commit, commitCalculation, findStoredAnswer, findSupersession } from '../../../src/store/calculations.ts';
import { giveBackCommon } from '../../../src/store/common-endings.ts';
import { leftInCommon, readCommon } from '../../../src/store/common-limits.ts';
import { type IndexEntry, readIndexEntry } from '../../../src/store/index-entry.ts';
import type { MemberToken } from '../../../src/store/keys.ts';
import { settleScript } from '../../../src/store/scripts/sales.ts';
import type { Store } from '../../../src/store/store.ts';
import { wordOf } from './model.ts';
import type { Names } from './names.ts';
import { type BasketStep, VENUES } from './world.ts';

export const CALL_MS = 3_600_000;
const FAR_AWAY_MS = Date.UTC(2100, 0, 1);
const MAX_ROUNDS = 6;

/** A call as the service makes it: it reads, and commits what it has read by; what has changed meanwhile is read again. */
export async function sendBasket(store: Store, names: Names, step: BasketStep): Promise<string> {
  const [calculationId, print] = [names.id(step.calculation), printOf(step)];
  for (;;) {
    const entry = await readIndexEntry(store, calculationId);
    if (entry?.member !== undefined) {
      const stored = await findStoredAnswer(store, calculationId, entry.member, () => print);
      if (stored.outcome !== 'none') return stored.outcome;
    }
    const word = await priceAndCommit(store, names, step, entry);
    if (word !== 'changed') return word;
  }
}

async function priceAndCommit(
  store: Store,
  names: Names,
  step: BasketStep,
  entry: IndexEntry | undefined,
): Promise<string> {
  const { calculation, supersedes: superseding, dies, member: number } = step;
  const [calculationId, member, print] = [names.id(calculation), names.member(number), printOf(step)];
  const venueId = VENUES[step.venue]!;
  const older = superseding === undefined ? undefined : names.id(superseding);
  const supersedes = older === undefined ? undefined : findSupersession(older, await readIndexEntry(store, older));
  const place = { programmeId: names.programme, venueId };
  const own = { basket: { calculationId }, venue: { venueId, programme: { programmeId: names.programme } } };
  const commonHolds = new CommonHolds(store, own as unknown as ReadCall);
  const wanted = names.usesOf(step);
  const read = await readCommon(store, place, wanted, older === undefined ? [calculationId] : [calculationId, older]);
  const left = new Map(
    wanted.map(({ usageKey, limit, of }) => [usageKey, of ? leftInCommon(read.get(usageKey), limit) : limit]),
  );
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const uses = wanted.flatMap((use) => {
      const free = left.get(use.usageKey)!;
      const units = use.isMoney ? Math.min(use.units, free) : free >= use.units ? use.units : 0;
      return units > 0 ? [{ ...use, units }] : [];
    });
    const held = await commonHolds.hold({ memberKey: member, supersedes }, uses, CALL_MS);
    if (held.outcome === 'shortage') {
      for (const [key, units] of held.left) left.set(key, units);
      continue;
    }
    if (dies === 'held') return 'died';
    const commit: Commit = {
      ...{
        calculationId,
        member,
        fingerprint: print,
        stored: Buffer.from(wordOf([])),
        venueId,
        status: 'applied',
        total: 100,
      },
      ...{ uses: uses.filter(({ of }) => !of), supersedes, entry, deadlineMs: FAR_AWAY_MS, remainingMs: () => CALL_MS },
      common: { uses: held.uses, lent: held.lent },
      kept: Buffer.alloc(0),
      given: { programmeId: names.programme, currency: 'NOK', benefits: [] },
    };
    const committed = await commitCalculation(store, commit);
    if (committed.outcome === 'shortage') {
      for (const [key, units] of committed.left) left.set(key, units);
      continue;
    }
    if (committed.outcome !== 'committed') return committed.outcome;
    if (dies) return 'died';
    commonHolds.confirm(committed.holdsCommon ? held.uses : []);
    return wordOf(uses.map(({ key, units }) => ({ key, units })));
  }
  throw new Error(`${JSON.stringify(step)} finds no price in ${MAX_ROUNDS} rounds`);
}

/** The sale in the member's slot, as by a process that dies before it reaches the counters. */
export async function bookAlone(store: Store, calculationId: string, member: MemberToken, outcome: readonly unknown[]) {
  const { keys, connection, periods } = store;
  const named = {
    ...keys.ofMember(member),
    ...keys.ofCalculation(member, calculationId),
    events: connection.isCluster ? keys.answer(member, '') : keys.events(0),
    others: [],
  };
  const fields = ['at', 'state', 'sale'] as const;
  const [at, state, sale] = await connection.run(named.calculation, (client, key) => client.hmget(key, ...fields));
  await settleScript(connection, named, {
    calculationId,
    outcome: JSON.stringify(outcome),
    consumes: outcome[0] === 'applied',
    deadlineMs: Number.MAX_SAFE_INTEGER,
    retentionMs: periods.retentionMs,
    keptMs: periods.retentionMs,
    event: '',
    answeredRead: at ? Number(at) : undefined,
    stateRead: state ?? undefined,
    saleRead: sale ?? undefined,
  });
}

export async function bringBack(
  store: Store,
  names: Names,
  calculation: number,
  taken: readonly { readonly key: string; readonly units: number; readonly limit: number }[],
) {
  const uses = taken.map(({ key, ...use }) => ({ ...use, ...names.place(key) }));
  const units = new Map(uses.map((use) => [use.usageKey, use.units]));
  await giveBackCommon(store, { calculationId: names.id(calculation), returnId: 'r-1' }, uses, units);
}

/** The body of a basket: what a repetition has in common with the first call. */
export function printOf({ dies: _, process: _process, ...basket }: BasketStep): string {
  return JSON.stringify(basket);
}
