import { randomBytes, randomUUID } from 'node:crypto';
import { constants, copyFileSync, existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIN_SECRET_BYTES } from '@loyalty/contract/limits';
import { isEncodedTwice } from '@loyalty/contract/secret';
import { describeUnreadable } from '@loyalty/contract/unreadable';
import { isStaging } from '../programme/environment-name.ts';
import { readSecrets } from '../settings/secrets.ts';
import { SettingsError } from '../settings/settings-error.ts';
import { OPERATOR, type OpsToken, readOpsTokens } from '../settings/tokens.ts';
import type { Settings } from '../settings.ts';
import type { Logger } from '../telemetry/log.ts';

export interface ActiveSecrets {
  readonly secrets: readonly Uint8Array[];
  /** The file of staging's own secret; undefined when secrets were given. */
  readonly stagingFile: string | undefined;
}

/**
 * Every active secret: those of `LOYALTY_SECRETS`, then those of `LOYALTY_SECRETS_FILE` (one a line, or separated by
 * commas), which is read on every call. When there are none, staging generates one of its own, while production throws.
 * Throws `SettingsError`.
 */
export function loadSecrets(settings: Settings, environmentName: string): ActiveSecrets {
  const secrets = [...settings.secrets, ...readSecretsFile(settings.secretsFile)];
  if (secrets.length > 0) return { secrets, stagingFile: undefined };
  if (!isStaging(environmentName)) {
    const allowed = `at least one secret of ${MIN_SECRET_BYTES} bytes or more in production, hex or base64`;
    throw new SettingsError('LOYALTY_SECRETS', 'nothing', allowed);
  }
  const stagingFile = join(settings.dataDir, ownFile('secret', environmentName));
  return { secrets: readSecrets(keepGenerated(stagingFile), stagingFile), stagingFile };
}

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

/** Logs secrets that were probably encoded twice. */
export function warnOfSecrets(secrets: readonly Uint8Array[], log: Logger): void {
  for (const [index, secret] of secrets.entries()) {
    if (!isEncodedTwice(secret)) continue;
    const which = `secret ${index + 1} of ${secrets.length}`;
    const reason = `${which} decodes to the text of a secret in hex or base64: it may have been encoded once too often`;
    log.warn({ reason }, 'secret');
  }
}

function readSecretsFile(file: string | undefined): Uint8Array[] {
  if (file === undefined) return [];
  const items = readNamed('LOYALTY_SECRETS_FILE', file)
    .split(/[\s,]+/)
    .filter((item) => item !== '');
  if (items.length === 0)
    throw new SettingsError('LOYALTY_SECRETS_FILE', 'an empty file', 'one secret a line, hex or base64');
  return readSecrets(items.join(','), `LOYALTY_SECRETS_FILE ${file}`);
}

/** Reads a file for a setting. Throws one line; a later reload may find the file, so it is no `SettingsError`. */
function readNamed(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${variable}: ${describeUnreadable(file, error)}`, { cause: error });
  }
}

/** The name of a file that a staging environment makes for itself; two of them may share a `DATA_DIR`, and share no secret. */
function ownFile(name: string, environmentName: string): string {
  return environmentName === 'staging' ? name : `${name}-${environmentName}`;
}

/** Reads a private file, creating it with 32 random bytes (hex) if missing. Throws `SettingsError` when it is empty. */
export function keepGenerated(file: string): string {
  if (!existsSync(file)) {
    const own = `${file}.${randomUUID()}`;
    try {
      writeFileSync(own, `${randomBytes(MIN_SECRET_BYTES).toString('hex')}\n`, { mode: 0o600 });
      publish(own, file);
    } finally {
      rmSync(own, { force: true });
    }
  }
  const text = readNamed('DATA_DIR', file).trim();
  // Without any secret every call would be refused.
  if (text === '') throw new SettingsError(file, 'an empty file', 'what was made for it; removed, it is made anew');
  return text;
}

/** Gives a whole file its name. Where several processes start at once, the first counts for all of them. */
function publish(own: string, file: string): void {
  try {
    linkSync(own, file);
  } catch {
    if (existsSync(file)) return;
    // A file system without hard links, as a network folder may be.
    copyFileSync(own, file, constants.COPYFILE_EXCL);
  }
}
