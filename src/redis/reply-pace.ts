/**
 * After so many replies the event loop looks at its other sockets, while calls are shed. What follows a reply takes about a tenth of a
 * millisecond, and a call that is refused at once would wait for all of a burst. At other times nobody waits so: to divide turns costs
 * a tenth of the CPU, because fewer commands leave together.
 */
const REPLIES_A_TURN = 16;

/** Hands replies on in their order, while calls are shed a bounded number in one turn of the event loop. */
export class ReplyPace {
  /** True while calls are shed. */
  isBounded = false;
  #given = 0;
  readonly #waiting: (() => void)[] = [];

  /** The reply, or the promise of it in a later turn. */
  pass<T>(reply: T): T | Promise<T> {
    if (this.#waiting.length === 0 && (!this.isBounded || this.#given < REPLIES_A_TURN)) {
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
