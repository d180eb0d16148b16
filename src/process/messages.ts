import type { MetricObject } from 'prom-client';
import type { FoundRequest } from '../../packages/console/src/admin/administration.ts';
import type { ReadConfiguration } from '../programme/load.ts';
import type { LogLevel } from '../settings/log-level.ts';
import type { Build } from '../telemetry/build.ts';
import type { RefusalNote } from '../telemetry/recent-refusals.ts';

/** The configuration in force and the active secrets, as the primary gives them to every gateway. */
export interface GivenConfiguration extends ReadConfiguration {
  /** The build that has checked it. */
  readonly build: Build;
  readonly secrets: readonly Uint8Array[];
}

/** Messages from the primary to a gateway. */
export type PrimaryMessage =
  /** The first message: what the gateway starts with. */
  | { readonly kind: 'start'; readonly configuration: GivenConfiguration }
  /** Whether the gateway takes new connections. */
  | { readonly kind: 'listen'; readonly isWanted: boolean }
  | { readonly kind: 'log level'; readonly level: LogLevel }
  /** Another gateway has taken its place: it ends when its connections have gone over. */
  | { readonly kind: 'retire' }
  | (Question & { readonly id: number });

/** A question to a gateway. It is sent with an ID, and the answer has the same kind and ID. */
export type Question =
  /** Asks for the state and the metrics as they are now, which come before the answer. */
  | { readonly kind: 'report' }
  /** Puts a configuration in force. */
  | { readonly kind: 'configuration'; readonly configuration: GivenConfiguration }
  /** Asks what became of a request in the gateway. */
  | { readonly kind: 'find request'; readonly requestId: string };

/** The state of a gateway that has started. */
export interface GatewayState {
  readonly isListening: boolean;
  /** Checks that are red, by name. */
  readonly red: Readonly<Record<string, string>>;
  readonly facts: Readonly<Record<string, string>>;
  readonly build: Build;
}

/** Answers to questions. A `reason` says why the configuration before stays in force. */
export type Answer =
  | { readonly kind: 'report'; readonly id: number }
  | { readonly kind: 'configuration'; readonly id: number; readonly reason?: string }
  | ({ readonly kind: 'find request'; readonly id: number } & FoundRequest);

/** The answer to a question, by its kind. */
export type AnswerTo<Asked extends Question> = Extract<Answer, { readonly kind: Asked['kind'] }>;

/** Messages from a gateway to the primary. */
export type GatewayMessage =
  /** A sign of life while the gateway starts. */
  | { readonly kind: 'alive' }
  /** `metrics` are sent when they are asked for, and at the end; `refusals`, the last ones, only after they have changed. */
  | {
      readonly kind: 'state';
      readonly state: GatewayState;
      readonly metrics?: readonly MetricObject[];
      readonly refusals?: readonly RefusalNote[];
    }
  | Answer;

/** How often a gateway reports. */
export const REPORT_INTERVAL_MS = 250;

/**
 * A descriptor of the lease on the service's own Redis, which a gateway inherits after its channel: while a gateway lives its Redis
 * is used, also when the primary was killed.
 */
export const LEASE_DESCRIPTOR = 4;
