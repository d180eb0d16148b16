import { join } from 'node:path';
import type { OpsToken } from '../ops/admin/administration.ts';
import { OPERATOR, readOpsTokens } from '../settings/tokens.ts';
import type { Settings } from '../settings.ts';
import { keepGenerated } from './secrets.ts';

/** Who may come in to the administration, and the file with staging's own token when it made one. */
export interface ActiveOpsTokens {
  readonly tokens: readonly OpsToken[];
  readonly file: string | undefined;
}

/**
 * The tokens of `OPS_TOKEN`. Given none, staging keeps one of its own beside its secret; production makes nothing up, and
 * its administration is closed. Throws `SettingsError` for a file that somebody has spoiled.
 */
export function loadOpsTokens(settings: Settings, environmentName: 'staging' | 'production'): ActiveOpsTokens {
  if (settings.opsTokens.length > 0 || environmentName === 'production') {
    return { tokens: settings.opsTokens, file: undefined };
  }
  const file = join(settings.dataDir, 'ops-token');
  const tokens = readOpsTokens(keepGenerated(file), file);
  return { tokens: tokens.map(({ token }) => ({ name: OPERATOR, token })), file };
}
