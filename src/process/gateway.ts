import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { calculateBasket } from '../calls/basket-call.ts';
import { readCall } from '../calls/read-call.ts';
import { settle } from '../calls/sale-call.ts';
import { warmUp } from '../calls/warm-up.ts';
import { CallLog } from '../gateway/call-log.ts';
import { observeCall, observeOutcome, rememberRefusal } from '../gateway/call-observer.ts';
import type { PublicPages } from '../gateway/public-pages.ts';
import { PATHS, PublicServer } from '../gateway/server.ts';
import type { Environment } from '../programme/environment.ts';
import { MADE_UP_ID } from '../programme/made-up-basket.ts';
import { Connection } from '../redis/connection.ts';
import type { Settings } from '../settings.ts';
import { DataGuard } from '../store/data-guard.ts';
import { inspectFormat } from '../store/format.ts';
import { createKeys } from '../store/keys.ts';
import { Tokens } from '../store/tokens.ts';
import { buildOf } from '../telemetry/build.ts';
import { CallMetrics } from '../telemetry/call-metrics.ts';
import { Latest } from '../telemetry/latest.ts';
import { findRed } from '../telemetry/readiness.ts';
import { RecentRefusals } from '../telemetry/recent-refusals.ts';
import { PricingPool } from '../threads/pricing-pool.ts';
import { CostKeeper } from './cost-keeper.ts';
import { DescriptorWatch } from './descriptor-watch.ts';
import { openFigures } from './gateway-figures.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { type CompiledConfiguration, compileGiven } from './given-configuration.ts';
import type { Lifetime } from './lifetime.ts';
import type { GivenConfiguration } from './messages.ts';
import { PrimaryChannel } from './primary-channel.ts';
import { openProcessLog } from './process-log.ts';
import { openRecorder } from './recorder.ts';
import { noteRedisOutcome, redisFacts, withRedisCause } from './redis-facts.ts';
import { openTracing } from './tracing.ts';
import { openWatches, type Watches } from './watches.ts';

const DRAIN_PATIENCE_MS = 4000;
/** A replaced process answers on open connections for so long: callers keep idle ones for a few seconds, and closing one may lose a call. */
const RETIRE_MS = 6000;
/** Seven minutes at 50 calls a second, in some megabytes. Older ones are in the log. */
const MOST_RECENT_CALLS = 20_000;

/**
 * Runs a gateway: what the primary gives it → threads → public port. It reports to the primary, which says whether it takes
 * connections, and ends with it.
 */
export async function runGateway(settings: Settings, lifetime: Lifetime): Promise<void> {
  const primary = new PrimaryChannel();
  const { redisLease, dataDir } = settings;
  // Added first, and so closed last.
  if (redisLease !== undefined) lifetime.add(async () => primary.isGone && (await releaseRedis(dataDir, redisLease)));
  primary.onGone(() => void lifetime.end('primary gone'));
  const loaded = await primary.configuration;
  const parts = await openParts(settings, lifetime, await compileGiven(loaded));
  const { log, metrics, pool } = parts;
  const watches = openWatches(parts);
  const { redisWatch, settingsWatch, dataWatch } = watches;
  const costs = new CostKeeper(
    () => parts.inForce.calls,
    log,
    () => metrics.add('costs_dropped'),
  );
  lifetime.add(() => costs.close());
  await startPool(parts);
  const server = await openServer(parts, costs, watches);
  lifetime.add(() => primary.close());
  lifetime.add(() => server.drain(DRAIN_PATIENCE_MS));
  const checks = {
    redis: () => redisWatch.reason,
    redisSettings: () => settingsWatch.reason,
    data: () => dataWatch.reason,
    workers: () => pool.trouble,
    admission: () => (server.isDraining ? 'draining' : undefined),
  };
  const build = buildOf(settings);
  const facts = { ...redisFacts(watches, parts.tokens), descriptors: () => parts.descriptorWatch.shortage };
  const registry = openFigures(parts, { costs, server, ...watches });
  primary.report({
    state: () => ({ isListening: server.isListening, red: findRed(checks), facts: findRed(facts), build }),
    registry,
    refusals: () => parts.refusals.list,
  });
  primary.obey({
    listen: (isWanted) => listen(parts, server, isWanted),
    setLogLevel: (level) => {
      log.level = level;
    },
    retire: () => {
      server.retire();
      setTimeout(() => void lifetime.end('replaced'), RETIRE_MS);
    },
    takeOver: async (given) => {
      await takeOver(parts, given);
      costs.expectBenefits();
    },
    findRequest: (requestId) => ({
      calculationId: parts.recentCalls.get(requestId),
      refusal: parts.refusals.find(requestId),
    }),
  });
}

/** Takes connections from now on, or none; calls on open connections are answered all the same. Never rejects. */
async function listen(
  { settings, lifetime, log }: GatewayParts,
  server: PublicServer,
  isWanted: boolean,
): Promise<void> {
  if (isWanted === server.isListening || server.isDraining) return;
  if (!isWanted) {
    server.pause();
    log.warn('no connections are taken, another process is ready');
    return;
  }
  try {
    await server.listen(settings.host, settings.port);
    log.info(buildOf(settings), 'process listening');
  } catch (error) {
    // The primary starts another one; the calls of open connections are answered first.
    log.error({ reason: (error as Error).message }, 'no connections can be taken');
    void lifetime.end('cannot listen');
  }
}

