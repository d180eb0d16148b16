import { OpsServer, type OpsSources } from '../../packages/console/src/server.ts';
import type { Lifetime } from '../process/lifetime.ts';
import type { Settings } from '../settings.ts';

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

function bracket(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
