import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Connection } from '../redis/connection.ts';
import { readServerResources } from '../redis/server-resources.ts';
import type { Settings } from '../settings.ts';
import type { Folder, Resources } from '../telemetry/resources.ts';

/** How often disks and Redis are looked at; Prometheus usually scrapes less often. */
const LOOK_MS = 5000;

/** Reads at intervals what the process stands on. A slow disk or server delays the next look and nothing else. */
export class ResourceWatch {
  readonly #connection: Connection;
  readonly #folders: readonly (readonly [name: string, path: string])[];
  readonly #certificateEndsMs: number | undefined;
  #resources: Resources;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** The certificate is read once, as the listener reads it. */
  constructor({ dataDir, logDir, tls }: Settings, connection: Connection) {
    this.#connection = connection;
    this.#folders = [['DATA_DIR', dataDir] as const, ...(logDir === undefined ? [] : [['LOG_DIR', logDir] as const])];
    this.#certificateEndsMs = tls && new X509Certificate(readFileSync(tls.certFile)).validToDate.getTime();
    this.#resources = { folders: [], redis: undefined, certificateEndsMs: this.#certificateEndsMs };
    connection.on('ready', () => void this.#look());
    this.#lookLater();
  }

  get resources(): Resources {
    return this.#resources;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #lookLater(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#look().finally(() => this.#lookLater()), LOOK_MS).unref();
  }

  async #look(): Promise<void> {
    const [redis, ...folders] = await Promise.all([
      readServerResources(this.#connection),
      ...this.#folders.map(([name, path]) => measureDisk(name, path)),
    ]);
    const found = folders.filter((folder) => folder !== undefined);
    this.#resources = { folders: found, redis, certificateEndsMs: this.#certificateEndsMs };
  }
}

/** Both counts leave out what is reserved for root, as `df` does for its percentage: a service can neither fill nor use it. */
async function measureDisk(name: string, path: string): Promise<Folder | undefined> {
  try {
    const { bavail, bfree, blocks, bsize } = await statfs(path);
    return { name, freeBytes: bavail * bsize, sizeBytes: (blocks - bfree + bavail) * bsize };
  } catch {
    return undefined;
  }
}
