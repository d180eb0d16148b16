import type { StoredMember } from '../../store/members.ts';

/** A member as a line of an export: what an import reads, and no more than that. */
export function toExportLine({ programmeId, loyaltyId, status, tier, memberLabel, grants }: StoredMember): string {
  // JSON writes a lone surrogate as an escape, so an opaque ID comes back as it was.
  return `${JSON.stringify({ programmeId, loyaltyId, status, tier, memberLabel, grants })}\n`;
}
