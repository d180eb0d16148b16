import { createReadStream } from 'node:fs';
import type { Member } from '@loyalty/engine/types';
import { checkMemberShape } from '../../../../src/programme/member-check.ts';
import { readNdjsonRows } from '../members/rows.ts';
import { type MemberDirectory, memberKey } from './rehearse.ts';

/**
 * Loads all members of an export (`npm run members -- export`) into memory. Grants are not checked against a programme,
 * because the draft may add benefits, and campaigns end. Throws with the line of the first fault.
 */
export async function loadMembers(file: string): Promise<MemberDirectory> {
  const members = new Map<string, Member>();
  for await (const rows of readNdjsonRows(createReadStream(file))) {
    for (const { line, value, fault: unreadable } of rows) {
      const { ended: _, ...entry } = Object(value) as Record<string, unknown>;
      const fault = unreadable ?? checkMemberShape(entry, '');
      if (fault)
        throw new Error(
          `${file}:${line}: ${fault.path && `${fault.path} `}found ${fault.found}, allowed: ${fault.allowed}`,
        );
      const member = entry as unknown as Member;
      members.set(memberKey(member.programmeId, member.loyaltyId), { ...member, grants: member.grants ?? [] });
    }
  }
  return members;
}
