import type { RedisCause } from './cause.ts';

/** After a served call: some calls may go on being refused while others are served, and the log must not flicker. */
const CALM_MS = 1000;
/** Without another refusal for this long, a server that refused a call is believed when it says that it takes writes. */
const QUIET_MS = 2000;
/** Calls that were served for this long, without one that was refused, are believed whatever else speaks against it. */
const SERVED_MS = 5000;

interface Refused {
  readonly cause: RedisCause;
  readonly atMs: number;
}

/**
 * What real calls met at each server. A probe is smaller than a commit, so a server may take the probe and refuse every
 * call: full memory is refused by size. Times are by `performance.now()`.
 */
export class RefusedCalls {
  /** By server: the master of a cluster, or '' where there is one server only. */
  readonly #refused = new Map<string, Refused>();
  #servedAtMs = Number.NEGATIVE_INFINITY;

  /** Notes a call that a server refused. Returns true when the server's cause is new. */
  note(cause: RedisCause, server: string, nowMs = performance.now()): boolean {
    const isNew = this.#refused.get(server)?.cause !== cause;
    this.#refused.set(server, { cause, atMs: nowMs });
    return isNew;
  }

  noteServed(nowMs = performance.now()): void {
    this.#servedAtMs = nowMs;
  }

  /** The cause that calls last met at a server; undefined when it is over. */
  causeAt(server: string): RedisCause | undefined {
    return this.#refused.get(server)?.cause;
  }

  /**
   * Forgets a server's refusals once they are over: it takes the probe and has room again (undefined: unknown), and a call
   * was served since, or none was refused for a while, which is all that can be known without calls.
   */
  settle(server: string, hasRoom: boolean | undefined, nowMs = performance.now()): void {
    const refused = this.#refused.get(server);
    if (!refused) return;
    const quietMs = nowMs - refused.atMs;
    // A cluster's served call tells nothing of the master that refused another one.
    const isServed = server === '' && this.#servedAtMs > refused.atMs;
    const neededMs = hasRoom === false ? SERVED_MS : isServed ? CALM_MS : QUIET_MS;
    const isOver = quietMs >= neededMs && (isServed || hasRoom !== false);
    if (isOver) this.#refused.delete(server);
  }
}
