import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CallLog } from './gateway/call-log.ts';
import { observeCall } from './gateway/call-observer.ts';
import { Gateway } from './gateway/server.ts';
import { OpsServer } from './ops/server.ts';
import { type PoolWork, PricingPool } from './pool/pricing-pool.ts';
import { type Environment, loadEnvironment } from './programme/environment.ts';
import { loadSecrets } from './secrets.ts';
import { readSettings, type Settings } from './settings.ts';
import { startupBanner } from './startup-banner.ts';
import { Connection } from './store/connection.ts';
import { ExpirySweeper } from './store/expiry-sweeper.ts';
import { createKeys } from './store/keys.ts';
import { startManagedRedis } from './store/managed-redis.ts';
import { writeMembers } from './store/members.ts';
import type { RedisAddress } from './store/redis-address.ts';
import { findServerFaults } from './store/server-checks.ts';
import type { Store } from './store/store.ts';
import { CallMetrics } from './telemetry/call-metrics.ts';
import { createRegistry } from './telemetry/exposition.ts';
import { type Logger, openLog } from './telemetry/log.ts';
import { createRunner } from './worker/thread.ts';

/** Composition root: settings → Redis → pool → gateway → operations, and the way down in reverse. */

const DRAIN_PATIENCE_MS = 4000;

/** What is open, in the order it was opened; closed in reverse, whether the start failed or the service is told to stop. */
const open: (() => unknown)[] = [];

try {
  await start();
} catch (error) {
  // One line that says what to mend; a stack would bury it.
  process.stderr.write(`loyalty: ${(error as Error).message}\n`);
  await closeAll();
  process.exit(1);
}

/** What a reload replaces, all at once. */
interface Current extends Configuration {
  readonly store: Store;
}

async function start(): Promise<void> {
  const settings = readSettings();
  const loaded = loadConfiguration(settings);
  const { log, close: closeLog } = await openLog({ level: settings.logLevel, dir: settings.logDir });
  open.push(closeLog);
  process.stdout.on('error', () => {
    // The banner and nothing else is written here: a full disk must not end the service for it.
  });

  const redis = settings.redis ?? (await openManagedRedis(settings, log));
  const connection = new Connection(redis, 'loyalty-gateway');
  open.push(() => connection.close());
  const compose = (configuration: Configuration): Current => ({
    ...configuration,
    store: {
      connection,
      keys: createKeys(configuration.environment.name),
      periods: configuration.environment.calculation,
    },
  });
  let current = compose(loaded);
  watchRedis(connection, () => current, log);

  const toWork = ({ environmentText, environment, store }: Current): PoolWork => {
    const repairDir = join(settings.dataDir, 'repair');
    return {
      workerData: { environmentText, environmentSource: settings.environmentFile, redis, repairDir },
      runInline: createRunner({ environment, store, repairDir }),
    };
  };
  const onThreadFault = (error: Error) => log.error({ fault: error.stack }, 'worker thread');
  const pool = new PricingPool(settings, toWork(current), onThreadFault);
  open.push(() => pool.close());
  await pool.start();

  const metrics = new CallMetrics();
  startSweeper(() => current.store, metrics, log);
  const callLog = new CallLog(log);
  open.push(() => callLog.close());
  const gateway = new Gateway({
    pool,
    tls: settings.tls,
    store: () => current.store,
    credentials: () => ({ secrets: current.secrets, bearerTokens: settings.bearerTokens }),
    rateLimit: () => current.environment.rateLimit,
    deadlineMs: () => current.environment.latencyBudget.deadlineMs,
    p95BudgetMs: () => current.environment.latencyBudget.p95Ms,
    onFault: (call, fault) => log.error({ requestId: call.requestId, fault }, 'fault'),
    onCallEnd: (record, call, end) => {
      callLog.write(record, call, end);
      observeCall(metrics, record, call, end);
    },
  });
  const registry = createRegistry(metrics, () => ({
    budget: current.environment.latencyBudget,
    admission: gateway.admission.state,
    pool: pool.state,
    isRedisUp: connection.isAvailable,
    environment: current.environment.name,
    configuration: current.environment.version,
  }));
  const checks = {
    redis: () => connection.unavailableReason,
    workers: () => (pool.isReady ? undefined : 'threads are not ready'),
    admission: () => (gateway.admission.isDraining ? 'draining' : undefined),
  };
  const ops = new OpsServer(checks, registry);
  const opsPort = await ops.listen(settings.opsHost, settings.opsPort);
  open.push(() => ops.close());
  const port = await gateway.listen(settings.host, settings.port);
  open.push(() => gateway.drain(DRAIN_PATIENCE_MS));

  const baseUrl = `${settings.tls ? 'https' : 'http'}://${bracket(settings.host)}:${port}`;
  const opsUrl = `http://${bracket(settings.opsHost)}:${opsPort}`;
  const { name, version } = loaded.environment;
  log.info({ baseUrl, opsUrl, environment: name, configuration: version, workers: settings.workers }, 'listening');
  const { stagingFile } = loaded;
  if (name === 'staging') process.stdout.write(startupBanner({ baseUrl, opsUrl, secretFile: stagingFile }));

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal, log));
  onSighup(log, async () => {
    const next = loadConfiguration(settings);
    if (next.environment.name !== name)
      throw new Error(`the environment cannot become ${next.environment.name} while it runs`);
    const replacement = compose(next);
    // New threads cost a second of a core: a rotation of secrets alone needs none.
    if (next.environmentText !== current.environmentText) await pool.replace(toWork(replacement));
    current = replacement;
    await writeMembers(current.store, next.environment.members);
    return next.environment.version;
  });
}

