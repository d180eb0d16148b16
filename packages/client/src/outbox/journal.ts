import type { TellFault } from '../faults.ts';
import { Ledger } from './ledger.ts';
import type { OutboxRecord, OutboxStore } from './store.ts';

/** Records that a store may take beyond what is needed before it is compacted. */
const COMPACTION_SLACK = 2_000;
/** After a refusal by the store the records are offered to it again, so that a disk with room again gets them. */
const SAVE_AGAIN_MS = 1_000;

/**
 * Keeps ledger and store in step. A fact is in the ledger at once, and in the store after the next pass; passes follow one
 * another, and everything that is entered during one shares the next. Facts that the store refused are remembered by
 * calculation and are part of every pass until one succeeds.
 */
export class Journal {
  readonly ledger = new Ledger();
  readonly #store: OutboxStore;
  readonly #tellFault: TellFault;
  /** Calculations of which the store lacks something, or may lack it. */
  readonly #unsaved = new Set<string>();
  /** Those of them that the pass under way is writing. */
  #writing: ReadonlySet<string> = new Set();
  /** The pass under way or the last one. It resolves to whether the store took everything, and never rejects. */
  #pass: Promise<boolean> = Promise.resolve(true);
  #nextPass: Promise<boolean> | undefined;
  /** Refused calculations that were told already: a full disk is told once, not once a second. */
  readonly #told = new Set<string>();
  #again: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Records that the store has taken, or may have, since it was compacted or could not be. */
  #recordsTaken = 0;

  private constructor(store: OutboxStore, tellFault: TellFault) {
    this.#store = store;
    this.#tellFault = tellFault;
  }

  /** Reads the store. Throws when it cannot be read; then the store is closed again. */
  static async open(store: OutboxStore, tellFault: TellFault): Promise<Journal> {
    const journal = new Journal(store, tellFault);
    try {
      const records = await store.load();
      for (const record of records) journal.ledger.apply(record);
      journal.#recordsTaken = records.length - journal.ledger.size;
      return journal;
    } catch (error) {
      await store.close().catch(() => {});
      throw error;
    }
  }

  /** Enters a fact. Resolves to whether the store has it. */
  enter(record: OutboxRecord): Promise<boolean> {
    this.ledger.apply(record);
    return this.#save(record.calculationId);
  }

  /** Resolves to whether the store has all that is known of a calculation. Waits for a pass under way, and repeats a failed one. */
  async isSaved(calculationId: string): Promise<boolean> {
    if (this.#unsaved.has(calculationId)) return this.#save(calculationId);
    return this.#writing.has(calculationId) ? this.#pass : true;
  }

  /** Offers the store a last time what it refused, names what it still lacks, and closes it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#again);
    await (this.#unsaved.size > 0 ? this.#planPass() : this.#pass);
    if (this.#unsaved.size > 0) this.#tellFault('closed without having been written', [...this.#unsaved]);
    await this.#store.close();
  }

  #save(calculationId: string): Promise<boolean> {
    this.#unsaved.add(calculationId);
    return this.#planPass();
  }

  #planPass(): Promise<boolean> {
    this.#nextPass ??= this.#pass.then(() => {
      // Whoever comes from here on shares the pass after this one.
      this.#nextPass = undefined;
      clearTimeout(this.#again);
      this.#writing = new Set(this.#unsaved);
      this.#pass = this.#write(this.#writing);
      return this.#pass;
    });
    return this.#nextPass;
  }

  async #write(calculationIds: ReadonlySet<string>): Promise<boolean> {
    this.#unsaved.clear();
    try {
      if (!(await this.#compactWhenDue())) {
        const records = [...calculationIds].flatMap((calculationId) => this.ledger.recordsOf(calculationId));
        this.#recordsTaken += records.length;
        await this.#store.append(records);
      }
      this.#told.clear();
      return true;
    } catch (error) {
      for (const calculationId of calculationIds) this.#unsaved.add(calculationId);
      this.#tellRefused(error as Error);
      if (!this.#isClosed) this.#again = setTimeout(() => void this.#planPass(), SAVE_AGAIN_MS).unref();
      return false;
    } finally {
      this.#writing = new Set();
    }
  }

  #tellRefused(error: Error): void {
    const untold = [...this.#unsaved].filter((calculationId) => !this.#told.has(calculationId));
    for (const calculationId of untold) this.#told.add(calculationId);
    if (untold.length > 0) this.#tellFault(`the outbox could not be written: ${error.message}`, untold);
  }

  /** Resolves to true when the store was replaced by the ledger, which holds what this pass would append. */
  async #compactWhenDue(): Promise<boolean> {
    if (this.#recordsTaken < this.ledger.size + COMPACTION_SLACK) return false;
    this.#recordsTaken = 0;
    try {
      await this.#store.replace(this.ledger.records());
      return true;
    } catch (error) {
      // Appending may still succeed, and nobody gains by trying to compact with every event.
      this.#tellFault(`the outbox could not be compacted: ${(error as Error).message}`, []);
      return false;
    }
  }
}
