import { decodeKeptBasket } from '../calls/stored/kept-basket.ts';
import { scanCalculations } from '../store/calculation-scan.ts';
import { findCalculation } from '../store/find-calculation.ts';
import { readAllCounters, readHolds } from '../store/holds.ts';
import { type MemberToken, memberToken } from '../store/keys.ts';
import { readMember } from '../store/members.ts';
import { readMerged } from '../store/merged.ts';
import { pseudonymOf } from '../store/pseudonyms.ts';
import { readReturns } from '../store/returns.ts';
import { readShown } from '../store/shown-keys.ts';
import type { Store } from '../store/store.ts';
import { allUses } from '../store/stored-calculation.ts';
import { usesText } from '../store/uses.ts';

/** A copy of everything that is stored about one member, for the person who asks for it. */

/** Calculations that are read at once. */
const BATCH = 64;

/** Collects the copy; undefined when nothing is stored under the loyalty ID. Throws `StoreUnavailable`. */
export async function copyMember(store: Store, programmeId: string, loyaltyId: string): Promise<object | undefined> {
  const token = memberToken(programmeId, loyaltyId);
  const read = await readMember(store, { token, programmeId, loyaltyId }, true);
  const snapshot = await readAllCounters(store, token, read);
  const calculationIds: string[] = [];
  for await (const { fresh } of scanCalculations(store, token)) calculationIds.push(...fresh);
  calculationIds.sort();
  const used = [...snapshot.consumed].filter(([usageKey]) => !usageKey.includes('!'));
  if (!snapshot.member && used.length === 0 && calculationIds.length === 0) return undefined;
  const calculations: object[] = [];
  for (let first = 0; first < calculationIds.length; first += BATCH) {
    const some = calculationIds.slice(first, first + BATCH);
    calculations.push(...(await Promise.all(some.map((id) => copyCalculation(store, token, id)))));
  }
  return {
    copiedAt: timeOf(snapshot.nowMs),
    programmeId,
    loyaltyId,
    mergedLoyaltyIds: [...(await readMerged(store, token)).values()],
    pseudonym: await pseudonymOf(store, token),
    member: snapshot.member ?? null,
    used: Object.fromEntries(used),
    open: (await readHolds(store, token)).map(({ calculationId, deadlineMs, units }) => ({
      ...{ calculationId, until: timeOf(deadlineMs), units: Object.fromEntries(units) },
    })),
    ...(await readShown(store, store.keys.owned.member, store.keys.ofMember(token))),
    calculations,
  };
}

async function copyCalculation(store: Store, member: MemberToken, calculationId: string): Promise<object> {
  const { keys } = store;
  const [stored, returns, shown] = await Promise.all([
    findCalculation(store, calculationId),
    readReturns(store, member, calculationId),
    readShown(store, keys.owned.calculation, keys.ofCalculation(member, calculationId)),
  ]);
  const { state, venueId, status, total, supersededBy, sale, isLate, overRedeemed, second, basket } = stored ?? {};
  const { answeredAtMs, deadlineMs, soldAtMs, decision } = stored ?? {};
  return {
    calculationId,
    state,
    venueId,
    answered: status,
    total,
    uses: stored && usesText(allUses(stored)),
    supersededBy,
    sale,
    isLate,
    overRedeemed,
    second,
    ...(answeredAtMs !== undefined && { answeredAt: timeOf(answeredAtMs) }),
    ...(deadlineMs !== undefined && { heldUntil: timeOf(deadlineMs) }),
    ...(soldAtMs !== undefined && { soldAt: timeOf(soldAtMs) }),
    ...(decision && { decision: { ...decision, atMs: undefined, at: timeOf(decision.atMs) } }),
    basket: basket ? describeBasket(basket) : null,
    returns: returns.map(({ returnId, atMs, answer }) => ({
      ...{ returnId, refund: answer.refund, lines: answer.lines },
      ...(atMs !== undefined && { at: timeOf(atMs) }),
    })),
    ...shown,
  };
}

/** The lines as they came; a basket of another version that cannot be read is said to be one. */
function describeBasket(bytes: Buffer): object | string {
  try {
    const { basket, member } = decodeKeptBasket(bytes);
    const { requestedAt, currency, lines } = basket;
    return {
      ...{ requestedAt, currency, tier: member?.tier ?? null },
      lines: lines.map(({ lineId, productId, productGroupId, quantity, unitPrice, orderLinePrice }) => ({
        ...{ lineId, productId, productGroupId, quantity, unitPrice, orderLinePrice },
      })),
    };
  } catch {
    return 'kept in a form that this version cannot read';
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
