import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { logCall } from './gateway/call-log.ts';
import { Gateway } from './gateway/server.ts';
import { OpsServer } from './ops/server.ts';
import { PricingPool } from './pool/pricing-pool.ts';
import { type Environment, loadEnvironment } from './programme/environment.ts';
import { readSettings, type Settings, SettingsError } from './settings.ts';
import { loadStagingSecrets } from './staging-secrets.ts';
import { startupBanner } from './startup-banner.ts';
import { Connection } from './store/connection.ts';
import { ExpirySweeper } from './store/expiry-sweeper.ts';
import { createKeys } from './store/keys.ts';
import { startManagedRedis } from './store/managed-redis.ts';
import { writeMembers } from './store/members.ts';
import type { RedisAddress } from './store/redis-address.ts';
import { findServerFaults } from './store/server-checks.ts';
import type { Store } from './store/store.ts';
import { type Logger, openLog } from './telemetry/log.ts';

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

async function start(): Promise<void> {
  const settings = readSettings();
  const environmentText = readFileSync(settings.environmentFile, 'utf8');
  const environment = loadEnvironment(environmentText, settings.environmentFile);
  const { secrets, secretFile } = chooseSecrets(settings, environment);
  const { log, close: closeLog } = await openLog({ level: settings.logLevel, dir: settings.logDir });
  open.push(closeLog);

  const redis = settings.redis ?? (await openManagedRedis(settings, log));
  const store = openStore(redis, environment, log);
  const workerData = {
    environmentText,
    environmentSource: settings.environmentFile,
    redis,
    repairDir: join(settings.dataDir, 'repair'),
  };
  const onThreadFault = (error: Error) => log.error({ fault: error.stack }, 'worker thread');
  const pool = new PricingPool(settings.workers, workerData, onThreadFault);
  open.push(() => pool.close());
  await pool.start();

  const gateway = new Gateway({
    store,
    pool,
    tls: settings.tls,
    credentials: () => ({ secrets, bearerTokens: settings.bearerTokens }),
    rateLimit: () => environment.rateLimit,
    deadlineMs: () => environment.latencyBudget.deadlineMs,
    onFault: (call, fault) => log.error({ requestId: call.requestId, fault }, 'fault'),
    onCallEnd: (record, call, end) => logCall(log, record, call, end),
  });
  const ops = new OpsServer({
    redis: () => store.connection.unavailableReason,
    workers: () => (pool.isReady ? undefined : 'threads are not ready'),
    admission: () => (gateway.admission.isDraining ? 'draining' : undefined),
  });
  const opsPort = await ops.listen(settings.opsHost, settings.opsPort);
  open.push(() => ops.close());
  const port = await gateway.listen(settings.host, settings.port);
  open.push(() => gateway.drain(DRAIN_PATIENCE_MS));

  const baseUrl = `${settings.tls ? 'https' : 'http'}://${bracket(settings.host)}:${port}`;
  const opsUrl = `http://${bracket(settings.opsHost)}:${opsPort}`;
  const { name, version } = environment;
  log.info({ baseUrl, opsUrl, environment: name, configuration: version, workers: settings.workers }, 'listening');
  if (name === 'staging') process.stdout.write(startupBanner({ baseUrl, opsUrl, secretFile }));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal, log));
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

function openStore(redis: RedisAddress, environment: Environment, log: Logger): Store {
  const connection = new Connection(redis, 'loyalty-gateway');
  open.push(() => connection.close());
  const store = { connection, keys: createKeys(environment.name), periods: environment.calculation };
  watchRedis(store, environment, log);
  const sweeper = new ExpirySweeper(
    store,
    (count) => log.info({ count }, 'calculations expired'),
    (error) => log.error({ fault: error.stack }, 'expiry sweep'),
  );
  open.push(() => sweeper.stop());
  return store;
}

/** Production never runs on a secret that it made up itself. */
function chooseSecrets(
  settings: Settings,
  environment: Environment,
): { secrets: readonly Uint8Array[]; secretFile: string | undefined } {
  if (settings.secrets.length > 0) return { secrets: settings.secrets, secretFile: undefined };
  if (environment.name === 'production') {
    throw new SettingsError(
      'LOYALTY_SECRETS',
      'nothing',
      'at least one secret of 32 bytes or more in production, hex or base64',
    );
  }
  const { secrets, file } = loadStagingSecrets(settings.dataDir);
  return { secrets, secretFile: file };
}

/** Tells a Redis that came (back) of the members in the configuration file, and the log of what there is to know of it. */
function watchRedis(store: Store, environment: Environment, log: Logger): void {
  store.connection.on('ready', async () => {
    log.info('redis ready');
    try {
      await writeMembers(store, environment.members);
      for (const fault of await findServerFaults(store.connection)) log.warn({ fault }, 'redis settings');
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'redis not prepared');
    }
  });
  store.connection.on('down', (reason) => log.warn({ reason }, 'redis down'));
}

function bracket(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