interface Configuration {
  readonly environmentText: string;
  readonly environment: Environment;
  readonly secrets: readonly Uint8Array[];
  readonly stagingFile: string | undefined;
}

/** Reads and checks the environment's file and the secrets. Throws with one line that says what to mend. */
function loadConfiguration(settings: Settings): Configuration {
  const environmentText = readFileSync(settings.environmentFile, 'utf8');
  const environment = loadEnvironment(environmentText, settings.environmentFile);
  return { environmentText, environment, ...loadSecrets(settings, environment.name) };
}

/** Reloads one after the other: a second signal during a reload means that something has changed again. */
function onSighup(log: Logger, reload: () => Promise<string>): void {
  let last = Promise.resolve();
  process.on('SIGHUP', () => {
    last = last.then(reload).then(
      (configuration) => log.info({ configuration }, 'reloaded'),
      (error: Error) => log.error({ reason: error.message }, 'reload refused, the old configuration stays'),
    );
  });
}

let isStopping = false;

async function stop(signal: string, log: Logger): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  log.info({ signal }, 'draining');
  await closeAll();
  process.exit(0);
}

async function closeAll(): Promise<void> {
  for (const close of open.reverse()) await close();
}

/** The service's own Redis; ended with the service. */
async function openManagedRedis(settings: Settings, log: Logger): Promise<RedisAddress> {
  const onRestart = (reason: string) => log.warn({ reason }, 'managed redis');
  const managed = await startManagedRedis(settings.dataDir, settings.searchPath, onRestart);
  open.push(() => managed.stop());
  return managed.address;
}

function startSweeper(store: () => Store, metrics: CallMetrics, log: Logger): void {
  const onExpired = (count: number) => {
    metrics.add('expired', count);
    log.info({ count }, 'calculations expired');
  };
  const sweeper = new ExpirySweeper(store, onExpired, (error) => log.error({ fault: error.stack }, 'expiry sweep'));
  open.push(() => sweeper.stop());
}

/** Tells a Redis that came (back) of the members in the configuration file, and the log of what there is to know of it. */
function watchRedis(connection: Connection, current: () => Current, log: Logger): void {
  connection.on('ready', async () => {
    log.info('redis ready');
    try {
      await writeMembers(current().store, current().environment.members);
      for (const fault of await findServerFaults(connection)) log.warn({ fault }, 'redis settings');
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'redis not prepared');
    }
  });
  connection.on('down', (reason) => log.warn({ reason }, 'redis down'));
}

function bracket(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
