import type { Writable } from 'node:stream';

/**
 * Gathers what is written in one turn of the event loop. The Redis client writes every command to the socket by itself, a
 * system call each; held back until the turn ends, the commands of all calls of that turn leave in one (measured:
 * docs/measurements/service.md).
 */
export class TurnPipeline {
  readonly #streams: () => readonly (Writable | null | undefined)[];
  readonly #lastWork: (() => void)[] = [];
  #isHolding = false;

  /** `streams` is asked once a turn: a client that reconnects has another socket. */
  constructor(streams: () => readonly (Writable | null | undefined)[]) {
    this.#streams = streams;
  }

  /** What is written from now on leaves when the turn ends. */
  hold(): void {
    if (this.#isHolding) return;
    this.#isHolding = true;
    const streams = this.#streams();
    for (const stream of streams) stream?.cork();
    setImmediate(() => {
      for (const work of this.#lastWork.splice(0)) work();
      this.#isHolding = false;
      for (const stream of streams) stream?.uncork();
    });
  }

  /** Calls `work`, which must not throw, when the turn ends; what it writes leaves with the rest of the turn. */
  beforeEnd(work: () => void): void {
    this.hold();
    this.#lastWork.push(work);
  }
}
