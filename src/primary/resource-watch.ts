import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import type { Connection } from '../redis/connection.ts';
import { readServerResources } from '../redis/server-resources.ts';
import type { Settings } from '../settings.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Descriptors, Folder, Resources } from '../telemetry/resources.ts';
import { repeat } from './repeat.ts';

/** How often disks and Redis are looked at; Prometheus usually scrapes less often. */
const LOOK_MS = 5000;

/** Above this share of the descriptors somebody has to act before the last one is taken. */
const MOST_DESCRIPTORS = 0.8;

/** The facts that this watch reports beside the checks of readiness. */
export const RESOURCE_FACTS = ['descriptors'] as const;

/** Reads at intervals what the process stands on. A slow disk or server delays the next look and nothing else. */
export class ResourceWatch {
  readonly #connection: Connection;
  readonly #folders: readonly (readonly [name: string, path: string])[];
  readonly #certificateEndsMs: number | undefined;
  readonly #log: Logger;
  #isShort = false;
  #resources: Resources;
  /** Ends the looks. */
  readonly close: () => void;

  /** The certificate is read once, as the listener reads it. */
  constructor({ dataDir, logDir, tls }: Settings, connection: Connection, log: Logger) {
    [this.#connection, this.#log] = [connection, log];
    this.#folders = [['DATA_DIR', dataDir] as const, ...(logDir === undefined ? [] : [['LOG_DIR', logDir] as const])];
    this.#certificateEndsMs = tls && new X509Certificate(readFileSync(tls.certFile)).validToDate.getTime();
    this.#resources = {
      folders: [],
      redis: undefined,
      descriptors: undefined,
      certificateEndsMs: this.#certificateEndsMs,
    };
    connection.on('ready', () => void this.#look());
    this.close = repeat(LOOK_MS, () => this.#look());
  }

  get resources(): Resources {
    return this.#resources;
  }

  /** That the process is about to run out of file descriptors; undefined while it has enough. */
  get shortage(): string | undefined {
    const { descriptors } = this.#resources;
    if (!descriptors || descriptors.open <= descriptors.limit * MOST_DESCRIPTORS) return undefined;
    const { open, limit } = descriptors;
    return `${open} of ${limit} file descriptors are open; without a free one no connection is accepted`;
  }

  async #look(): Promise<void> {
    const [redis, descriptors, ...folders] = await Promise.all([
      readServerResources(this.#connection),
      countDescriptors(),
      ...this.#folders.map(([name, path]) => measureDisk(name, path)),
    ]);
    const found = folders.filter((folder) => folder !== undefined);
    this.#resources = { folders: found, redis, descriptors, certificateEndsMs: this.#certificateEndsMs };
    this.#report();
  }

  /** Logs a shortage when it begins and when it ends. */
  #report(): void {
    const reason = this.shortage;
    if (this.#isShort === (reason !== undefined)) return;
    this.#isShort = reason !== undefined;
    if (reason !== undefined) this.#log.warn({ reason }, 'file descriptors run out');
    else this.#log.info(this.#resources.descriptors ?? {}, 'file descriptors: enough again');
  }
}

/**
 * The descriptors of this process, as Linux shows them. The limit is read each time, because it can be changed from
 * outside. Since Linux 6.2 the size of the folder is the number of its entries, so that tens of thousands need not be listed.
 */
async function countDescriptors(): Promise<Descriptors | undefined> {
  try {
    const limits = await readFile('/proc/self/limits', 'utf8');
    const limit = Number(/^Max open files +(\d+)/m.exec(limits)?.[1]);
    const { size } = await stat('/proc/self/fd');
    const open = size > 0 ? size : (await readdir('/proc/self/fd')).length;
    return Number.isFinite(limit) ? { open, limit } : undefined;
  } catch {
    return undefined;
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
