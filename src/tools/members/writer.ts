import { type Fault, show } from '../../programme/configuration-error.ts';
import { noteOwnMembers } from '../../store/dataset.ts';
import { memberToken } from '../../store/keys.ts';
import { changeMember } from '../../store/member-changes.ts';
import { type MemberSnapshot, readMember, type StoredMember } from '../../store/members.ts';
import type { Store } from '../../store/store.ts';
import { applyPatch, type MemberPatch, type Patched, type PatchRules, replaceBy } from './patch.ts';

/** A row's member before and after; `known` is false where nobody could look at what is stored. */
export type Written =
  | { readonly known: true; readonly before: StoredMember | undefined; readonly after: StoredMember }
  | { readonly known: false }
  | { readonly fault: NonNullable<Patched['fault']> };

/** Writes rows in order. Safe to repeat. */
export type MemberWriter = (patches: readonly MemberPatch[]) => Promise<Written[]>;

export interface WriterOptions extends PatchRules {
  readonly isReplacing: boolean;
}

type Patching = (patch: MemberPatch, stored: StoredMember | undefined) => Patched;

function patchingOf({ isReplacing, ...rules }: WriterOptions): Patching {
  const patch = isReplacing ? replaceBy : applyPatch;
  return (row, stored) => patch(row, stored, rules);
}

/** Writes members into Redis. Rows of one member follow each other, because its changes wait for one another. */
export function createWriter(store: Store, options: WriterOptions): MemberWriter {
  const patching = patchingOf(options);
  return async (patches) => {
    const written = await Promise.all(patches.map((patch) => writeOne(store, patch, patching)));
    await noteOwnMembers(store);
    return written;
  };
}

async function writeOne(store: Store, patch: MemberPatch, patching: Patching): Promise<Written> {
  let before: StoredMember | undefined;
  const change = await changeMember<Written>(store, patch, (stored, mergedInto) => {
    before = stored;
    if (mergedInto !== undefined) return { outcome: 'refuse', refusal: { fault: mergedFault(patch, mergedInto) } };
    const patched = patching(patch, stored);
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
export function createRehearsal(store: Store | undefined, options: WriterOptions): MemberWriter {
  const patching = patchingOf(options);
  return async (patches) => {
    const stored = new Map<string, StoredMember | undefined>();
    const merged = new Map<string, string>();
    const read = async (from: Store, patch: MemberPatch): Promise<void> => {
      const { member, mergedInto } = await readStored(from, patch);
      stored.set(nameOf(patch), member);
      if (mergedInto !== undefined) merged.set(nameOf(patch), mergedInto);
    };
    if (store) await Promise.all(patches.map((patch) => read(store, patch)));
    return patches.map((patch): Written => {
      const before = stored.get(nameOf(patch));
      const mergedInto = merged.get(nameOf(patch));
      if (mergedInto !== undefined) return { fault: mergedFault(patch, mergedInto) };
      // Without Redis a row that leaves the status out may be one of a stored member.
      const patched = patching(store ? patch : { status: 'active', ...patch }, before);
      if (patched.fault) return { fault: patched.fault };
      stored.set(nameOf(patch), patched.member);
      return store ? { known: true, before, after: patched.member } : { known: false };
    });
  };
}

function nameOf({ programmeId, loyaltyId }: MemberPatch): string {
  return memberToken(programmeId, loyaltyId);
}

function readStored(store: Store, { programmeId, loyaltyId }: MemberPatch): Promise<MemberSnapshot> {
  const token = memberToken(programmeId, loyaltyId);
  return readMember(store, { token, programmeId, loyaltyId }, false);
}
