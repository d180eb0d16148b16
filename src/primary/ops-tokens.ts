import { join } from 'node:path';
import { keepGenerated, ownFile } from '../process/secrets.ts';
import { isStaging } from '../programme/environment-name.ts';
import type { OpsToken } from '../settings/tokens.ts';
import { OPERATOR, readOpsTokens } from '../settings/tokens.ts';
import type { Settings } from '../settings.ts';

/** The tokens for the administration, and the file of staging's own token if it generated one. */
export interface ActiveOpsTokens {
  readonly tokens: readonly OpsToken[];
  readonly file: string | undefined;
}

/**
 * The tokens of `OPS_TOKEN`. When there are none, staging generates one and keeps it beside its secret, while
 * production closes its administration. Throws `SettingsError` for a damaged token file.
 */
export function loadOpsTokens(settings: Settings, environmentName: string): ActiveOpsTokens {
  if (settings.opsTokens.length > 0 || !isStaging(environmentName)) {
    return { tokens: settings.opsTokens, file: undefined };
  }
  const file = join(settings.dataDir, ownFile('ops-token', environmentName));
  const tokens = readOpsTokens(keepGenerated(file), file);
  return { tokens: tokens.map(({ token }) => ({ name: OPERATOR, role: 'admin' as const, token })), file };
}
