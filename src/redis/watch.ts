import type { Logger } from '../telemetry/log.ts';
import { describeAddress, type RedisAddress } from './address.ts';
import { describeTrouble, type RedisCause, type RedisTrouble, troubleOfCause } from './cause.ts';
import type { Connection } from './connection.ts';
import { RefusedCalls } from './refused-calls.ts';
import { findRoom, probeWrites } from './write-probe.ts';

/** How often a working Redis is checked; each check costs it one command. */
const CALM_MS = 1000;
const TROUBLED_MS = 250;
/** How often the log shows the progress of a load; a large file takes minutes. */
const PROGRESS_MS = 5000;
/** A reconnection takes a moment. After this many looks without a reason the state is reported as unknown trouble. */
const LOOKS_WITHOUT_REASON = 8;

/** Causes that no server replied with: they are found, and end, by other watches. */
const OF_OTHERS: readonly RedisCause[] = ['master_away', 'data_gone', 'evicts_keys'];

/** A master of a cluster, and its trouble while it has one. */
export interface MasterState {
  readonly server: string;
  readonly trouble: RedisTrouble | undefined;
}

/**
 * Finds the reason why Redis cannot be used, for readiness, metrics and the log. While the connection is down, it is what the
 * client's attempts ended with; while it is up, the watch tests whether a script could write, and trusts calls that were
 * refused more than its own test. Calls never wait for it.
 *
 * Of a cluster, trouble of every master is trouble of Redis. While some masters serve, the others are named (`masters`), and
 * the service stays ready: without it the calls of the healthy masters would not be answered either.
 */
