import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Administration, ReloadCause, ReloadOutcome } from '../../packages/console/src/admin/administration.ts';
import { findChanges } from '../programme/changes.ts';
import { Connection } from '../redis/connection.ts';
import type { Settings } from '../settings.ts';
import { inspectFormat } from '../store/format.ts';
import { createKeys } from '../store/keys.ts';
import { createAuditLog, type Logger } from '../telemetry/log.ts';
import { type Configuration, loadConfiguration, reloadConfiguration } from './configuration.ts';
import { openDrafts } from './drafts.ts';
import { obeySignal } from './kept-signals.ts';
import type { Lifetime } from './lifetime.ts';
import { baseUrlOf, openOperations } from './operations.ts';
import { loadOpsTokens } from './ops-tokens.ts';
import { ProcessGroup } from './process-group.ts';
import { openProcessLog } from './process-log.ts';
import { openRedis } from './redis.ts';
import { FACTS } from './redis-facts.ts';
import { lookAt, Reloader, reloadFiles } from './reload.ts';
import { RESOURCE_FACTS } from './resource-watch.ts';
import { warnOfSecrets } from './secrets.ts';
import { announce } from './startup-banner.ts';
import { reloadProcesses, tellRefusal } from './supervisor-reload.ts';
import { openSystemd } from './systemd.ts';
import { buildOf } from './version.ts';

/**
 * Runs several service processes that share one port (the kernel spreads connections over them), one managed Redis and
 * one operations listener. A process that ends or hangs is replaced; the service is ready while a process serves and
 * none hangs.
 */
export async function supervise(settings: Settings, lifetime: Lifetime): Promise<void> {
  const seen = await lookAt(reloadFiles(settings));
  const configuration = loadConfiguration(settings);
  const log = await openProcessLog(settings, lifetime);
  warnOfSecrets(settings, configuration.secrets, log);
  const reportReady = openSystemd(settings, lifetime, log);
  const { address: redis, explain: explainRedis } = await openRedis(settings, lifetime, log);
  const connection = new Connection(redis, 'loyalty-administration', {
    inspect: inspectFormat(createKeys(configuration.environment.name)),
  });
  lifetime.add(() => connection.close());
  const port = await settlePort(settings);

  const redisUrl = !settings.redis && redis.kind === 'socket' ? { REDIS_URL: `unix:${redis.path}` } : {};
  const { name } = configuration.environment;
  const given = { ...redisUrl, PORT: String(port), LOYALTY_SUPERVISED_ENVIRONMENT: name };
  const group = new ProcessGroup(settings, given, log);
  lifetime.add(() => group.stop());
  await group.untilListening();
  obeySignal('SIGUSR2', () => void group.replace());

  const { tokens, file: opsTokenFile } = loadOpsTokens(settings, name);
  const administered = administer(settings, lifetime, { log, connection, tokens, configuration, seen, group });
  const opsUrl = await openOperations(settings, lifetime, {
    checks: { processes: () => explainRedis(group.red) },
    redNames: () => group.redNames,
    facts: {
      processes: () => group.fact,
      configuration: () => administered.reloader.refusal,
      ...Object.fromEntries([...FACTS, ...RESOURCE_FACTS].map((name) => [name, () => group.factOf(name)])),
    },
    registry: () => group.mergeMetrics(),
    build: () => group.build ?? buildOf(settings),
    refusals: () => group.refusals,
    administration: administered.administration,
  });
  const baseUrl = baseUrlOf(settings, port);
  const { environment, stagingFile } = configuration;
  announce(settings, log, { environment, baseUrl, opsUrl, secretFile: stagingFile, opsTokenFile });
  reportReady(() => group.isAnswering);
}

interface Administered {
  readonly log: Logger;
  readonly connection: Connection;
  readonly tokens: Administration['tokens'];
  readonly configuration: Configuration;
  readonly seen: string;
  readonly group: ProcessGroup;
}

/**
 * The administration of all processes: the supervisor has its own connection and its own reading of the configuration.
 * It checks a reload first, so that a bad file reaches no process.
 */
function administer(
  settings: Settings,
  lifetime: Lifetime,
  administered: Administered,
): { readonly administration: Administration; readonly reloader: Reloader } {
  const { log, connection, tokens, seen, group } = administered;
  let current = administered.configuration;
  const { name } = current.environment;
  const apply = async (cause: ReloadCause): Promise<ReloadOutcome> => {
    let next: Configuration;
    try {
      next = await reloadConfiguration(settings, name);
    } catch (error) {
      tellRefusal(group.processes);
      throw error;
    }
    const { outcome, isTaken } = await reloadProcesses(group.processes, next.environment.version, cause);
    // The supervisor never shows a configuration that no process has.
    if (!isTaken) return outcome;
    const changes = findChanges(current.checked.file, next.checked.file);
    current = next;
    warnOfSecrets(settings, next.secrets, log);
    return outcome.outcome === 'reloaded' ? { ...outcome, ...changes } : outcome;
  };
  const reloader = new Reloader({ log, files: reloadFiles(settings), seen, apply });
  lifetime.add(reloader.watch());
  const administration: Administration = {
    tokens,
    log,
    audit: createAuditLog(log),
    processes: settings.processes,
    ...openDrafts(settings, () => current.source),
    current: () => {
      const { environment, secrets, source } = current;
      const store = { connection, keys: createKeys(name), periods: environment.calculation };
      return { environment, source, store, repairDir: join(settings.dataDir, 'repair'), secretCount: secrets.length };
    },
    refusals: () => group.refusals,
    findRequest: (requestId) => group.findRequest(requestId),
    setLogLevel: (level) => {
      log.level = level;
      group.setLogLevel(level);
    },
    reload: (cause) => reloader.run(cause),
  };
  return { administration, reloader };
}

/**
 * Settles the port. The processes listen with port sharing, which would hide a foreign process on it, so the port is
 * first tried exclusively. A free port (0) is chosen here, because the library cannot share a port that it chose
 * itself.
 */
async function settlePort({ host, port }: Settings): Promise<number> {
  const probe = createServer();
  const listening = once(probe, 'listening');
  probe.listen(port, host);
  try {
    await listening;
  } catch {
    throw new Error(`HOST, PORT: cannot listen on ${host}:${port}; is the port in use?`);
  }
  const settled = (probe.address() as AddressInfo).port;
  probe.close();
  await once(probe, 'close');
  return settled;
}