async function openParts(settings: Settings, lifetime: Lifetime, loaded: CompiledConfiguration): Promise<GatewayParts> {
  const { redis } = settings;
  if (!redis) throw new Error('assertion failed: the primary names the Redis of its gateways');
  const log = await openProcessLog(settings, lifetime);
  const metrics = new CallMetrics(PATHS);
  const recorder = await openRecorder(settings, lifetime, metrics, log);
  // Nothing is awaited from here until the watches listen to the connection: they would miss the first time that it is ready.
  const connection = new Connection(redis, 'loyalty-gateway', {
    inspect: inspectFormat(createKeys(loaded.environment.name)),
  });
  lifetime.add(() => connection.close());
  const descriptorWatch = new DescriptorWatch(log);
  lifetime.add(() => descriptorWatch.close());
  connection.on('failedStep', (error) => {
    metrics.add('failed_step');
    log.error({ fault: error.stack }, 'failed step');
  });
  const guard = new DataGuard();
  const onThreadFault = (error: Error) => log.error({ fault: error.stack }, 'worker thread');
  const pool = new PricingPool(settings.workers, { environment: loaded.checked }, onThreadFault);
  lifetime.add(() => pool.close());
  const tokens = new Tokens(
    () => parts.inForce.calls.store,
    () => parts.inForce.calls.environment.rateLimit,
  );
  const { environment } = loaded;
  const parts: GatewayParts = {
    settings,
    lifetime,
    log,
    redis,
    connection,
    metrics,
    descriptorWatch,
    recorder,
    guard,
    pool,
    refusals: new RecentRefusals(),
    recentCalls: new Latest(MOST_RECENT_CALLS),
    tokens,
    inForce: {
      configuration: loaded,
      calls: {
        environment,
        store: { connection, keys: createKeys(environment.name), periods: environment.calculation, guard },
        repairDir: join(settings.dataDir, 'repair'),
        tokens,
        threads: pool,
        inlineBytes: settings.inlineBytes,
        ...(recorder && { recording: recorder.calls }),
      },
    },
  };
  return parts;
}

async function startPool({ pool, inForce }: GatewayParts): Promise<void> {
  const started = pool.start();
  // The threads load their code meanwhile.
  const { environment } = inForce.calls;
  warmUp(environment, (body) => {
    const read = readCall(environment, body, MADE_UP_ID);
    return read.kind === 'refused' ? undefined : read.basket;
  });
  await started;
}

async function openServer(parts: GatewayParts, costs: CostKeeper, watches: Watches): Promise<PublicServer> {
  const { redisWatch, settingsWatch } = watches;
  const { lifetime, log, metrics, recentCalls, recorder, refusals, settings } = parts;
  const callLog = new CallLog(log);
  lifetime.add(() => callLog.close());
  const trace = await openTracing(settings, lifetime, log, parts.inForce.calls.environment.name);
  return new PublicServer({
    calls: { basket: calculateBasket, sale: settle },
    context: () => parts.inForce.calls,
    tls: settings.tls,
    docsUrl: settings.docsUrl,
    publicPages: settings.isDocsPublic ? await openPublicPages(() => parts.inForce.calls.environment) : undefined,
    credentials: () => ({ secrets: parts.inForce.configuration.secrets, bearerTokens: settings.bearerTokens }),
    deadlineMs: () => parts.inForce.calls.environment.latencyBudget.deadlineMs,
    p95BudgetMs: () => parts.inForce.calls.environment.latencyBudget.p95Ms,
    onShedding: (isShedding) => parts.connection.paceReplies(isShedding),
    environmentName: () => parts.inForce.calls.environment.name,
    obstacle: () => settingsWatch.obstacle,
    onFault: (exchange, fault) => log.error({ requestId: exchange.requestId, fault }, 'fault'),
    onOutcome: (outcome, facts) => {
      observeOutcome(metrics, outcome, facts);
      noteRedisOutcome(redisWatch, outcome);
      for (const costEntry of outcome.costEntries ?? []) costs.add(costEntry);
      if (outcome.kind === 'answer' && outcome.recordingLines !== undefined) recorder?.write(outcome.recordingLines);
    },
    onCallEnd: (ended) => {
      const record = withRedisCause(redisWatch, ended);
      const { refusal, requestId } = record.end;
      callLog.write(record);
      observeCall(metrics, record);
      rememberRefusal(refusals, record);
      if (!refusal && record.calculationId !== undefined) recentCalls.set(requestId, record.calculationId);
      trace?.(record);
    },
  });
}

async function openPublicPages(environment: () => Environment): Promise<PublicPages> {
  const { findOpenApiPage } = await import('../../packages/console/src/pages/openapi.ts');
  const { PublicPages } = await import('../gateway/public-pages.ts');
  return new PublicPages((path) => findOpenApiPage(path, environment));
}

async function releaseRedis(dataDir: string, lease: number): Promise<void> {
  const { releaseInherited } = await import('../redis/managed-redis.ts');
  await releaseInherited(dataDir, lease);
}

/** Puts a configuration in force. When it throws, the old one stays. */
async function takeOver(parts: GatewayParts, given: GivenConfiguration): Promise<void> {
  const next = await compileGiven(given);
  // New threads cost a second of a core, and a rotation of secrets alone does not need them.
  if (!isDeepStrictEqual(next.source, parts.inForce.configuration.source)) {
    await parts.pool.replace({ environment: next.checked });
  }
  const { environment } = next;
  const { calls } = parts.inForce;
  const store = { ...calls.store, periods: environment.calculation };
  parts.inForce = { configuration: next, calls: { ...calls, environment, store } };
}