export class RedisWatch {
  readonly #connection: Connection;
  /** The server, for messages. */
  readonly #where: string;
  readonly #probeKey: string;
  readonly #log: Logger;
  readonly #refused = new RefusedCalls();
  #trouble: RedisTrouble | undefined;
  #masters: readonly MasterState[] = [];
  /** Masters whose trouble was logged, with its cause. */
  readonly #toldMasters = new Map<string, RedisCause>();
  /** The trouble that was logged last. */
  #told: { readonly trouble: RedisTrouble; readonly wasReached: boolean } | undefined;
  #toldAtMs = 0;
  #looksWithoutReason = 0;
  /** Incremented whenever the connection comes or goes, which makes the result of an earlier check obsolete. */
  #generation = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `probeKey` names a key that never exists and that the credentials may write. */
  constructor(connection: Connection, address: RedisAddress, probeKey: string, log: Logger) {
    [this.#connection, this.#where, this.#probeKey, this.#log] = [connection, describeAddress(address), probeKey, log];
    connection.on('ready', () => this.#startOver(0));
    connection.on('down', () => this.#startOver(0));
    // A working Redis has answered long before this.
    this.#startOver(TROUBLED_MS);
  }

  /** Undefined while Redis can be used, and until the reason is known. */
  get trouble(): RedisTrouble | undefined {
    return this.#trouble;
  }

  /** The reason why calls are answered 503, in words; undefined while they are served. */
  get reason(): string | undefined {
    return this.#trouble ? describeTrouble(this.#trouble) : this.#connection.unavailableReason;
  }

  /** The masters of a cluster; without a cluster, none. */
  get masters(): readonly MasterState[] {
    return this.#masters;
  }

  /** Masters in trouble while others serve, in words; undefined while all of them serve. */
  get mastersInTrouble(): string | undefined {
    const troubles = this.#trouble ? [] : this.#masters.flatMap(({ trouble }) => (trouble ? [trouble] : []));
    return troubles.length === 0 ? undefined : troubles.map(describeTrouble).join('; ');
  }

  /** Notes a call that Redis refused; `server` is the master of a cluster. The cause counts at once. */
  noteRefused(cause: RedisCause, server = ''): void {
    if (OF_OTHERS.includes(cause) || !this.#refused.note(cause, server)) return;
    if (server === '' && !this.#connection.isCluster)
      this.#apply(this.#troubleMet(server), this.#connection.isAvailable);
    this.#lookIn(0);
  }

  /** Notes a call that Redis served, with what it wrote. */
  noteServed(): void {
    this.#refused.noteServed();
  }

  close(): void {
    this.#generation += 1;
    clearTimeout(this.#timer);
  }

  #startOver(delayMs: number): void {
    this.#generation += 1;
    this.#looksWithoutReason = 0;
    this.#lookIn(delayMs);
  }

  #lookIn(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), delayMs).unref();
  }

  async #look(): Promise<void> {
    const generation = this.#generation;
    const isReached = this.#connection.isAvailable;
    const found = isReached ? await this.#findRefusal() : this.#findReason();
    if (generation !== this.#generation) return;
    this.#apply(found, isReached);
    const isCalm = isReached && !found && this.mastersInTrouble === undefined;
    this.#lookIn(isCalm ? CALM_MS : TROUBLED_MS);
  }

  #apply(found: RedisTrouble | undefined, isReached: boolean): void {
    this.#trouble = found;
    if (found) this.#tell(found, isReached);
    else if (isReached) this.#tellEnd();
    this.#tellMasters();
  }

  /** Asks every server whether it takes writes, and joins what it says with what calls met there. */
  async #findRefusal(): Promise<RedisTrouble | undefined> {
    const { masters } = this.#connection;
    const probed = await probeWrites(this.#connection, this.#probeKey, this.#where);
    const states = new Map<string, RedisTrouble | undefined>();
    for (const { server, trouble } of probed) states.set(server, trouble ?? (await this.#findMet(server)));
    if (!this.#connection.isCluster) return states.get('');
    for (const server of masters.away) states.set(server, troubleOfCause(server, 'master_away'));
    this.#masters = masters.places.map((server) => ({ server, trouble: states.get(server) }));
    const isServed = this.#masters.length === 0 || this.#masters.some(({ trouble }) => trouble === undefined);
    if (isServed) return undefined;
    // The trouble of a master that answers explains more than that another one is away.
    const troubles = this.#masters.map(({ trouble }) => trouble);
    return troubles.find((trouble) => trouble?.cause !== 'master_away') ?? troubles[0];
  }

  /** The trouble that calls met at a server which takes our probe, until it is over. */
  async #findMet(server: string): Promise<RedisTrouble | undefined> {
    const cause = this.#refused.causeAt(server);
    if (cause === undefined) return undefined;
    const hasRoom = cause === 'out_of_memory' ? await findRoom(this.#connection, server) : undefined;
    this.#refused.settle(server, hasRoom);
    return this.#troubleMet(server);
  }

  #troubleMet(server: string): RedisTrouble | undefined {
    const cause = this.#refused.causeAt(server);
    return cause && troubleOfCause(server === '' ? this.#where : server, cause);
  }

  #findReason(): RedisTrouble | undefined {
    const found = this.#connection.trouble;
    this.#looksWithoutReason = found ? 0 : this.#looksWithoutReason + 1;
    if (found || this.#looksWithoutReason < LOOKS_WITHOUT_REASON) return found;
    const why = this.#connection.unavailableReason ?? 'no reason known';
    return { cause: 'unknown', detail: `${this.#where} answers, but cannot be used: ${why}` };
  }

  #tell(trouble: RedisTrouble, wasReached: boolean): void {
    const reason = describeTrouble(trouble);
    if (this.#told?.trouble.cause !== trouble.cause) {
      this.#log.warn({ cause: trouble.cause, reason }, wasReached ? 'redis refuses writes' : 'redis unreachable');
    } else if (trouble.cause === 'loading' && performance.now() - this.#toldAtMs >= PROGRESS_MS) {
      this.#log.info({ cause: trouble.cause, reason }, 'redis loading');
    } else return;
    this.#told = { trouble, wasReached };
    this.#toldAtMs = performance.now();
  }

  #tellEnd(): void {
    if (!this.#told) return;
    const { trouble, wasReached } = this.#told;
    this.#log.info({ cause: trouble.cause }, wasReached ? 'redis takes writes again' : 'redis reachable again');
    this.#told = undefined;
  }

  /** While no master serves, their common trouble is logged instead. */
  #tellMasters(): void {
    if (this.#trouble) return;
    for (const { server, trouble } of this.#masters) {
      const told = this.#toldMasters.get(server);
      if (trouble?.cause === told) continue;
      if (trouble) {
        this.#toldMasters.set(server, trouble.cause);
        this.#log.warn({ server, cause: trouble.cause, reason: describeTrouble(trouble) }, 'redis master in trouble');
      } else {
        this.#toldMasters.delete(server);
        this.#log.info({ server, cause: told }, 'redis master serves again');
      }
    }
  }
}
