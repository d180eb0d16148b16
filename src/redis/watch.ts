import type { Logger } from '../telemetry/log.ts';
import type { RedisAddress } from './address.ts';
import { describeTrouble, type RedisTrouble, troubleOfReply } from './cause.ts';
import type { Connection } from './connection.ts';
import { diagnose } from './diagnosis.ts';
import { describePlace } from './dialogue.ts';

/** How often a working Redis is checked; each check costs it one command. */
const CALM_MS = 1000;
const TROUBLED_MS = 250;
/** How often the log shows the progress of a load; a large file takes minutes. */
const PROGRESS_MS = 5000;
/**
 * A reconnection takes a moment. After this many diagnoses without a reason the state is reported as unknown trouble.
 */
const LOOKS_WITHOUT_REASON = 8;
/**
 * A loading server answers between two parts of its file alone, and a slow disk makes them long. Until it was silent this many
 * times in a row, at some 1.3 s each, it counts as loading.
 */
const LOOKS_AT_SILENT_LOADING = 8;

/** Writes nothing, because the key never exists, but is refused whenever a write would be. */
const WRITE_NOTHING = "return redis.call('SET', KEYS[1], '', 'XX')";

/**
 * Finds the reason why Redis cannot be used, for readiness, metrics and the log. While the connection is down, it tries
 * the steps of a connection by itself; while it is up, it tests whether a script could write. Calls never wait for it.
 */
export class RedisWatch {
  readonly #connection: Connection;
  readonly #address: RedisAddress;
  readonly #probeKey: string;
  readonly #log: Logger;
  #trouble: RedisTrouble | undefined;
  /** The trouble that was logged last. */
  #told: { readonly trouble: RedisTrouble; readonly wasReached: boolean } | undefined;
  #toldAtMs = 0;
  #looksWithoutReason = 0;
  #looksAtSilence = 0;
  /** Incremented whenever the connection comes or goes, which makes the result of an earlier check obsolete. */
  #generation = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `probeKey` names a key that never exists and that the credentials may write. */
  constructor(connection: Connection, address: RedisAddress, probeKey: string, log: Logger) {
    [this.#connection, this.#address, this.#probeKey, this.#log] = [connection, address, probeKey, log];
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
    const found = isReached ? await this.#askForWrite() : await this.#findReason();
    if (generation !== this.#generation) return;
    this.#trouble = found;
    if (found) this.#tell(found, isReached);
    else if (isReached) this.#tellEnd();
    this.#lookIn(isReached && !found ? CALM_MS : TROUBLED_MS);
  }

  async #askForWrite(): Promise<RedisTrouble | undefined> {
    try {
      await this.#connection.client.eval(WRITE_NOTHING, 1, this.#probeKey);
      return undefined;
    } catch (error) {
      const { name, message } = error as Error;
      // Any error but a reply means that the connection has ended, which the connection itself reports.
      return name === 'ReplyError' ? troubleOfReply(describeAddress(this.#address), message) : undefined;
    }
  }

  async #findReason(): Promise<RedisTrouble | undefined> {
    if (this.#connection.objection) return this.#connection.objection;
    const found = await diagnose(this.#address);
    if (found?.cause === 'no_answer' && this.#trouble?.cause === 'loading') {
      this.#looksAtSilence += 1;
      if (this.#looksAtSilence < LOOKS_AT_SILENT_LOADING) return this.#trouble;
    } else this.#looksAtSilence = 0;
    this.#looksWithoutReason = found ? 0 : this.#looksWithoutReason + 1;
    if (found || this.#looksWithoutReason < LOOKS_WITHOUT_REASON) return found;
    const why = this.#connection.unavailableReason ?? 'no reason known';
    return { cause: 'unknown', detail: `${describeAddress(this.#address)} answers, but cannot be used: ${why}` };
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
}

/** The part of an address that may be shown, without user and password. */
function describeAddress(address: RedisAddress): string {
  switch (address.kind) {
    case 'socket':
      return address.path;
    case 'single':
      return describePlace(address.node);
    case 'sentinel':
      return `the master "${address.name}"`;
    case 'cluster':
      return 'the cluster';
  }
}
