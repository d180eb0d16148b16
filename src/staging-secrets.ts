import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIN_SECRET_BYTES } from './contract/limits.ts';
import { readSecrets } from './settings.ts';

export interface StagingSecrets {
  readonly secrets: Uint8Array[];
  /** Where it stands, for whoever signs requests. */
  readonly file: string;
}

/** Reads staging's own secret (hex), generated once into `dataDir` and readable by its owner only. */
export function loadStagingSecrets(dataDir: string): StagingSecrets {
  const file = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    try {
      writeFileSync(file, `${randomBytes(MIN_SECRET_BYTES).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      // Two first starts at once: the other one's secret is as good.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return { secrets: readSecrets(readFileSync(file, 'utf8').trim(), file), file };
}
