import type { Drafts } from '../../../../src/administration/draft.ts';
import type { PricingContext } from '../../../../src/calls/call.ts';
import type { Changes } from '../../../../src/programme/changes.ts';
import type { EnvironmentSource } from '../../../../src/programme/source.ts';
import type { LogLevel } from '../../../../src/settings/log-level.ts';
import type { OpsToken } from '../../../../src/settings/tokens.ts';
import type { Logger } from '../../../../src/telemetry/log.ts';
import type { RefusalNote } from '../../../../src/telemetry/recent-refusals.ts';

/** The roles that may do only what a route says. */
export type NarrowRole = 'vendor' | 'pos';

/** The parts that the administration uses. It runs in the primary and acts for all gateways. */
export interface Administration {
  /** The accepted tokens; when empty, the administration is closed. */
  readonly tokens: readonly OpsToken[];
  readonly log: Logger;
  /** The log of who did what here. It is written at every log level. */
  readonly audit: Logger;
  /** The configuration in force and its store; a reload replaces it between two calls. */
  current(): Current;
  /** The last refusals, newest first. */
  refusals(): readonly RefusalNote[];
  /** What became of a request that was answered or refused here a short while ago. Never rejects. */
  findRequest(requestId: string): Promise<FoundRequest>;
  /** Sets the level of the log in every process, also in those that start later. A restart brings `LOG_LEVEL` back. */
  setLogLevel(level: LogLevel): void;
  /** Checks and prices drafts of the configuration, apart from everything that answers calls. */
  readonly drafts: Drafts;
  /** Prices recorded baskets by a draft, as `npm run backtest` does. Undefined where nothing is recorded. */
  readonly backtest: ((draft: EnvironmentSource) => Promise<Backtest>) | undefined;
  /** Reads configuration and secrets again, in every process. Never throws. */
  reload(cause: ReloadCause): Promise<ReloadOutcome>;
}

export type Backtest =
  | { readonly outcome: 'done'; readonly report: string }
  /** `refused`: the draft or the records cannot be used; `unavailable`: not now; `conflict`: there is nothing to try it on. */
  | { readonly outcome: 'not done'; readonly kind: 'refused' | 'unavailable' | 'conflict'; readonly reason: string };

/** A request of the last ones, by its ID. Both are undefined when nothing is known of it. */
export interface FoundRequest {
  /** The calculation that an answered call named. */
  readonly calculationId?: string | undefined;
  readonly refusal?: RefusalNote | undefined;
}

export interface Current extends PricingContext {
  /** The text that the configuration was read from. */
  readonly source: EnvironmentSource;
  /** Signing secrets that are active now. */
  readonly secretCount: number;
}

/** The origin of a reload, for the log. */
export type ReloadCause = 'signal' | 'file change' | 'administration' | 'retry';

export type ReloadOutcome =
  | ({ readonly outcome: 'reloaded'; readonly configuration: string } & Changes)
  /** The old configuration stays in force in every process. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** Some processes have reloaded; `reason` names the others. */
  | { readonly outcome: 'incomplete'; readonly configuration: string; readonly reason: string };
