import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { CostKeeper } from '../process/cost-keeper.ts';
import { obeySignal } from '../process/kept-signals.ts';
import type { Lifetime } from '../process/lifetime.ts';
import { openProcessLog } from '../process/process-log.ts';
import { warnOfSecrets } from '../process/secrets.ts';
import { Connection } from '../redis/connection.ts';
import type { Settings } from '../settings.ts';
import { inspectFormat } from '../store/format.ts';
import { createKeys } from '../store/keys.ts';
import { buildOf } from '../telemetry/build.ts';
import { archiveLogs } from '../telemetry/log-archive.ts';
import { ReloadRecord } from '../telemetry/reload-record.ts';
import { administer } from './administer.ts';
import { loadConfiguration } from './configuration.ts';
import { ConfigurationKeeper } from './configuration-keeper.ts';
import { EventWatch } from './event-watch.ts';
import { Gateways } from './gateways.ts';
import { ConfigurationInForce } from './in-force.ts';
import { LimitWatch } from './limit-watch.ts';
import { baseUrlOf, openOperations } from './operations.ts';
import { loadOpsTokens } from './ops-tokens.ts';
import { openRedis } from './redis.ts';
import { lookAt, Reloader, reloadFiles } from './reload.ts';
import { ResourceWatch } from './resource-watch.ts';
import { announce } from './startup-banner.ts';
import { Sweeper } from './sweeper.ts';
import { openSystemd } from './systemd.ts';

/**
 * Runs the primary: settings → configuration → Redis → gateways → operations port. The gateways share the public port, and the
 * kernel spreads connections over them. What is opened is closed in reverse order.
 */
export async function runPrimary(settings: Settings, lifetime: Lifetime): Promise<void> {
  const seen = await lookAt(reloadFiles(settings));
  const loaded = loadConfiguration(settings);
  const { environment, stagingFile } = loaded;
  const { tokens, file: opsTokenFile } = loadOpsTokens(settings, environment.name);
  const log = await openProcessLog(settings, lifetime);
  if (settings.logDir !== undefined) lifetime.add(archiveLogs(settings.logDir, log));
  warnOfSecrets(loaded.secrets, log);
  const reportReady = openSystemd(settings, lifetime, log);
  const { address, descriptors, variables, explain } = await openRedis(settings, lifetime, log);
  const keys = createKeys(environment.name);
  const connection = new Connection(address, 'loyalty-administration', { inspect: inspectFormat(keys) });
  lifetime.add(() => connection.close());
  connection.on('failedStep', (error) => log.error({ fault: error.stack }, 'failed step'));
  const port = await settlePort(settings);

  const configuration = new ConfigurationInForce(settings, connection, loaded, log);
  const keeper = new ConfigurationKeeper(() => configuration.inForce, connection, log);
  lifetime.add(() => keeper.close());
  const limits = new LimitWatch(() => configuration.inForce);
  lifetime.add(() => limits.close());
  const events = new EventWatch(() => configuration.inForce);
  lifetime.add(() => events.close());
  const resources = new ResourceWatch(settings, connection);
  lifetime.add(() => resources.close());
  const costs = new CostKeeper(() => configuration.inForce, log);
  lifetime.add(() => costs.close());
  const sweeper = new Sweeper(
    () => configuration.inForce,
    (redemption) => costs.add(redemption),
    log,
  );
  lifetime.add(() => sweeper.close());
  const reloads = new ReloadRecord();
  const gateways = new Gateways({
    count: settings.processes,
    variables: { ...variables, PORT: String(port) },
    descriptors,
    configuration: () => configuration.given,
    log,
    figures: {
      reloads,
      limits: () => limits.figures,
      events: () => events.figures,
      resources: () => resources.figures,
      counted: () => sweeper.figures,
    },
  });
  const { readiness } = gateways;
  lifetime.add(() => gateways.stop());
  await gateways.untilListening();
  obeySignal('SIGUSR2', () => void gateways.replace());

  const reloader = new Reloader({
    log,
    files: reloadFiles(settings),
    seen,
    apply: async () => {
      const outcome = await configuration
        .apply(() => gateways.processes)
        .catch((error: Error) => {
          reloads.note(false);
          throw error;
        });
      reloads.note(outcome.outcome === 'reloaded');
      await keeper.keep();
      return outcome;
    },
  });
  lifetime.add(reloader.watch());
  const opsUrl = await openOperations(settings, lifetime, {
    readiness: () => {
      const { causes, red, facts } = readiness.read();
      const [redis, configuration] = [explain(red['redis']), reloader.refusal];
      return {
        causes,
        red: { ...red, ...(redis !== undefined && { redis }) },
        facts: { ...facts, ...(configuration !== undefined && { configuration }) },
      };
    },
    refresh: () => gateways.refresh(),
    registry: () => gateways.mergeMetrics(),
    build: () => gateways.build ?? buildOf(settings),
    refusals: () => gateways.refusals,
    administration: administer({ settings, log, tokens, configuration, gateways, reloader }),
  });
  announce(settings, log, {
    environment,
    baseUrl: baseUrlOf(settings, port),
    opsUrl,
    secretFile: stagingFile,
    opsTokenFile,
  });
  reportReady(() => readiness.isAnswering);
}

/**
 * Settles the port. The gateways listen with port sharing, which would hide a foreign process on it, so the port is
 * first tried exclusively. A free port (0) is chosen here, because the library cannot share a port that it chose
 * itself.
 */
async function settlePort({ host, port }: Settings): Promise<number> {
  const probe = createServer();
  const listening = once(probe, 'listening');
  probe.listen({ port, host, exclusive: true });
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
