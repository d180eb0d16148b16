import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { MetricObject } from 'prom-client';
import type { Administration, ReloadCause, ReloadOutcome } from '../ops/admin/administration.ts';
import { Connection } from '../redis/connection.ts';
import type { Settings } from '../settings.ts';
import { createKeys } from '../store/keys.ts';
import type { Logger } from '../telemetry/log.ts';
import { ProcessMetrics } from '../telemetry/process-metrics.ts';
import { mergeRefusals, type RefusalNote } from '../telemetry/recent-refusals.ts';
import { type Configuration, loadConfiguration, reloadConfiguration } from './configuration.ts';
import type { Lifetime } from './lifetime.ts';
import type { ProcessMessage } from './messages.ts';
import { baseUrlOf, listenForOperations } from './operations.ts';
import { loadOpsTokens } from './ops-tokens.ts';
import { openProcessLog } from './process-log.ts';
import { openManagedRedis } from './redis.ts';
import { lookAt, Reloader, reloadFiles } from './reload.ts';
import { startupBanner } from './startup-banner.ts';
import { reloadProcesses, tellRefusal } from './supervisor-reload.ts';

/** A process that ends is started again after this long; one that cannot start must not heat the machine. */
const RESTART_DELAY_MS = 500;
const STOP_PATIENCE_MS = 8000;

interface Member {
  child: ChildProcess;
  isListening: boolean;
  /** Checks that are red, by name; undefined until the process has told its state. */
  red: Readonly<Record<string, string>> | undefined;
  metrics: readonly MetricObject[];
  refusals: readonly RefusalNote[];
}

/**
 * Several service processes that share one port (the kernel spreads connections over them), one managed Redis and one
 * operations listener. A process that dies is started again; ready means that all of them are.
 */
export async function supervise(settings: Settings, lifetime: Lifetime): Promise<void> {
  const seen = await lookAt(reloadFiles(settings));
  const configuration = loadConfiguration(settings);
  const log = await openProcessLog(settings, lifetime);
  const redis = settings.redis ?? (await openManagedRedis(settings, lifetime, log));
  const connection = new Connection(redis, 'loyalty-administration');
  lifetime.add(() => connection.close());
  const port = await settlePort(settings);

  const environment = !settings.redis && redis.kind === 'socket' ? { REDIS_URL: `unix:${redis.path}` } : {};
  const members: Member[] = [];
  const figures = new ProcessMetrics(settings.processes);
  let refusals: readonly RefusalNote[] = [];
  let isEnding = false;
  const start = (index: number): void => {
    const child = fork(settings.entryFile, {
      env: { ...settings.inherited, ...environment, LOYALTY_SUPERVISED: String(index + 1), PORT: String(port) },
    });
    const member: Member = { child, isListening: false, red: undefined, metrics: [], refusals: [] };
    members[index] = member;
    child.on('message', (message: ProcessMessage) => {
      if (message.kind === 'listening') member.isListening = true;
      if (message.kind !== 'state') return;
      [member.red, member.metrics] = [message.checks, message.metrics];
      if (!message.refusals) return;
      member.refusals = message.refusals;
      refusals = mergeRefusals(members.map((other) => other.refusals));
    });
    child.once('exit', (code, signal) => {
      if (isEnding) return;
      member.red = { process: 'ended' };
      figures.retire(member.metrics);
      member.metrics = [];
      log.error({ process: index + 1, code, signal }, 'process ended, it is started again');
      setTimeout(() => isEnding || start(index), RESTART_DELAY_MS).unref();
    });
  };
  lifetime.add(async () => {
    isEnding = true;
    await Promise.all(members.map(({ child }) => stopChild(child)));
  });
  for (let index = 0; index < settings.processes; index += 1) start(index);
  const checks = { processes: () => describeRed(members) };
  const registry = () => figures.merge(members.map(({ metrics }) => metrics));
  await waitUntilListening(members);
  const { tokens, file: opsTokenFile } = loadOpsTokens(settings, configuration.environment.name);
  const administration = administer(settings, lifetime, {
    log,
    connection,
    tokens,
    configuration,
    seen,
    children: () => members.map(({ child }) => child),
  });
  const opsUrl = await listenForOperations(settings, lifetime, {
    checks,
    registry,
    refusals: () => refusals,
    administration,
  });
  const baseUrl = baseUrlOf(settings, port);
  const { name, version } = configuration.environment;
  log.info({ baseUrl, opsUrl, environment: name, configuration: version, processes: settings.processes }, 'listening');
  if (name === 'staging')
    process.stdout.write(startupBanner({ baseUrl, opsUrl, secretFile: configuration.stagingFile, opsTokenFile }));
}

interface Administered {
  readonly log: Logger;
  readonly connection: Connection;
  readonly tokens: Administration['tokens'];
  readonly configuration: Configuration;
  readonly seen: string;
  readonly children: () => readonly ChildProcess[];
}

/**
 * The administration of all processes together: the supervisor has a connection and a reading of the configuration of its
 * own. A reload is checked here first, so that a bad file disturbs no process.
 */
function administer(settings: Settings, lifetime: Lifetime, administered: Administered): Administration {
  const { log, connection, tokens, seen, children } = administered;
  let current = administered.configuration;
  const { name } = current.environment;
  const apply = async (cause: ReloadCause): Promise<ReloadOutcome> => {
    let next: Configuration;
    try {
      next = reloadConfiguration(settings, name);
    } catch (error) {
      tellRefusal(children());
      throw error;
    }
    const outcome = await reloadProcesses(children(), next.environment.version, cause);
    // Not before: whoever asks here what is in force must not be told of what no process has yet.
    current = next;
    return outcome;
  };
  const reloader = new Reloader({ log, files: reloadFiles(settings), seen, apply });
  lifetime.add(reloader.watch());
  return {
    tokens,
    log,
    current: () => {
      const { environment, secrets } = current;
      const store = { connection, keys: createKeys(name), periods: environment.calculation };
      return { environment, store, repairDir: join(settings.dataDir, 'repair'), secretCount: secrets.length };
    },
    reload: (cause) => reloader.run(cause),
  };
}

/**
 * Settles the port. Sharing one is asked for by option, so that nobody would notice a stranger on it: it is tried
 * exclusively first. Any free one (0) is chosen here, because the library shares none that it chose itself.
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

/** Waits until a process listens; one that cannot start has said why by itself. */
async function waitUntilListening(members: readonly Member[]): Promise<void> {
  while (!members.some(({ isListening }) => isListening)) {
    if (members.every(({ child }) => child.exitCode !== null)) throw new Error('no process could start');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function describeRed(members: readonly Member[]): string | undefined {
  const red = members.flatMap(({ red: checks }, index) => {
    if (checks === undefined) return [`${index + 1}: starting`];
    return Object.entries(checks).map(([name, reason]) => `${index + 1}: ${name}: ${reason}`);
  });
  return red.length === 0 ? undefined : red.join('; ');
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_PATIENCE_MS);
  await ended;
  clearTimeout(timer);
}
