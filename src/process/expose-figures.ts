import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Registry } from 'prom-client';
import type { PublicServer } from '../gateway/server.ts';
import { REDIS_CAUSES } from '../redis/cause.ts';
import type { Connection } from '../redis/connection.ts';
import { SETTING_STATES, SETTINGS } from '../redis/server-checks.ts';
import type { RedisWatch } from '../redis/watch.ts';
import { buildOf } from '../telemetry/build.ts';
import { createRegistry } from '../telemetry/exposition.ts';
import type { PricingPool } from '../threads/pricing-pool.ts';
import type { CostKeeper } from './cost-keeper.ts';
import type { Parts } from './parts.ts';
import type { Watches } from './watches.ts';

/** The parts whose state is read beside those of the process. */
interface Watched extends Watches {
  readonly costs: CostKeeper;
  readonly pool: PricingPool;
  readonly server: PublicServer;
}

/** Opens the registry of a gateway's metrics, which reads the state of the parts at each report. */
export function exposeFigures(
  parts: Parts,
  { costs, pool, server, redisWatch, settingsWatch, dataWatch }: Watched,
): () => Registry {
  const { connection, descriptorWatch, metrics } = parts;
  const { tls } = parts.settings;
  // Read once, as the listener reads it.
  const certificateEndsMs = tls && new X509Certificate(readFileSync(tls.certFile)).validToDate.getTime();
  const build = buildOf(parts.settings);
  const registry = createRegistry(metrics, costs.costs, () => ({
    budget: parts.calls.environment.latencyBudget,
    admission: server.admission.state,
    uploads: server.uploads.state,
    pool: pool.state,
    isRedisUp: connection.isAvailable,
    redisCause: redisWatch.trouble?.cause,
    redisCauses: REDIS_CAUSES,
    redisMasters: mastersOf(connection, redisWatch),
    redisSettings: SETTINGS.map((setting) => ({ setting, state: settingsWatch.stateOf(setting) })),
    settingStates: SETTING_STATES,
    isDataGone: dataWatch.isGone,
    limitsLocally: parts.tokens.isLocal,
    redis: connection.figures,
    logLosses: parts.log.losses(),
    descriptors: descriptorWatch.descriptors,
    certificateEndsMs,
    environment: parts.calls.environment.name,
    configuration: parts.calls.environment.version,
    build,
  }));
  return () => registry;
}

/** A server that is alone is up or down with its connection. */
function mastersOf(connection: Connection, { masters, trouble }: RedisWatch) {
  if (!connection.isCluster) return [{ server: 'only', isUp: connection.isAvailable && !trouble }];
  return masters.map(({ server, trouble: own }) => ({ server, isUp: connection.isAvailable && !own }));
}
