import { type Refusal, refuse } from '../contract/errors.ts';
import type { LocatedFault } from '../programme/configuration-error.ts';
import { inspectEnvironment, type LocatedWarning } from '../programme/inspect.ts';
import { loadEnvironmentFrom } from '../programme/load.ts';
import type { EnvironmentSource } from '../programme/source.ts';
import type { MemberSnapshot } from '../store/members.ts';
import { type Explained, type ExplainedBasket, explainPrice } from './dry-run.ts';
import { findRefusal } from './situation.ts';

/**
 * Prices a basket with a draft of the configuration, which is never put in force. A draft may be large, and its benefits
 * hard to choose among, so this runs in a thread of its own (threads/draft-pricer.ts).
 */

/** The work of the thread. Plain data. */
export interface DraftTask extends ExplainedBasket {
  readonly source: EnvironmentSource;
  /** The day that decides which campaigns of the draft have ended, `2026-11-21`. */
  readonly today: string;
  readonly repairDir: string;
}

export type DraftAnswer =
  | { readonly kind: 'unusable'; readonly faults: readonly LocatedFault[] }
  | { readonly kind: 'priced'; readonly explained: Explained; readonly warnings: readonly LocatedWarning[] };

/** A draft that was not priced after all: another one is under way, or it took too long. */
export interface DraftGivenUp {
  readonly kind: 'given_up';
  readonly reason: string;
}

/** Prices a draft. `readMember` reads the member as the draft's programme knows it. Throws what `readMember` throws. */
export type PriceDraft = (
  task: DraftTask,
  readMember: (programmeId: string) => Promise<MemberSnapshot>,
) => Promise<DraftAnswer | DraftGivenUp>;

/** Checks and prices a draft in this thread. */
export async function priceDraft(
  { source, today, repairDir, ...asked }: DraftTask,
  readMember: (programmeId: string) => Promise<MemberSnapshot>,
): Promise<DraftAnswer> {
  const { faults, warnings } = inspectEnvironment(source, today);
  if (faults.length > 0) return { kind: 'unusable', faults };
  const environment = loadEnvironmentFrom(source);
  const { basket } = asked;
  const venue = environment.findVenue(basket.context.venueId, basket.context.baxId);
  const refusal: Refusal | undefined = findRefusal(basket, venue, asked.addsUp);
  if (refusal || !venue) {
    return {
      kind: 'priced',
      explained: { kind: 'refusal', refusal: refusal ?? refuse('venue_not_configured') },
      warnings,
    };
  }
  const snapshot = await readMember(venue.programme.programmeId);
  return { kind: 'priced', explained: explainPrice({ environment, repairDir }, asked, venue, snapshot), warnings };
}
