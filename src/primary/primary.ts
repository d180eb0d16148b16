import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { OpsServer } from '../../packages/console/src/server.ts';
import { CostKeeper } from '../process/cost-keeper.ts';
import { obeySignal } from '../process/kept-signals.ts';
import type { Lifetime } from '../process/lifetime.ts';
import { openProcessLog } from '../process/process-log.ts';
import { loadOpsTokens, warnOfSecrets } from '../process/secrets.ts';
import { Connection } from '../redis/connection.ts';
import type { Settings } from '../settings.ts';
import { inspectFormat } from '../store/format.ts';
import { createKeys } from '../store/keys.ts';
import { buildOf } from '../telemetry/build.ts';
import { createAuditLog } from '../telemetry/log.ts';
import { loadConfiguration } from './configuration.ts';
import { ConfigurationKeeper } from './configuration-keeper.ts';
import { openDrafts } from './drafts.ts';
import { Gateways } from './gateways.ts';
import { ConfigurationInForce } from './in-force.ts';
import { archiveLogs } from './log-archive.ts';
import { openRedis } from './redis.ts';
import { lookAt, Reloader, reloadFiles } from './reload.ts';
import { announce } from './startup-banner.ts';
import { Sweeper } from './sweeper.ts';
import { openSystemd } from './systemd.ts';
import { watchFigures } from './watched-figures.ts';

/**
 * Runs the primary: settings → configuration → Redis → gateways → operations port. The gateways share the public port, and the
 * kernel spreads connections over them. What is opened is closed in reverse order, but the operations port after the gateways.
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
  const port = await settlePort(settings);
  // Nothing is awaited from here until all that is done when Redis becomes ready listens to the connection: it would miss the first time.
  const connection = new Connection(address, 'loyalty-administration', { inspect: inspectFormat(keys) });
  lifetime.add(() => connection.close());
  connection.on('failedStep', (error) => log.error({ fault: error.stack }, 'failed step'));
  const configuration = new ConfigurationInForce(settings, connection, loaded, log);
  const inForce = () => configuration.inForce;
  const keeper = new ConfigurationKeeper(inForce, connection, log);
  lifetime.add(() => keeper.close());
  const watched = watchFigures(settings, lifetime, connection, inForce);
  const counted = { costs_dropped: 0 };
  const costs = new CostKeeper(inForce, log, () => {
    counted.costs_dropped += 1;
  });
  lifetime.add(() => costs.close());
  const sweeper = new Sweeper(inForce, (costEntry) => costs.add(costEntry), log);
  lifetime.add(() => sweeper.close());
  const gateways = new Gateways({
    count: settings.processes,
    variables: { ...variables, PORT: String(port) },
    descriptors,
    configuration: () => configuration.given,
    log,
  });
  const { readiness } = gateways;
  // Closed after the gateways, so that it tells of the drain.
  let ops: OpsServer | undefined;
  lifetime.add(() => ops?.close());
  lifetime.add(() => gateways.stop());
  await gateways.untilListening();
  obeySignal('SIGUSR2', () => void gateways.replace());

  const reloader = new Reloader({
    log,
    files: reloadFiles(settings),
    seen,
    apply: async () => {
      const outcome = await configuration.apply(() => gateways.processes);
      await keeper.keep();
      return outcome;
    },
  });
  lifetime.add(reloader.watch());
  ops = new OpsServer(
    {
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
      registry: () =>
        gateways.mergeMetrics({
          reloads: reloader.results,
          watched,
          retentionMs: inForce().store.periods.retentionMs,
          counted: { ...sweeper.figures, ...counted },
        }),
      build: () => gateways.build ?? buildOf(settings),
      refusals: () => gateways.refusals,
      administration: {
        tokens,
        log,
        audit: createAuditLog(log),
        ...openDrafts(settings, () => inForce().source),
        current: () => {
          const { environment, secrets, source, store } = inForce();
          return {
            environment,
            source,
            store,
            repairDir: join(settings.dataDir, 'repair'),
            secretCount: secrets.length,
          };
        },
        refusals: () => gateways.refusals,
        findRequest: (requestId) => gateways.findRequest(requestId),
        setLogLevel: (level) => {
          log.level = level;
          gateways.setLogLevel(level);
        },
        reload: (cause) => reloader.run(cause),
      },
    },
    [settings.opsHost, ...settings.opsAllowedHosts],
  );
  const opsPort = await ops.listen(settings.opsHost, settings.opsPort);
  // A step that nobody waits for has failed. Every gateway would end with this process, and none of them needs that step.
  process.on('unhandledRejection', (reason) => {
    log.error({ fault: reason instanceof Error ? reason.stack : String(reason) }, 'unhandled rejection');
  });
  announce(settings, log, { environment, port, opsPort, secretFile: stagingFile, opsTokenFile });
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
