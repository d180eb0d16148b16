import type { DataGuard } from '../store/data-guard.ts';
import { type Dataset, type FoundData, findData, markData, nameData } from '../store/dataset.ts';
import type { StoredMember } from '../store/members.ts';
import type { Store } from '../store/store.ts';
import type { Logger } from '../telemetry/log.ts';
import type { DatasetFile } from './dataset-file.ts';
import { repeat } from './repeat.ts';

const LOOK_MS = 2000;
/** Data that seems gone is looked at once more: another process may be naming it at this moment. */
const CONFIRM_MS = 200;

/** What is in force, read at each look. */
export interface Watched {
  readonly store: Store;
  /** True of a member of the configuration file, which the service itself writes again. */
  readonly isInFile: (member: StoredMember) => boolean;
  /** The operator says that members were imported (`MEMBERS_IMPORTED`), so that an empty Redis is never a new one. */
  readonly hasImports: boolean;
}

/**
 * Notices a Redis that came back empty. The data has a name, which stands in the data and is remembered by this process and
 * in `DATA_DIR`; where that name is missing, the data is gone. It is then not named again: a person restores it, or accepts
 * what is there. Meanwhile the service answers all that it can answer rightly. Who remembers no name, as a new pod, takes an empty
 * Redis for a new one, unless the operator says that members were imported.
 */
export class DataWatch {
  readonly #watched: () => Watched;
  readonly #guard: DataGuard;
  readonly #file: DatasetFile;
  readonly #log: Logger;
  #known: Dataset | undefined;
  #lost: readonly string[] | undefined;
  /** The last look: one follows the other. */
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;
  readonly #stop: () => void;

  constructor(watched: () => Watched, guard: DataGuard, file: DatasetFile, log: Logger) {
    [this.#watched, this.#guard, this.#file, this.#log] = [watched, guard, file, log];
    this.#know(file.read());
    // Until the data was seen, a member who is not found may have been lost: no data has this name.
    if (!this.#known && watched().hasImports) guard.expect({ name: '', hasMembers: true });
    watched().store.connection.on('ready', () => void this.#look());
    this.#stop = repeat(LOOK_MS, () => this.#look());
  }

  /** Ends the looks. */
  close(): void {
    this.#isClosed = true;
    this.#stop();
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
    const hadMembers = this.#known?.hasMembers ?? this.#watched().hasImports;
    return this.#lost?.length === 0 && hadMembers ? this.#describe() : undefined;
  }

  /** The same when calls are answered all the same: members of the configuration file, and those of the other masters. */
  get fact(): string | undefined {
    return this.isGone && this.reason === undefined ? this.#describe() : undefined;
  }

  #describe(): string {
    const where = this.#lost?.length === 0 ? 'Redis' : `Redis at ${this.#lost?.join(', ')}`;
    return `data_gone: the data is gone: ${where} came back empty; restore a backup, or accept what is there`;
  }

  /** Never throws: what was found stays while Redis cannot be asked. */
  #look(): Promise<void> {
    this.#looking = this.#looking
      .then(() => (this.#isClosed ? undefined : this.#find()))
      .catch((error: Error) => this.#log.debug({ reason: error.message }, 'data not looked at'));
    return this.#looking;
  }

  async #find(): Promise<void> {
    const { store } = this.#watched();
    if (!store.connection.isAvailable) return;
    let found = await this.#findData();
    if (found.outcome === 'gone' && !this.isGone) {
      await new Promise((resolve) => setTimeout(resolve, CONFIRM_MS).unref());
      found = await this.#findData();
    }
    if (found.outcome === 'unnamed') {
      await nameData(store, () => this.#hasOwnMembers());
      found = await findData(store, this.#known);
    }
    if (found.outcome === 'whole' && !found.isMarked) await markData(store, found.dataset.name);
    this.#apply(found);
  }

  async #findData(): Promise<FoundData> {
    const { store, hasImports } = this.#watched();
    const found = await findData(store, this.#known);
    return found.outcome === 'unnamed' && hasImports ? { outcome: 'gone', servers: [] } : found;
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

  #know(found: Dataset | undefined): void {
    const dataset = found && { ...found, hasMembers: found.hasMembers || this.#watched().hasImports };
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
