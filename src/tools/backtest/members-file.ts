import { createReadStream } from 'node:fs';
import type { Member } from '../../pricing/types.ts';
import { checkMemberShape } from '../../programme/member-check.ts';
import { readLines } from '../ndjson/read-lines.ts';
import { type MemberDirectory, memberKey } from './rehearse.ts';

/**
 * Loads all members of an export (`npm run members -- export`) into memory. Grants are not checked against a programme,
 * because the draft may add benefits. Throws with the line of the first fault.
 */
export async function loadMembers(file: string): Promise<MemberDirectory> {
  const members = new Map<string, Member>();
  for await (const lines of readLines(createReadStream(file))) {
    for (const { number, bytes } of lines) {
      if (bytes?.length === 0) continue;
      const value = parse(bytes);
      const fault = checkMemberShape(value, '');
      if (fault) throw new Error(`${file}:${number}: ${fault.path} found ${fault.found}, allowed: ${fault.allowed}`);
      const member = value as Member;
      members.set(memberKey(member.programmeId, member.loyaltyId), { ...member, grants: member.grants ?? [] });
    }
  }
  return members;
}

/** Returns undefined for an unreadable line, which the check then refuses. */
function parse(bytes: Buffer | undefined): unknown {
  try {
    return JSON.parse(bytes?.toString('utf8') ?? '');
  } catch {
    return undefined;
  }
}
