import { join } from 'node:path';
import { createRunner } from '../calls/runner.ts';
import { CallLog } from '../gateway/call-log.ts';
import { noteRefusal, observeCall, observeResult } from '../gateway/call-observer.ts';
import { Gateway, PATHS } from '../gateway/server.ts';
import type { Administration } from '../ops/admin/administration.ts';
import { REDIS_CAUSES } from '../redis/cause.ts';
import { Connection } from '../redis/connection.ts';
import { RedisWatch } from '../redis/watch.ts';
import type { Settings } from '../settings.ts';
import type { Swept } from '../store/expiry.ts';
import { ExpirySweeper } from '../store/expiry-sweeper.ts';
import { createKeys } from '../store/keys.ts';
import { writeMembers } from '../store/members.ts';
import type { Store } from '../store/store.ts';
import { CallMetrics } from '../telemetry/call-metrics.ts';
import { createRegistry } from '../telemetry/exposition.ts';
import { type Logger, openLog } from '../telemetry/log.ts';
import { RecentRefusals } from '../telemetry/recent-refusals.ts';
import { ReloadRecord } from '../telemetry/reload-record.ts';
import { type PoolWork, PricingPool } from '../threads/pricing-pool.ts';
import { type Configuration, loadConfiguration, reloadConfiguration } from './configuration.ts';
import type { Lifetime } from './lifetime.ts';
import type { SupervisorMessage } from './messages.ts';
import { baseUrlOf, openOperations } from './operations.ts';
import { loadOpsTokens } from './ops-tokens.ts';
import { openRecorder } from './recorder.ts';
import { openManagedRedis, prepareRedis } from './redis.ts';
import { lookAt, Reloader, reloadFiles } from './reload.ts';
import { startupBanner } from './startup-banner.ts';
import { VERSION } from './version.ts';

/** What a call is answered from; a reload replaces it between two calls. */
interface Current extends Configuration {
  readonly store: Store;
}

const DRAIN_PATIENCE_MS = 4000;

