import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createEventLoopCalls } from '../calls/runner.ts';
import { isHeavyReplay, replayAnswer } from '../calls/stored/stored-answer.ts';
import { warmUp } from '../calls/warm-up.ts';
import { CallLog } from '../gateway/call-log.ts';
import { noteRefusal, observeCall, observeResult } from '../gateway/call-observer.ts';
import { Gateway, PATHS } from '../gateway/server.ts';
import type { Administration } from '../ops/admin/administration.ts';
import { findOpenApiPage } from '../ops/pages/openapi.ts';
import type { OpsSources } from '../ops/server.ts';
import { findChanges } from '../programme/changes.ts';
import { Connection } from '../redis/connection.ts';
import type { Settings } from '../settings.ts';
import { DataGuard } from '../store/data-guard.ts';
import { inspectFormat } from '../store/format.ts';
import { createKeys } from '../store/keys.ts';
import { writeMembers } from '../store/members.ts';
import { CallMetrics } from '../telemetry/call-metrics.ts';
import { createAuditLog } from '../telemetry/log.ts';
import { RecentCalls } from '../telemetry/recent-calls.ts';
import { RecentRefusals } from '../telemetry/recent-refusals.ts';
import { ReloadRecord } from '../telemetry/reload-record.ts';
import { type PoolWork, PricingPool } from '../threads/pricing-pool.ts';
import { type Configuration, loadConfiguration, reloadConfiguration } from './configuration.ts';
import { ConfigurationKeeper } from './configuration-keeper.ts';
import { CostKeeper } from './cost-keeper.ts';
import { openDrafts } from './drafts.ts';
import { exposeFigures } from './expose-figures.ts';
import { obeySignal } from './kept-signals.ts';
import { endWithSupervisor, type Lifetime } from './lifetime.ts';
import { LimitWatch } from './limit-watch.ts';
import type { SupervisorMessage } from './messages.ts';
import { baseUrlOf, openOperations, reportToSupervisor, startSignsOfLife } from './operations.ts';
import { loadOpsTokens } from './ops-tokens.ts';
import type { InForce, Parts } from './parts.ts';
import { startProcessCounter } from './process-counter.ts';
import { openProcessLog } from './process-log.ts';
import { createProfiler } from './profiles.ts';
import { openRecorder } from './recorder.ts';
import { openRedis, untilRedisAnswers } from './redis.ts';
import { nameRedisCause, noteRedisOutcome, redisFacts } from './redis-facts.ts';
import { lookAt, Reloader, reloadFiles } from './reload.ts';
import { ResourceWatch } from './resource-watch.ts';
import { warnOfSecrets } from './secrets.ts';
import { announce } from './startup-banner.ts';
import { startSweeper } from './sweeping.ts';
import { openSystemd } from './systemd.ts';
import { openTracing } from './tracing.ts';
import { buildOf } from './version.ts';
import { openWatches, type Watches } from './watches.ts';

const DRAIN_PATIENCE_MS = 4000;
/** A replaced process answers on open connections for so long: callers keep idle ones for a few seconds, and closing one may lose a call. */
const RETIRE_MS = 6000;

