import { createReadStream } from 'node:fs';
import type { Member } from '../../pricing/types.ts';
import { checkMemberShape } from '../../programme/member-check.ts';
import { findEncodingError } from '../../programme/text-encoding.ts';
import { readLines } from '../ndjson/read-lines.ts';
import { type MemberDirectory, memberKey } from './rehearse.ts';

/**
 * Loads all members of an export (`npm run members -- export`) into memory. Grants are not checked against a programme,
 * because the draft may add benefits, and campaigns end. Throws with the line of the first fault.
 */
export async function loadMembers(file: string): Promise<MemberDirectory> {
  const members = new Map<string, Member>();
  for await (const lines of readLines(createReadStream(file))) {
    for (const { number, bytes } of lines) {
      if (bytes?.length === 0) continue;
      const error = bytes && findEncodingError(bytes);
      if (error) throw new Error(`${file}:${number}: found ${error.found}, allowed: ${error.allowed}`);
      const { ended: _, ...value } = parse(bytes);
      const fault = checkMemberShape(value, '');
      if (fault) throw new Error(`${file}:${number}: ${fault.path} found ${fault.found}, allowed: ${fault.allowed}`);
      const member = value as unknown as Member;
      members.set(memberKey(member.programmeId, member.loyaltyId), { ...member, grants: member.grants ?? [] });
    }
  }
  return members;
}

/** Returns an empty mapping for an unreadable line, which the check then refuses. */
function parse(bytes: Buffer | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes?.toString('utf8') ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
