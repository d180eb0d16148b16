import type { StoredMember } from '../../store/members.ts';

/** Renders a member as a line of an export, with exactly the fields that an import reads. */
export function toExportLine({ programmeId, loyaltyId, status, tier, memberLabel, grants }: StoredMember): string {
  // JSON escapes a lone surrogate, so an opaque ID is restored exactly.
  return `${JSON.stringify({ programmeId, loyaltyId, status, tier, memberLabel, grants })}\n`;
}
