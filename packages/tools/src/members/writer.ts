import { type Fault, show } from '../../../../src/programme/configuration-error.ts';
import { noteOwnMembers } from '../../../../src/store/dataset.ts';
import { memberToken } from '../../../../src/store/keys.ts';
import { changeMember } from '../../../../src/store/member-changes.ts';
import { readMember, type StoredMember } from '../../../../src/store/members.ts';
import type { Store } from '../../../../src/store/store.ts';
import { applyPatch, type MemberPatch, type PatchRules } from './patch.ts';

/** A row's member before and after, or the fault for which it is rejected. */
export type Written =
  | { readonly before: StoredMember | undefined; readonly after: StoredMember; readonly fault?: undefined }
  | { readonly fault: Fault };

/**
 * Writes members into Redis. Rows of one member follow each other, because its changes wait for one another. Safe to repeat.
 * Throws `StoreUnavailable`.
 */
export async function writeMembers(
  store: Store,
  patches: readonly MemberPatch[],
  rules: PatchRules,
): Promise<Written[]> {
  const written = await Promise.all(patches.map((patch) => writeOne(store, patch, rules)));
  await noteOwnMembers(store);
  return written;
}

async function writeOne(store: Store, patch: MemberPatch, rules: PatchRules): Promise<Written> {
  let written!: Written;
  await changeMember(store, patch, (member, mergedInto) => {
    written = decide(patch, { member, mergedInto }, rules);
    if (written.fault || JSON.stringify(member) === JSON.stringify(written.after)) {
      return { outcome: 'refuse', refusal: undefined };
    }
    return { outcome: 'write', member: written.after };
  });
  return written;
}

/**
 * Looks at what writing would change, and writes nothing. Without a store it checks the rows alone. Throws
 * `StoreUnavailable`.
 */
export async function rehearseMembers(
  store: Store | undefined,
  patches: readonly MemberPatch[],
  rules: PatchRules,
): Promise<Written[]> {
  const tokens = patches.map(({ programmeId, loyaltyId }) => memberToken(programmeId, loyaltyId));
  /** By member; a later row of the same member meets what the earlier one made of it. */
  const stored = new Map<string, Stored>();
  const read = async (from: Store, { programmeId, loyaltyId }: MemberPatch, at: number) =>
    stored.set(tokens[at]!, await readMember(from, { token: tokens[at]!, programmeId, loyaltyId }, false));
  if (store) await Promise.all(patches.map((patch, at) => read(store, patch, at)));
  return patches.map((patch, at) => {
    // Without Redis a row that leaves the status out may be one of a stored member.
    const whole = store ? patch : { status: 'active' as const, ...patch };
    const written = decide(whole, stored.get(tokens[at]!) ?? {}, rules);
    if (!written.fault) stored.set(tokens[at]!, { member: written.after });
    return written;
  });
}

interface Stored {
  readonly member?: StoredMember | undefined;
  /** The loyalty ID of the member that it was merged into. */
  readonly mergedInto?: string | undefined;
}

/** A nightly list may name the old loyalty ID for long: its row is named and changes nothing. */
function decide(patch: MemberPatch, { member, mergedInto }: Stored, rules: PatchRules): Written {
  if (mergedInto !== undefined) {
    const found = `${show(patch.loyaltyId)}, which was merged into ${show(mergedInto)}`;
    return { fault: { path: 'loyaltyId', found, allowed: show(mergedInto) } };
  }
  const patched = applyPatch(patch, member, rules);
  return patched.fault ? patched : { before: member, after: patched.member };
}
