import { type Fault, show } from '../../../../src/programme/configuration-error.ts';
import { noteOwnMembers } from '../../../../src/store/dataset.ts';
import { memberToken } from '../../../../src/store/keys.ts';
import { changeMember } from '../../../../src/store/member-changes.ts';
import { type MemberSnapshot, readMember, type StoredMember } from '../../../../src/store/members.ts';
import type { Store } from '../../../../src/store/store.ts';
import { applyPatch, type MemberPatch, type PatchRules } from './patch.ts';

/** A row's member before and after; `known` is false where nobody could look at what is stored. */
export type Written =
  | { readonly known: true; readonly before: StoredMember | undefined; readonly after: StoredMember }
  | { readonly known: false }
  | { readonly fault: Fault };

/** Writes rows in order. Safe to repeat. */
export type MemberWriter = (patches: readonly MemberPatch[]) => Promise<Written[]>;

/** Writes members into Redis. Rows of one member follow each other, because its changes wait for one another. */
export function createWriter(store: Store, rules: PatchRules): MemberWriter {
  return async (patches) => {
    const written = await Promise.all(patches.map((patch) => writeOne(store, patch, rules)));
    await noteOwnMembers(store);
    return written;
  };
}

async function writeOne(store: Store, patch: MemberPatch, rules: PatchRules): Promise<Written> {
  let before: StoredMember | undefined;
  const change = await changeMember<Written>(store, patch, (stored, mergedInto) => {
    before = stored;
    if (mergedInto !== undefined) return { outcome: 'refuse', refusal: { fault: mergedFault(patch, mergedInto) } };
    const patched = applyPatch(patch, stored, rules);
    if (patched.fault) return { outcome: 'refuse', refusal: { fault: patched.fault } };
    const after = patched.member;
    if (stored && JSON.stringify(stored) === JSON.stringify(after)) {
      return { outcome: 'refuse', refusal: { known: true, before, after } };
    }
    return { outcome: 'write', member: after };
  });
  return change.outcome === 'refuse' ? change.refusal : { known: true, before, after: change.member };
}

/** A nightly list may name the old loyalty ID for long: its row is named and changes nothing. */
function mergedFault({ loyaltyId }: MemberPatch, into: string): Fault {
  return { path: 'loyaltyId', found: `${show(loyaltyId)}, which was merged into ${show(into)}`, allowed: show(into) };
}

/** Looks at what writing would change, and writes nothing. Without a store it checks the rows alone. */
export function createRehearsal(store: Store | undefined, rules: PatchRules): MemberWriter {
  return async (patches) => {
    /** By member; a later row of the same member meets what the earlier one made of it. */
    const stored = new Map<string, Pick<MemberSnapshot, 'member' | 'mergedInto'>>();
    const rows = patches.map((patch) => ({ patch, token: memberToken(patch.programmeId, patch.loyaltyId) }));
    const read = async (from: Store, { patch: { programmeId, loyaltyId }, token }: (typeof rows)[number]) =>
      stored.set(token, await readMember(from, { token, programmeId, loyaltyId }, false));
    if (store) await Promise.all(rows.map((row) => read(store, row)));
    return rows.map(({ patch, token }): Written => {
      const { member: before, mergedInto } = stored.get(token) ?? {};
      if (mergedInto !== undefined) return { fault: mergedFault(patch, mergedInto) };
      // Without Redis a row that leaves the status out may be one of a stored member.
      const patched = applyPatch(store ? patch : { status: 'active', ...patch }, before, rules);
      if (patched.fault) return { fault: patched.fault };
      stored.set(token, { member: patched.member });
      return store ? { known: true, before, after: patched.member } : { known: false };
    });
  };
}
