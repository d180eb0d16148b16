import { judgeAgainstVenue } from '../calls/read-call.ts';
import type { LocatedFault } from '../programme/configuration-error.ts';
import type { DraftReview, ReviewTask } from '../programme/draft-review.ts';
import { inspectEnvironment } from '../programme/inspect.ts';
import { loadEnvironmentFrom } from '../programme/load.ts';
import type { PriceListAnswer, PriceListTask } from '../programme/price-list.ts';
import type { EnvironmentSource } from '../programme/source.ts';
import type { LocatedWarning } from '../programme/yaml-file.ts';
import { type Explained, type ExplainedBasket, type ExplainedFacts, explainAt } from './dry-run.ts';

/**
 * Prices a basket with a draft of the configuration, which is never put in force. A draft may be large, and its benefits
 * hard to choose among, so this runs in a thread of its own (threads/drafts.ts).
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

/** A draft that was not looked at after all: another one is under way, or it took too long. */
export interface DraftGivenUp {
  readonly kind: 'given_up';
  readonly reason: string;
}

/** What is done with drafts, one at a time, apart from everything that answers calls. */
export interface Drafts {
  /** Prices a basket by a draft. Throws what the reading of `facts` throws. */
  price(task: DraftTask, facts: ExplainedFacts): Promise<DraftAnswer | DraftGivenUp>;
  /** Checks a draft, and compares it with the configuration in force. */
  review(task: ReviewTask): Promise<DraftReview | DraftGivenUp>;
  /** Lists the member prices of a file, or changes them. */
  editPrices(task: PriceListTask): Promise<PriceListAnswer | DraftGivenUp>;
}

/** Checks and prices a draft in this thread. */
export async function priceDraft(
  { source, today, repairDir, ...asked }: DraftTask,
  facts: ExplainedFacts,
): Promise<DraftAnswer> {
  const { faults, warnings } = inspectEnvironment(source, today);
  if (faults.length > 0) return { kind: 'unusable', faults };
  const environment = loadEnvironmentFrom(source);
  const judged = judgeAgainstVenue(environment, asked);
  if (judged.kind === 'refused') {
    return { kind: 'priced', explained: { kind: 'refusal', refusal: judged.refusal }, warnings };
  }
  const explained = await explainAt({ environment, repairDir }, asked, judged.venue, facts);
  return { kind: 'priced', explained, warnings };
}