/** Runs one service process: settings → Redis → threads → gateway → operations; it is closed in reverse order. */
export async function runService(settings: Settings, lifetime: Lifetime): Promise<void> {
  if (settings.isSupervised) startSignsOfLife();
  const seen = await lookAt(reloadFiles(settings));
  const loaded = loadConfiguration(settings);
  const opsTokens = loadOpsTokens(settings, loaded.environment.name);
  const parts = await openParts(settings, lifetime, loaded);
  const { log, reloads } = parts;
  warnOfSecrets(settings, loaded.secrets, log);
  const reportReady = openSystemd(settings, lifetime, log);
  const watches = openWatches(parts);
  const { redisWatch, settingsWatch, dataWatch } = watches;
  const keeper = new ConfigurationKeeper(() => parts.inForce, parts.connection, log);
  lifetime.add(() => keeper.close());
  const costs = new CostKeeper(() => parts.inForce, log);
  lifetime.add(() => costs.close());
  const limits = new LimitWatch(() => parts.inForce);
  lifetime.add(() => limits.close());
  const pool = await startPool(parts);
  lifetime.add(startSweeper(() => parts.inForce.store, parts.metrics, log));
  lifetime.add(startProcessCounter(() => parts.inForce.store, settings.processes));
  const gateway = openGateway(parts, pool, costs, watches);
  const checks = {
    redis: () => parts.explainRedis(redisWatch.reason),
    redisSettings: () => settingsWatch.reason,
    data: () => dataWatch.reason,
    workers: () => pool.trouble,
    admission: () => (gateway.admission.isDraining ? 'draining' : undefined),
  };
  if (settings.isSupervised) await untilRedisAnswers(parts.connection);
  const baseUrl = baseUrlOf(settings, await gateway.listen(settings.host, settings.port, settings.isSupervised));

  const apply = async () => {
    const before = parts.inForce.checked.file;
    const configuration = await reloads.run(() => takeOver(parts, pool));
    costs.expectBenefits();
    await keeper.keep();
    return { outcome: 'reloaded', configuration, ...findChanges(before, parts.inForce.checked.file) } as const;
  };
  const reloader = new Reloader({ log, files: reloadFiles(settings), seen, apply });
  const sources: OpsSources = {
    checks,
    facts: {
      ...redisFacts(watches, () => parts.inForce.store),
      descriptors: () => parts.resourceWatch.shortage,
      configuration: () => reloader.refusal,
    },
    build: () => buildOf(settings),
    registry: exposeFigures(parts, { costs, limits, pool, gateway, ...watches, checks }),
    refusals: () => parts.refusals.list,
    administration: administer(parts, opsTokens.tokens, reloader),
  };
  if (settings.isSupervised) reportToSupervisor(lifetime, sources);
  const opsUrl = settings.isSupervised ? undefined : await openOperations(settings, lifetime, sources);
  lifetime.add(() => gateway.drain(DRAIN_PATIENCE_MS));
  const { environment, stagingFile } = parts.inForce;
  announce(settings, log, { environment, baseUrl, opsUrl, secretFile: stagingFile, opsTokenFile: opsTokens.file });
  // The event loop that would send the sign of life is the one that answers calls.
  reportReady(() => true);
  obeySupervisor(parts, reloader, gateway);
}

async function openParts(settings: Settings, lifetime: Lifetime, loaded: Configuration): Promise<Parts> {
  const log = await openProcessLog(settings, lifetime);
  if (settings.isSupervised) endWithSupervisor(lifetime, log);
  const { address: redis, explain: explainRedis } = await openRedis(settings, lifetime, log);
  const connection = new Connection(redis, 'loyalty-gateway', {
    inspect: inspectFormat(createKeys(loaded.environment.name)),
  });
  lifetime.add(() => connection.close());
  const resourceWatch = new ResourceWatch(settings, connection, log);
  lifetime.add(() => resourceWatch.close());
  const metrics = new CallMetrics(PATHS);
  const guard = new DataGuard();
  const recorder = await openRecorder(settings, lifetime, metrics, log);
  const repairDir = join(settings.dataDir, 'repair');
  return {
    ...{ settings, lifetime, log, redis, explainRedis, connection, resourceWatch, metrics, recorder, repairDir },
    refusals: new RecentRefusals(),
    recentCalls: new RecentCalls(),
    reloads: new ReloadRecord(),
    guard,
    inForce: compose(loaded, { connection, guard, recorder, repairDir }),
  };
}

type Composed = Pick<Parts, 'connection' | 'guard' | 'recorder' | 'repairDir'>;

function compose(configuration: Configuration, { connection, guard, recorder, repairDir }: Composed): InForce {
  const { environment } = configuration;
  const store = { connection, keys: createKeys(environment.name), periods: environment.calculation, guard };
  const recording = recorder && { recording: recorder.options };
  return { ...configuration, store, eventLoop: createEventLoopCalls({ environment, store, repairDir, ...recording }) };
}

async function startPool(parts: Parts): Promise<PricingPool> {
  const onThreadFault = (error: Error) => parts.log.error({ fault: error.stack }, 'worker thread');
  const pool = new PricingPool(parts.settings.workers, toWork(parts, parts.inForce), onThreadFault);
  parts.lifetime.add(() => pool.close());
  const started = pool.start();
  // The threads load their code meanwhile.
  warmUp(parts.inForce.environment, parts.repairDir);
  await started;
  return pool;
}

/** The work of the threads under a configuration. */
function toWork({ redis, repairDir, guard, recorder }: Parts, { checked }: InForce): PoolWork {
  const recording = recorder && { recording: recorder.options };
  return { environment: checked, redis, repairDir, dataset: guard.memory, ...recording };
}

