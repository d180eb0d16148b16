import type { CallContext } from '../calls/call.ts';
import type { RedisAddress } from '../redis/address.ts';
import type { Connection } from '../redis/connection.ts';
import type { Settings } from '../settings.ts';
import type { DataGuard } from '../store/data-guard.ts';
import type { Tokens } from '../store/tokens.ts';
import type { CallMetrics } from '../telemetry/call-metrics.ts';
import type { Latest } from '../telemetry/latest.ts';
import type { ServiceLog } from '../telemetry/log.ts';
import type { RecentRefusals } from '../telemetry/recent-refusals.ts';
import type { PricingPool } from '../threads/pricing-pool.ts';
import type { DescriptorWatch } from './descriptor-watch.ts';
import type { CompiledConfiguration } from './given-configuration.ts';
import type { Lifetime } from './lifetime.ts';
import type { Recorder } from './recorder.ts';

/** The configuration in force, and what calls use under it. */
interface InForce {
  readonly configuration: CompiledConfiguration;
  readonly calls: CallContext;
}

/** The open parts of a gateway, as its later steps need them. */
export interface GatewayParts {
  readonly settings: Settings;
  readonly lifetime: Lifetime;
  readonly log: ServiceLog;
  readonly redis: RedisAddress;
  readonly connection: Connection;
  readonly metrics: CallMetrics;
  readonly refusals: RecentRefusals;
  /** The calculations of the last answered requests by request ID: a caller names a request, and each attempt has its own ID. */
  readonly recentCalls: Latest<string>;
  readonly descriptorWatch: DescriptorWatch;
  readonly recorder: Recorder | undefined;
  readonly guard: DataGuard;
  readonly tokens: Tokens;
  readonly pool: PricingPool;
  /** A reload replaces it between two calls. */
  inForce: InForce;
}
