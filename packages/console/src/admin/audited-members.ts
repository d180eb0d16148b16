import type { MemberToken } from '../../../../src/store/keys.ts';
import { pseudonymOf } from '../../../../src/store/pseudonyms.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { AdminAnswer } from './route.ts';

/** The facts of an answer that name members, by their tokens. */
const NAMES = ['member', 'into', 'draftMember', 'members'] as const;

/**
 * The facts of an answer for the audit log, with pseudonyms in the place of member tokens: the log outlives an erasure.
 * Where a pseudonym cannot be had, because Redis is away, the line has none.
 */
export async function withPseudonyms(store: Store, facts: NonNullable<AdminAnswer['audit']>): Promise<object> {
  const named = await Promise.all(
    NAMES.flatMap((name) => (facts[name] === undefined ? [] : [nameAgain(store, name, facts[name])])),
  );
  return { ...facts, ...Object.fromEntries(named) };
}

async function nameAgain(store: Store, name: string, value: unknown): Promise<[name: string, value: unknown]> {
  try {
    if (!Array.isArray(value)) return [name, await pseudonymOf(store, value as MemberToken)];
    return [name, await Promise.all(value.map((member: MemberToken) => pseudonymOf(store, member)))];
  } catch {
    return [name, undefined];
  }
}
