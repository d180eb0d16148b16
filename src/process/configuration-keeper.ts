import { packConfiguration } from '../calls/past-basket.ts';
import type { CheckedEnvironment } from '../programme/environment.ts';
import type { Connection } from '../redis/connection.ts';
import { keepConfiguration } from '../store/configurations.ts';
import type { Store } from '../store/store.ts';
import type { Logger } from '../telemetry/log.ts';

/** A configuration in force is noted again before what was noted ends. */
const REPEAT_MS = 3_600_000;

/** The configuration in force and its store. */
interface InForce {
  readonly checked: CheckedEnvironment;
  readonly store: Store;
}

/**
 * Keeps the configuration in force in Redis, so that a past basket can be explained by the one that priced it: whenever
 * Redis becomes ready, after each reload (`keep`), and every hour.
 */
export class ConfigurationKeeper {
  readonly #inForce: () => InForce;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;

  constructor(inForce: () => InForce, connection: Connection, log: Logger) {
    [this.#inForce, this.#log] = [inForce, log];
    connection.on('ready', () => void this.keep());
    this.#timer = setInterval(() => void this.keep(), REPEAT_MS).unref();
  }

  /** Never throws: calls do not need it. */
  async keep(): Promise<void> {
    const { checked, store } = this.#inForce();
    try {
      await keepConfiguration(store, checked.version, await packConfiguration(checked));
    } catch (error) {
      this.#log.warn({ reason: (error as Error).message }, 'configuration not kept');
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
