import type { Registry } from 'prom-client';
import type { Lifetime } from './lifetime.ts';
import { OpsServer, type ReadinessChecks } from './ops/server.ts';
import { type ProcessMessage, STATE_INTERVAL_MS } from './process-messages.ts';
import type { Settings } from './settings.ts';

/** What a process has to tell about itself. */
export interface ProcessState {
  readonly checks: ReadinessChecks;
  readonly registry: Registry;
}

/**
 * Opens the operations listener and returns its URL. A supervised process has none of its own: it tells its supervisor,
 * and returns undefined.
 */
export async function openOperations(
  settings: Settings,
  lifetime: Lifetime,
  state: ProcessState,
): Promise<string | undefined> {
  if (settings.isSupervised) {
    lifetime.add(tellSupervisor(state));
    return undefined;
  }
  return listenForOperations(settings, lifetime, state.checks, () => state.registry.metrics());
}

/** Opens the operations listener on what it is to show. */
export async function listenForOperations(
  settings: Settings,
  lifetime: Lifetime,
  checks: ReadinessChecks,
  metrics: () => Promise<string>,
): Promise<string> {
  const ops = new OpsServer(checks, metrics);
  const port = await ops.listen(settings.opsHost, settings.opsPort);
  lifetime.add(() => ops.close());
  return `http://${bracket(settings.opsHost)}:${port}`;
}

export function baseUrlOf(settings: Settings, port: number): string {
  return `${settings.tls ? 'https' : 'http'}://${bracket(settings.host)}:${port}`;
}

/** Returns what stops it. */
function tellSupervisor({ checks, registry }: ProcessState): () => void {
  const send = (message: ProcessMessage): void => {
    // A supervisor that is gone is noticed by the channel's end.
    if (process.connected) process.send?.(message, () => undefined);
  };
  const tell = async (): Promise<void> => {
    const results = Object.entries(checks).map(([name, check]) => [name, check()] as const);
    const red = Object.fromEntries(results.filter(([, reason]) => reason !== undefined)) as Record<string, string>;
    send({ kind: 'state', checks: red, metrics: await registry.getMetricsAsJSON() });
  };
  send({ kind: 'listening' });
  const timer = setInterval(() => void tell(), STATE_INTERVAL_MS);
  void tell();
  return () => clearInterval(timer);
}

function bracket(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
