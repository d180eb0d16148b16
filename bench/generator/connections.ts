import { Connection } from './connection.ts';
import { Queue } from './queue.ts';

const OPEN_PATIENCE_MS = 10_000;
const POLL_MS = 5;

/**
 * The open loop's connections. The one that has been idle longest is used next, which spreads the load over all of
 * them. When all are busy, more are opened up to a limit; beyond it requests wait, and their time counts.
 */
export class Connections {
  readonly #port: number;
  readonly #longest: number;
  readonly #most: number;
  readonly #onFree: () => void;
  readonly #idle = new Queue<Connection>();
  readonly #all = new Set<Connection>();
  readonly #opening = new Set<Connection>();
  #highest = 0;

  /** `longest` is the length of the longest request; `onFree` is called when one more connection is idle. */
  constructor(port: number, longest: number, most: number, onFree: () => void) {
    this.#port = port;
    this.#longest = longest;
    this.#most = most;
    this.#onFree = onFree;
  }

  /** The highest number of open connections. */
  get highest(): number {
    return this.#highest;
  }

  /** Opens `count` connections and waits until they are open. */
  async open(count: number): Promise<void> {
    for (let opened = 0; opened < count; opened += 1) this.#add();
    const endMs = performance.now() + OPEN_PATIENCE_MS;
    while (this.#idle.length < count) {
      if (performance.now() > endMs) throw new Error(`only ${this.#idle.length} of ${count} connections were opened`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** An idle connection; undefined when all are busy. */
  take(): Connection | undefined {
    return this.#idle.shift();
  }

  /** Opens connections within the limit, until `count` are being opened. */
  reserve(count: number): void {
    while (this.#opening.size < count && this.#all.size < this.#most) this.#add();
  }

  /** Gives a connection back after its answer. */
  release(connection: Connection): void {
    if (!this.#all.has(connection)) return;
    this.#idle.push(connection);
    this.#onFree();
  }

  close(): void {
    for (const connection of this.#all) connection.close();
    this.#all.clear();
  }

  #add(): void {
    const connection = new Connection(
      this.#port,
      this.#longest,
      (opened) => {
        this.#opening.delete(opened);
        this.release(opened);
      },
      (ended) => this.#remove(ended),
    );
    this.#opening.add(connection);
    this.#all.add(connection);
    this.#highest = Math.max(this.#highest, this.#all.size);
  }

  #remove(connection: Connection): void {
    this.#all.delete(connection);
    this.#opening.delete(connection);
    this.#idle.remove(connection);
  }
}
