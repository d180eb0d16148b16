import type { MemberToken } from './keys.ts';
import type { MemberSnapshot } from './members.ts';
import { giveBackScript } from './scripts/members.ts';
import type { Store } from './store.ts';

/** Uses that a person gives back by hand. */

/**
 * Finds the counters that a person means: by their whole name (`coffee:*`, `cake/card-7:*`), or without the period and the mark of
 * its unit, or by the grantId or limitId alone. Counters of nothing are left out.
 */
export function findCounters({ consumed }: MemberSnapshot, name: string): string[] {
  const used = [...consumed].filter(([usageKey, units]) => !usageKey.includes('!') && units > 0);
  const counters = used.map(([usageKey]) => usageKey);
  if (counters.includes(name)) return [name];
  return counters.filter((usageKey) => {
    const whole = usageKey.slice(0, usageKey.lastIndexOf(':'));
    const plain = whole.replace(/[#$][^/]*$/, '');
    return [whole, plain, plain.replace(/^@/, ''), plain.slice(plain.indexOf('/') + 1)].includes(name);
  });
}

/** Gives units of a counter back in one step, never more than are consumed. Throws `StoreUnavailable`. */
export function giveBack({ connection, keys }: Store, member: MemberToken, usageKey: string, units: number) {
  return giveBackScript(connection, keys.ofMember(member), { usageKey, units });
}
