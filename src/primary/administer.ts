import { join } from 'node:path';
import type { Administration } from '../../packages/console/src/admin/administration.ts';
import type { Settings } from '../settings.ts';
import { createAuditLog, type Logger } from '../telemetry/log.ts';
import { openDrafts } from './drafts.ts';
import type { Gateways } from './gateways.ts';
import type { ConfigurationInForce } from './in-force.ts';
import type { Reloader } from './reload.ts';

interface Parts {
  readonly settings: Settings;
  readonly log: Logger;
  readonly tokens: Administration['tokens'];
  readonly configuration: ConfigurationInForce;
  readonly gateways: Gateways;
  readonly reloader: Reloader;
}

/** The administration of the service: it has the primary's own connection to Redis, and acts for all gateways. */
export function administer({ settings, log, tokens, configuration, gateways, reloader }: Parts): Administration {
  return {
    tokens,
    log,
    audit: createAuditLog(log),
    ...openDrafts(settings, () => configuration.inForce.source),
    current: () => {
      const { environment, secrets, source, store } = configuration.inForce;
      return { environment, source, store, repairDir: join(settings.dataDir, 'repair'), secretCount: secrets.length };
    },
    refusals: () => gateways.refusals,
    findRequest: (requestId) => gateways.findRequest(requestId),
    setLogLevel: (level) => {
      log.level = level;
      gateways.setLogLevel(level);
    },
    reload: (cause) => reloader.run(cause),
  };
}
