import type { WorkerContext } from '../../calls/basket-call.ts';
import type { Logger } from '../../telemetry/log.ts';

/** A token of the administration, and who is meant to have it: the name stands in the log beside every change. */
export interface OpsToken {
  readonly name: string;
  readonly token: string;
}

/** What the administration works with: one process' own, or its supervisor's, which then speaks for all of them. */
export interface Administration {
  /** Who may come in; empty: nobody. */
  readonly tokens: readonly OpsToken[];
  readonly log: Logger;
  /** The configuration in force and its store; a reload replaces it between two calls. */
  current(): Current;
  /** Reads configuration and secrets again, in every process. Throws nothing. */
  reload(cause: ReloadCause): Promise<ReloadOutcome>;
}

export interface Current extends WorkerContext {
  /** Signing secrets that are active now. */
  readonly secretCount: number;
}

/** Who or what asked for a reload, as the log says it. */
export type ReloadCause = 'signal' | 'file change' | 'administration';

export type ReloadOutcome =
  | { readonly outcome: 'reloaded'; readonly configuration: string }
  /** The old configuration stays in force, everywhere. */
  | { readonly outcome: 'refused'; readonly reason: string }
  /** Some processes have taken the new configuration over, these have not. */
  | { readonly outcome: 'incomplete'; readonly configuration: string; readonly reason: string };
