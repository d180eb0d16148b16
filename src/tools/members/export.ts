import { endedBenefits, type GrantableBenefits } from '../../programme/member-check.ts';
import type { StoredMember } from '../../store/members.ts';

/**
 * Renders a member as a line of an export, with exactly the fields that an import reads. `ended` names the benefits of its
 * grants that the configuration no longer has, so that they read back into an empty Redis.
 */
export function toExportLine(member: StoredMember, grantable: GrantableBenefits): string {
  const { programmeId, loyaltyId, status, tier, memberLabel, grants } = member;
  const ended = grantable.has(programmeId) ? endedBenefits(programmeId, grants, grantable) : [];
  const line = { programmeId, loyaltyId, status, tier, memberLabel, grants, ...(ended.length > 0 && { ended }) };
  // JSON escapes a lone surrogate, so an opaque ID is restored exactly.
  return `${JSON.stringify(line)}\n`;
}
