import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Administration } from '../../packages/console/src/admin/administration.ts';
import { findOpenApiPage } from '../../packages/console/src/pages/openapi.ts';
import type { OpsSources } from '../../packages/console/src/server.ts';
import { calculateBasket } from '../calls/basket-call.ts';
import { settle } from '../calls/sale-call.ts';
import { warmUp } from '../calls/warm-up.ts';
import { CallLog } from '../gateway/call-log.ts';
import { noteRefusal, observeCall, observeOutcome } from '../gateway/call-observer.ts';
import { Gateway, PATHS } from '../gateway/server.ts';
import { findChanges } from '../programme/changes.ts';
import { Connection } from '../redis/connection.ts';
import type { Settings } from '../settings.ts';
import { DataGuard } from '../store/data-guard.ts';
import { inspectFormat } from '../store/format.ts';
import { createKeys } from '../store/keys.ts';
import { writeMembers } from '../store/members.ts';
import { Tokens } from '../store/tokens.ts';
import { CallMetrics } from '../telemetry/call-metrics.ts';
import { createAuditLog } from '../telemetry/log.ts';
import { RecentCalls } from '../telemetry/recent-calls.ts';
import { RecentRefusals } from '../telemetry/recent-refusals.ts';
import { ReloadRecord } from '../telemetry/reload-record.ts';
import { PricingPool } from '../threads/pricing-pool.ts';
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
import { openProcessLog } from './process-log.ts';
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
  const { pool } = parts;
  await startPool(parts);
  lifetime.add(startSweeper(() => parts.inForce.store, parts.metrics, log));
  const gateway = openGateway(parts, costs, watches);
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
    const configuration = await reloads.run(() => takeOver(parts));
    costs.expectBenefits();
    await keeper.keep();
    return { outcome: 'reloaded', configuration, ...findChanges(before, parts.inForce.checked.file) } as const;
  };
  const reloader = new Reloader({ log, files: reloadFiles(settings), seen, apply });
  const sources: OpsSources = {
    checks,
    facts: {
      ...redisFacts(watches, parts.tokens),
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
  connection.on('failedStep', (error) => {
    metrics.add('failed_step');
    log.error({ fault: error.stack }, 'failed step');
  });
  const guard = new DataGuard();
  const recorder = await openRecorder(settings, lifetime, metrics, log);
  const repairDir = join(settings.dataDir, 'repair');
  const onThreadFault = (error: Error) => log.error({ fault: error.stack }, 'worker thread');
  const pool = new PricingPool(settings.workers, { environment: loaded.checked }, onThreadFault);
  lifetime.add(() => pool.close());
  const inForce = () => parts.inForce;
  const tokens = new Tokens(
    () => inForce().store,
    () => inForce().environment.rateLimit,
  );
  const open = { settings, connection, guard, recorder, repairDir, pool, tokens };
  const parts: Parts = {
    ...open,
    ...{ lifetime, log, redis, explainRedis, resourceWatch, metrics },
    refusals: new RecentRefusals(),
    recentCalls: new RecentCalls(),
    reloads: new ReloadRecord(),
    inForce: compose(loaded, open),
  };
  return parts;
}

type Composed = Pick<Parts, 'settings' | 'connection' | 'guard' | 'recorder' | 'repairDir' | 'pool' | 'tokens'>;

function compose(configuration: Configuration, parts: Composed): InForce {
  const { settings, connection, guard, recorder, repairDir, pool: threads, tokens } = parts;
  const { environment } = configuration;
  const store = { connection, keys: createKeys(environment.name), periods: environment.calculation, guard };
  const calls = {
    ...{ environment, store, repairDir, tokens, threads, inlineBytes: settings.inlineBytes },
    ...(recorder && { recording: recorder.options }),
  };
  return { ...configuration, store, calls };
}

async function startPool({ pool, inForce }: Parts): Promise<void> {
  const started = pool.start();
  // The threads load their code meanwhile.
  warmUp(inForce.environment);
  await started;
}

function openGateway(parts: Parts, costs: CostKeeper, watches: Watches): Gateway {
  const { redisWatch, settingsWatch } = watches;
  const { lifetime, log, metrics, recentCalls, recorder, refusals, settings } = parts;
  const callLog = new CallLog(log);
  lifetime.add(() => callLog.close());
  const trace = openTracing(settings, lifetime, log, parts.inForce.environment.name);
  return new Gateway({
    calls: { basket: calculateBasket, sale: settle },
    inForce: () => parts.inForce.calls,
    tls: settings.tls,
    docsUrl: settings.docsUrl,
    findPublicPage: settings.isDocsPublic
      ? (path) => findOpenApiPage(path, () => parts.inForce.environment)
      : undefined,
    credentials: () => ({ secrets: parts.inForce.secrets, bearerTokens: settings.bearerTokens }),
    deadlineMs: () => parts.inForce.environment.latencyBudget.deadlineMs,
    p95BudgetMs: () => parts.inForce.environment.latencyBudget.p95Ms,
    onShedding: (isShedding) => parts.connection.paceReplies(isShedding),
    environmentName: () => parts.inForce.environment.name,
    obstacle: () => settingsWatch.obstacle,
    onFault: (exchange, fault) => log.error({ requestId: exchange.requestId, fault }, 'fault'),
    onOutcome: (outcome, facts) => {
      observeOutcome(metrics, outcome, facts);
      noteRedisOutcome(redisWatch, outcome, facts);
      if (outcome.redemption) costs.add(outcome.redemption);
      if (outcome.kind === 'answer' && outcome.record !== undefined) recorder?.write(outcome.record);
    },
    onCallEnd: (record, exchange, end) => {
      nameRedisCause(redisWatch, record);
      callLog.write(record, exchange, end);
      observeCall(metrics, record, exchange, end);
      noteRefusal(refusals, record, exchange);
      if (!exchange.refusal && record.calculationId !== undefined)
        recentCalls.add(exchange.requestId, record.calculationId);
      trace?.(record, exchange, end);
    },
  });
}

/**
 * Reads configuration and secrets again and puts them in force. Returns the configuration's version. When it throws,
 * the old configuration stays.
 */
async function takeOver(parts: Parts): Promise<string> {
  const next = await reloadConfiguration(parts.settings, parts.inForce.environment.name, parts.inForce);
  const replacement = compose(next, parts);
  // New threads cost a second of a core, and a rotation of secrets alone does not need them.
  if (!isDeepStrictEqual(next.source, parts.inForce.source)) {
    await parts.pool.replace({ environment: next.checked });
  }
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