/** One service process: settings → Redis → pool → gateway → operations, and the way down in reverse. */
export async function runService(settings: Settings, lifetime: Lifetime): Promise<void> {
  const seen = await lookAt(reloadFiles(settings));
  const loaded = loadConfiguration(settings);
  const opsTokens = loadOpsTokens(settings, loaded.environment.name);
  const { log, close: closeLog } = await openLog({ level: settings.logLevel, dir: settings.logDir });
  lifetime.add(() => {
    log.info('stopped');
    return closeLog();
  });
  lifetime.endOnSignals(log);
  if (settings.isSupervised) process.once('disconnect', () => void lifetime.end('supervisor gone', log));
  process.stdout.on('error', () => {
    // The banner and nothing else is written here: a full disk must not end the service for it.
  });

  const redis = settings.redis ?? (await openManagedRedis(settings, lifetime, log));
  const connection = new Connection(redis, 'loyalty-gateway');
  lifetime.add(() => connection.close());
  const compose = (configuration: Configuration): Current => {
    const { name: environment, calculation: periods } = configuration.environment;
    return { ...configuration, store: { connection, keys: createKeys(environment), periods } };
  };
  let current = compose(loaded);
  prepareRedis(connection, () => ({ store: current.store, members: current.environment.members }), log);
  const redisWatch = new RedisWatch(connection, redis, current.store.keys.probe(), log);
  lifetime.add(() => redisWatch.close());

  const metrics = new CallMetrics(PATHS);
  const recorder = await openRecorder(settings, lifetime, metrics, log);
  const recording = recorder && { recording: recorder.options };
  const repairDir = join(settings.dataDir, 'repair');
  const toWork = ({ environmentText, environment, store }: Current): PoolWork => {
    return {
      workerData: { environmentText, environmentSource: settings.environmentFile, redis, repairDir, ...recording },
      runInline: createRunner({ environment, store, repairDir, ...recording }),
    };
  };
  const onThreadFault = (error: Error) => log.error({ fault: error.stack }, 'worker thread');
  const pool = new PricingPool(settings, toWork(current), onThreadFault);
  lifetime.add(() => pool.close());
  await pool.start();

  const refusals = new RecentRefusals();
  lifetime.add(startSweeper(() => current.store, metrics, log));
  const callLog = new CallLog(log);
  lifetime.add(() => callLog.close());
  const gateway = new Gateway({
    pool,
    tls: settings.tls,
    store: () => current.store,
    credentials: () => ({ secrets: current.secrets, bearerTokens: settings.bearerTokens }),
    rateLimit: () => current.environment.rateLimit,
    deadlineMs: () => current.environment.latencyBudget.deadlineMs,
    p95BudgetMs: () => current.environment.latencyBudget.p95Ms,
    onFault: (call, fault) => log.error({ requestId: call.requestId, fault }, 'fault'),
    onResult: (result) => {
      observeResult(metrics, result);
      if (result.kind === 'answer' && result.record !== undefined) recorder?.write(result.record);
    },
    onCallEnd: (record, call, end) => {
      callLog.write(record, call, end);
      observeCall(metrics, record, call, end);
      noteRefusal(refusals, record, call);
    },
  });
  const checks = {
    redis: () => redisWatch.reason,
    workers: () => (pool.isReady ? undefined : 'threads are not ready'),
    admission: () => (gateway.admission.isDraining ? 'draining' : undefined),
  };
  const reloads = new ReloadRecord();
  const registry = createRegistry(metrics, () => ({
    budget: current.environment.latencyBudget,
    admission: gateway.admission.state,
    uploads: gateway.uploads.state,
    pool: pool.state,
    isReady: Object.values(checks).every((check) => check() === undefined),
    isRedisUp: connection.isAvailable,
    redisCause: redisWatch.trouble?.cause,
    redisCauses: REDIS_CAUSES,
    redis: connection.figures,
    reloads,
    environment: current.environment.name,
    configuration: current.environment.version,
    version: VERSION,
  }));
  const port = await gateway.listen(settings.host, settings.port, settings.isSupervised);
  const baseUrl = baseUrlOf(settings, port);
  const { name, version } = loaded.environment;
  const reload = async (): Promise<string> => {
    const next = reloadConfiguration(settings, name);
    const replacement = compose(next);
    // New threads cost a second of a core: a rotation of secrets alone needs none.
    if (next.environmentText !== current.environmentText) await pool.replace(toWork(replacement));
    current = replacement;
    await writeMembers(current.store, next.environment.members).catch((error: Error) => {
      // The new configuration is in force all the same; a Redis that comes back is told of its members.
      log.warn({ reason: error.message }, 'members not written');
    });
    return next.environment.version;
  };
  const apply = async () => ({ outcome: 'reloaded', configuration: await reloads.run(reload) }) as const;
  const reloader = new Reloader({ log, files: reloadFiles(settings), seen, apply });
  const administration: Administration = {
    tokens: opsTokens.tokens,
    log,
    current: () => ({ ...current, repairDir, secretCount: current.secrets.length }),
    reload: (cause) => reloader.run(cause),
  };
  const opsUrl = await openOperations(settings, lifetime, {
    checks,
    registry: () => registry,
    refusals: () => refusals.list,
    administration,
  });
  lifetime.add(() => gateway.drain(DRAIN_PATIENCE_MS));

  const facts = { baseUrl, opsUrl, environment: name, configuration: version, workers: settings.workers };
  log.info(facts, settings.isSupervised ? 'process listening' : 'listening');
  if (name === 'staging' && opsUrl !== undefined) {
    process.stdout.write(
      startupBanner({ baseUrl, opsUrl, secretFile: loaded.stagingFile, opsTokenFile: opsTokens.file }),
    );
  }
  // A supervised process is told by its supervisor, which watches the files for all of them.
  if (settings.isSupervised) process.on('SIGHUP', () => void reloader.run('signal'));
  else lifetime.add(reloader.watch());
  process.on('message', ({ kind }: SupervisorMessage) => {
    if (kind === 'reload refused') reloads.refuse();
  });
}

/** Returns what stops it. */
function startSweeper(store: () => Store, metrics: CallMetrics, log: Logger): () => void {
  const onExpired = ({ expired, holds }: Swept) => {
    metrics.add('expired', expired);
    metrics.add('hold_expired', holds);
    log.info({ count: expired }, 'calculations expired');
  };
  const sweeper = new ExpirySweeper(store, onExpired, (error) => log.error({ fault: error.stack }, 'expiry sweep'));
  return () => sweeper.stop();
}
