import type { DataGuard } from '../store/data-guard.ts';
import { type Dataset, type FoundData, findData, markData, nameData } from '../store/dataset.ts';
import type { StoredMember } from '../store/members.ts';
import type { Store } from '../store/store.ts';
import type { Logger } from '../telemetry/log.ts';
import type { DatasetFile } from './dataset-file.ts';

const LOOK_MS = 2000;
/** Data that seems gone is looked at once more: another process may be naming it at this moment. */
const CONFIRM_MS = 200;

/** What is in force, read at each look. */
export interface Watched {
  readonly store: Store;
  /** True of a member of the configuration file, which the service itself writes again. */
  readonly isInFile: (member: StoredMember) => boolean;
}

/**
 * Notices a Redis that came back empty. The data has a name, which stands in the data and is remembered by this process and
 * in `DATA_DIR`; where that name is missing, the data is gone. It is then not named again: a person restores it, or accepts
 * what is there. Meanwhile the service answers all that it can answer rightly.
 */
export class DataWatch {
  readonly #watched: () => Watched;
  readonly #guard: DataGuard;
  readonly #file: DatasetFile;
  readonly #log: Logger;
  #known: Dataset | undefined;
  #lost: readonly string[] | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(watched: () => Watched, guard: DataGuard, file: DatasetFile, log: Logger) {
    [this.#watched, this.#guard, this.#file, this.#log] = [watched, guard, file, log];
    this.#know(file.read());
    watched().store.connection.on('ready', () => this.#lookIn(0));
    this.#lookIn(LOOK_MS);
  }

  /** True while data is known to be gone, of one master of a cluster or of all. */
  get isGone(): boolean {
    return this.#lost !== undefined;
  }

  /**
   * Why the process is not ready: all data is gone, and with it members that nobody here can write again, so that their calls
   * cannot be answered.
   */
  get reason(): string | undefined {
    return this.#lost?.length === 0 && this.#known?.hasMembers ? this.#describe() : undefined;
  }

  /** The same when calls are answered all the same: members of the configuration file, and those of the other masters. */
  get fact(): string | undefined {
    return this.isGone && this.reason === undefined ? this.#describe() : undefined;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #describe(): string {
    const where = this.#lost?.length === 0 ? 'Redis' : `Redis at ${this.#lost?.join(', ')}`;
    return `data_gone: the data is gone: ${where} came back empty; restore a backup, or accept what is there`;
  }

  #lookIn(delayMs: number): void {
    clearTimeout(this.#timer);
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#look(), delayMs).unref();
  }

  /** Never throws: what was found stays while Redis cannot be asked. */
  async #look(): Promise<void> {
    try {
      await this.#find();
    } catch (error) {
      this.#log.debug({ reason: (error as Error).message }, 'data not looked at');
    }
    this.#lookIn(LOOK_MS);
  }

  async #find(): Promise<void> {
    const { store } = this.#watched();
    if (!store.connection.isAvailable) return;
    let found = await findData(store, this.#known);
    if (found.outcome === 'gone' && !this.isGone) {
      await new Promise((resolve) => setTimeout(resolve, CONFIRM_MS).unref());
      found = await findData(store, this.#known);
    }
    if (found.outcome === 'unnamed') {
      await nameData(store, () => this.#hasOwnMembers());
      found = await findData(store, this.#known);
    }
    if (found.outcome === 'whole' && !found.isMarked) await markData(store, found.dataset.name);
    this.#apply(found);
  }

  #apply(found: FoundData): void {
    if (found.outcome === 'gone') {
      if (!this.isGone) this.#log.error({ cause: 'data_gone', servers: found.servers.join(', ') }, 'redis data gone');
      this.#lost = found.servers;
    } else if (found.outcome === 'whole') {
      if (this.isGone) this.#log.info({ cause: 'data_gone' }, 'redis data is there');
      this.#lost = undefined;
      this.#know(found.dataset);
    }
  }

  #know(dataset: Dataset | undefined): void {
    const isNew = dataset?.name !== this.#known?.name || dataset?.hasMembers !== this.#known?.hasMembers;
    this.#known = dataset;
    if (!dataset || !isNew) return;
    this.#guard.expect(dataset);
    this.#file.write(dataset);
  }

  /** Whether data of a version before has members that are not in the configuration file. The first one ends the search. */
  async #hasOwnMembers(): Promise<boolean> {
    const { store, isInFile } = this.#watched();
    const { scanMembers } = await import('../store/member-scan.ts');
    for await (const { members } of scanMembers(store)) if (!members.every(isInFile)) return true;
    return false;
  }
}
