import { findRed } from '../../packages/console/src/readiness.ts';
import { OpsServer, type OpsSources } from '../../packages/console/src/server.ts';
import type { Settings } from '../settings.ts';
import type { Lifetime } from './lifetime.ts';
import { type ProcessMessage, STATE_INTERVAL_MS, type SupervisorMessage } from './messages.ts';

/** Opens the operations listener and returns its URL. */
export async function openOperations(settings: Settings, lifetime: Lifetime, sources: OpsSources): Promise<string> {
  const ops = new OpsServer(sources, [settings.opsHost, ...settings.opsAllowedHosts]);
  const port = await ops.listen(settings.opsHost, settings.opsPort);
  lifetime.add(() => ops.close());
  return `http://${bracket(settings.opsHost)}:${port}`;
}

export function baseUrlOf(settings: Settings, port: number): string {
  return `${settings.tls ? 'https' : 'http'}://${bracket(settings.host)}:${port}`;
}

/**
 * Sends signs of life to the supervisor from now on until the process ends. They depend on the event loop alone, so a
 * process that waits for Redis or drains is not taken for one that hangs.
 */
export function startSignsOfLife(): void {
  const live = (): void => send({ kind: 'alive' });
  live();
  setInterval(live, STATE_INTERVAL_MS).unref();
}

function send(message: ProcessMessage): void {
  // The end of the channel shows that the supervisor is gone.
  if (process.connected) process.send?.(message, () => undefined);
}

/** A supervised process has no listener for operations: it reports to its supervisor until it ends. */
export function reportToSupervisor(
  lifetime: Lifetime,
  { checks, facts, registry, refusals, administration }: OpsSources,
): void {
  let told: unknown;
  const tell = async (): Promise<void> => {
    const metrics = await registry().getMetricsAsJSON();
    const latest = refusals();
    send({
      kind: 'state',
      checks: findRed(checks),
      facts: findRed(facts),
      metrics,
      ...(latest !== told && { refusals: latest }),
    });
    told = latest;
  };
  process.on('message', (message: SupervisorMessage) => {
    if (message.kind === 'reload') {
      const { id, cause } = message;
      void administration.reload(cause).then((outcome) => send({ kind: 'reload', id, outcome }));
    } else if (message.kind === 'find request') {
      const { id, requestId } = message;
      void administration.findRequest(requestId).then((found) => send({ kind: 'find request', id, ...found }));
    }
  });
  send({ kind: 'listening' });
  const timer = setInterval(() => void tell(), STATE_INTERVAL_MS);
  void tell();
  lifetime.add(() => clearInterval(timer));
}

function bracket(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
