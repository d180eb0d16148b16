import { findRestartedLimits, missingFrom } from './restarted-limits.ts';
import type { EnvironmentFile } from './schema.ts';

/**
 * The effects of a new configuration that its author may not have meant. A file that was cut off is often still valid, and
 * then it is a configuration with less in it. A list without entries is left out.
 */
export interface Changes {
  /** Limits that begin anew, because what names their counter has changed; a sentence each. */
  readonly restartedLimits?: readonly string[];
  /** Benefits that guests do not get any more, each as `programmeId benefitId`. */
  readonly removedBenefits?: readonly string[];
  /** Venues whose baskets are refused from now on, by their venueId. */
  readonly removedVenues?: readonly string[];
}

type Compared = Pick<EnvironmentFile, 'programmes' | 'venues'>;

/** Compares the configuration in force with the one that takes its place. */
export function findChanges(before: Compared, after: Compared): Changes {
  const restartedLimits = findRestartedLimits(before.programmes, after.programmes);
  const removedBenefits = missingFrom(before.programmes, after.programmes).map(
    ({ programmeId, benefit }) => `${programmeId} ${benefit.benefitId}`,
  );
  const venues = new Set(after.venues.map(({ venueId }) => venueId));
  const gone = before.venues.map(({ venueId }) => venueId).filter((venueId) => !venues.has(venueId));
  // A venue may have several entries.
  const removedVenues = [...new Set(gone)];
  return {
    ...(restartedLimits.length > 0 && { restartedLimits }),
    ...(removedBenefits.length > 0 && { removedBenefits }),
    ...(removedVenues.length > 0 && { removedVenues }),
  };
}
