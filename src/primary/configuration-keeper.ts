import { packConfiguration } from '../programme/packed.ts';
import type { Connection } from '../redis/connection.ts';
import { noteConfiguration } from '../store/configuration-history.ts';
import { keepConfiguration } from '../store/configurations.ts';
import type { Logger } from '../telemetry/log.ts';
import type { InForce } from './in-force.ts';

/** A configuration in force is noted again before what was noted ends. */
const REPEAT_MS = 3_600_000;

/**
 * Keeps the configuration in force in Redis, so that a past basket can be explained by the one that priced it, and in the list of what was in force: whenever
 * Redis becomes ready, after each reload (`keep`), and every hour.
 */
export class ConfigurationKeeper {
  readonly #inForce: () => InForce;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  /** The version that this process has noted last. */
  #noted: string | undefined;
  /** One after the other: a slow one that began before a reload would note the configuration before as the newest. */
  #last: Promise<void> = Promise.resolve();

  constructor(inForce: () => InForce, connection: Connection, log: Logger) {
    [this.#inForce, this.#log] = [inForce, log];
    connection.on('ready', () => void this.keep());
    this.#timer = setInterval(() => void this.keep(), REPEAT_MS).unref();
  }

  /** Never throws: calls do not need it. */
  keep(): Promise<void> {
    this.#last = this.#last.then(() => this.#keep());
    return this.#last;
  }

  async #keep(): Promise<void> {
    const { checked, source, store } = this.#inForce();
    const { version } = checked;
    try {
      await keepConfiguration(store, version, await packConfiguration(checked));
      const { note } = checked.file;
      const facts = { version, ...(note !== undefined && { note }), files: source.files.map(({ name }) => name) };
      // While versions are rolled out, a process with the one before must not note it again every hour.
      await noteConfiguration(store, facts, source.files, this.#noted !== version);
      this.#noted = version;
    } catch (error) {
      this.#log.warn({ reason: (error as Error).message }, 'configuration not kept');
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