function openGateway(parts: Parts, pool: PricingPool, costs: CostKeeper, watches: Watches): Gateway {
  const { redisWatch, settingsWatch } = watches;
  const { lifetime, log, metrics, recentCalls, recorder, refusals, settings } = parts;
  const callLog = new CallLog(log);
  lifetime.add(() => callLog.close());
  const trace = openTracing(settings, lifetime, log, parts.inForce.environment.name);
  return new Gateway({
    runInThread: (task) => pool.run(task),
    eventLoop: () => parts.inForce.eventLoop,
    inlineBytes: settings.inlineBytes,
    tls: settings.tls,
    docsUrl: settings.docsUrl,
    findPublicPage: settings.isDocsPublic
      ? (path) => findOpenApiPage(path, () => parts.inForce.environment)
      : undefined,
    store: () => parts.inForce.store,
    credentials: () => ({ secrets: parts.inForce.secrets, bearerTokens: settings.bearerTokens }),
    rateLimit: () => parts.inForce.environment.rateLimit,
    deadlineMs: () => parts.inForce.environment.latencyBudget.deadlineMs,
    p95BudgetMs: () => parts.inForce.environment.latencyBudget.p95Ms,
    environmentName: () => parts.inForce.environment.name,
    replay: (stored, request) =>
      isHeavyReplay(stored, request) ? pool.replay(stored, request) : replayAnswer(stored, request),
    obstacle: () => settingsWatch.obstacle,
    onFault: (call, fault) => log.error({ requestId: call.requestId, fault }, 'fault'),
    onResult: (result) => {
      observeResult(metrics, result);
      noteRedisOutcome(redisWatch, result);
      if (result.redemption) costs.add(result.redemption);
      if (result.kind === 'answer' && result.record !== undefined) recorder?.write(result.record);
    },
    onCallEnd: (record, call, end) => {
      nameRedisCause(redisWatch, record);
      callLog.write(record, call, end);
      observeCall(metrics, record, call, end);
      noteRefusal(refusals, record, call);
      if (!call.refusal && record.calculationId !== undefined) recentCalls.add(call.requestId, record.calculationId);
      trace?.(record, call, end);
    },
  });
}

/**
 * Reads configuration and secrets again and puts them in force. Returns the configuration's version. When it throws,
 * the old configuration stays.
 */
async function takeOver(parts: Parts, pool: PricingPool): Promise<string> {
  const next = await reloadConfiguration(parts.settings, parts.inForce.environment.name, parts.inForce);
  const replacement = compose(next, parts);
  // New threads cost a second of a core, and a rotation of secrets alone does not need them.
  if (!isDeepStrictEqual(next.source, parts.inForce.source)) await pool.replace(toWork(parts, replacement));
  parts.inForce = replacement;
  warnOfSecrets(parts.settings, next.secrets, parts.log);
  await writeMembers(replacement.store, next.environment.members).catch((error: Error) => {
    // The new configuration is in force all the same; its members are written when Redis is ready again.
    parts.log.warn({ reason: error.message }, 'members not written');
  });
  return next.environment.version;
}

function administer(parts: Parts, tokens: Administration['tokens'], reloader: Reloader): Administration {
  const { log, repairDir } = parts;
  return {
    tokens,
    log,
    audit: createAuditLog(log),
    processes: 1,
    profile: createProfiler(parts.settings.dataDir, parts.settings.processNumber),
    ...openDrafts(parts.settings, () => parts.inForce.source),
    current: () => ({ ...parts.inForce, repairDir, secretCount: parts.inForce.secrets.length }),
    refusals: () => parts.refusals.list,
    findRequest: async (requestId) => ({
      calculationId: parts.recentCalls.find(requestId),
      refusal: parts.refusals.find(requestId),
    }),
    setLogLevel: (level) => {
      log.level = level;
    },
    reload: (cause) => reloader.run(cause),
  };
}

/** Reloads on demand, and sets the level of the log. A supervised process is asked by its supervisor, which watches the files. */
function obeySupervisor({ lifetime, log, reloads, settings }: Parts, reloader: Reloader, gateway: Gateway): void {
  if (settings.isSupervised) obeySignal('SIGHUP', () => void reloader.run('signal'));
  else {
    lifetime.add(reloader.watch());
    process.on('SIGUSR2', () => log.warn('one process alone cannot be replaced without a pause: set PROCESSES'));
  }
  process.on('message', (message: SupervisorMessage) => {
    if (message.kind === 'reload refused') reloads.refuse();
    if (message.kind === 'log level') log.level = message.level;
    if (message.kind !== 'retire') return;
    gateway.retire();
    setTimeout(() => void lifetime.end('replaced', log), RETIRE_MS);
  });
}
