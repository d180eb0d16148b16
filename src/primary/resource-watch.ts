import { statfs } from 'node:fs/promises';
import { repeat } from '../process/repeat.ts';
import type { Connection } from '../redis/connection.ts';
import { readServerResources } from '../redis/server-resources.ts';
import type { Settings } from '../settings.ts';
import type { Folder, Resources } from '../telemetry/resources.ts';

/** How often disks and Redis are looked at; Prometheus usually scrapes less often. */
const LOOK_MS = 5000;

/** Reads at intervals what the service stands on. A slow disk or server delays the next look and nothing else. */
export class ResourceWatch {
  readonly #connection: Connection;
  readonly #folders: readonly (readonly [name: string, path: string])[];
  #figures: Resources = { folders: [], redis: undefined };
  /** Ends the looks. */
  readonly close: () => void;

  constructor({ dataDir, logDir }: Settings, connection: Connection) {
    this.#connection = connection;
    this.#folders = [['DATA_DIR', dataDir] as const, ...(logDir === undefined ? [] : [['LOG_DIR', logDir] as const])];
    connection.on('ready', () => void this.#look());
    this.close = repeat(LOOK_MS, () => this.#look());
  }

  get figures(): Resources {
    return this.#figures;
  }

  async #look(): Promise<void> {
    const [redis, ...folders] = await Promise.all([
      readServerResources(this.#connection),
      ...this.#folders.map(([name, path]) => measureDisk(name, path)),
    ]);
    this.#figures = { folders: folders.filter((folder) => folder !== undefined), redis };
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
