/**
 * After so many replies the event loop looks at its other sockets. What follows a reply takes about a tenth of a millisecond, and a call
 * that is refused at once would wait for all of a burst. To divide ordinary turns costs a tenth of the CPU, because fewer commands
 * leave together, so turns are short only while calls are shed.
 */
const REPLIES_A_TURN = { usual: 128, whileShedding: 16 } as const;

/** Hands replies on in their order, a bounded number in one turn of the event loop. */
export class ReplyPace {
  /** True while calls are shed. */
  isShedding = false;
  #given = 0;
  readonly #waiting: (() => void)[] = [];

  get #most(): number {
    return this.isShedding ? REPLIES_A_TURN.whileShedding : REPLIES_A_TURN.usual;
  }

  /** The reply, or the promise of it in a later turn. */
  pass<T>(reply: T): T | Promise<T> {
    if (this.#waiting.length === 0 && this.#given < this.#most) {
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
    for (const give of this.#waiting.splice(0, this.#most)) give();
    if (this.#waiting.length > 0) setImmediate(() => this.#goOn());
  }
}
