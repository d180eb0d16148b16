/**
 * After so many replies the event loop looks at its other sockets. What follows a reply takes about a tenth of a
 * millisecond, and a call that is refused at once would wait for all of a burst. Ordinary turns of a busy service have
 * fewer: to divide them costs a tenth of the CPU, because fewer commands leave together.
 */
const REPLIES_A_TURN = 128;

/** Hands replies on in their order, a bounded number in one turn of the event loop. */
export class ReplyPace {
  #given = 0;
  readonly #waiting: (() => void)[] = [];

  /** The reply, or the promise of it in a later turn. */
  pass<T>(reply: T): T | Promise<T> {
    if (this.#waiting.length === 0 && this.#given < REPLIES_A_TURN) {
      if (this.#given === 0) setImmediate(() => this.#begin());
      this.#given += 1;
      return reply;
    }
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(reply));
    });
  }

  /** The end of a turn: its sockets have been looked at, and those of the next come before what waits. */
  #begin(): void {
    this.#given = 0;
    if (this.#waiting.length > 0) setImmediate(() => this.#goOn());
  }

  #goOn(): void {
    for (const give of this.#waiting.splice(0, REPLIES_A_TURN)) give();
    if (this.#waiting.length > 0) setImmediate(() => this.#goOn());
  }
}
