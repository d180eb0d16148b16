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
import { findServerFaults } from './store/server-checks.ts';
import type { Store } from './store/store.ts';
import { type Logger, openLog } from './telemetry/log.ts';

/** Composition root: settings → Redis → pool → gateway → operations, and the way down in reverse. */

const DRAIN_PATIENCE_MS = 4000;

try {
  await start();
} catch (error) {
  // One line that says what to mend; a stack would bury it.
  process.stderr.write(`loyalty: ${(error as Error).message}\n`);
  process.exit(1);
}

async function start(): Promise<void> {
  const settings = readSettings();
  const environmentText = readFileSync(settings.environmentFile, 'utf8');
  const environment = loadEnvironment(environmentText, settings.environmentFile);
  const { secrets, secretFile } = chooseSecrets(settings, environment);
  const { log, close: closeLog } = await openLog({ level: settings.logLevel, dir: settings.logDir });

  const managed = settings.redis
    ? undefined
    : await startManagedRedis(settings.dataDir, settings.searchPath, (reason) => log.warn({ reason }, 'managed redis'));
  const redis = settings.redis ?? managed?.address;
  if (redis === undefined) throw new Error('There is neither a REDIS_URL nor a managed Redis.');
  const connection = new Connection(redis, 'loyalty-gateway');
  const store = { connection, keys: createKeys(environment.name), periods: environment.calculation };
  watchRedis(store, environment, log);

  const sweeper = new ExpirySweeper(
    store,
    (count) => log.info({ count }, 'calculations expired'),
    (error) => log.error({ fault: error.stack }, 'expiry sweep'),
  );

  const workerData = {
    environmentText,
    environmentSource: settings.environmentFile,
    redis,
    repairDir: join(settings.dataDir, 'repair'),
  };
  const pool = new PricingPool(settings.workers, workerData, (error) =>
    log.error({ fault: error.stack }, 'worker thread'),
  );
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
    redis: () => connection.unavailableReason,
    workers: () => (pool.isReady ? undefined : 'threads are not ready'),
    admission: () => (gateway.admission.isDraining ? 'draining' : undefined),
  });

  const port = await gateway.listen(settings.host, settings.port);
  const opsPort = await ops.listen(settings.opsHost, settings.opsPort);
  const baseUrl = `${settings.tls ? 'https' : 'http'}://${bracket(settings.host)}:${port}`;
  const opsUrl = `http://${bracket(settings.opsHost)}:${opsPort}`;
  log.info(
    { baseUrl, opsUrl, environment: environment.name, configuration: environment.version, workers: settings.workers },
    'listening',
  );
  if (environment.name === 'staging') process.stdout.write(startupBanner({ baseUrl, opsUrl, secretFile }));

  const stop = async (signal: string): Promise<void> => {
    log.info({ signal }, 'draining');
    await gateway.drain(DRAIN_PATIENCE_MS);
    await pool.close();
    await ops.close();
    sweeper.stop();
    connection.close();
    await managed?.stop();
    log.info('stopped');
    await closeLog();
    process.exit(0);
  };
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      void stop(signal);
    });
  }
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
