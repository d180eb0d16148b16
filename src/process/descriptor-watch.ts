import { readdir, readFile, stat } from 'node:fs/promises';
import type { Logger } from '../telemetry/log.ts';
import { repeat } from './repeat.ts';

const LOOK_MS = 5000;

/** File descriptors of the process: every connection and every file takes one. */
export interface Descriptors {
  readonly open: number;
  /** At this number no connection is accepted any more. */
  readonly limit: number;
}

/** Above this share of the descriptors somebody has to act before the last one is taken. */
const MOST_DESCRIPTORS = 0.8;

/** Counts at intervals the open files of the process, connections included. */
export class DescriptorWatch {
  readonly #log: Logger;
  #isShort = false;
  /** Undefined where the system does not show them. */
  descriptors: Descriptors | undefined;
  /** Ends the looks. */
  readonly close: () => void;

  constructor(log: Logger) {
    this.#log = log;
    void this.#look();
    this.close = repeat(LOOK_MS, () => this.#look());
  }

  /** That the process is about to run out of file descriptors; undefined while it has enough. */
  get shortage(): string | undefined {
    if (!this.descriptors) return undefined;
    const { open, limit } = this.descriptors;
    if (open <= limit * MOST_DESCRIPTORS) return undefined;
    return `${open} of ${limit} file descriptors are open; without a free one no connection is accepted`;
  }

  /** Logs a shortage when it begins and when it ends. */
  async #look(): Promise<void> {
    this.descriptors = await countDescriptors();
    const reason = this.shortage;
    if (this.#isShort === (reason !== undefined)) return;
    this.#isShort = reason !== undefined;
    if (reason !== undefined) this.#log.warn({ reason }, 'file descriptors run out');
    else this.#log.info(this.descriptors ?? {}, 'file descriptors: enough again');
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
