import { isStaging } from '../programme/environment-name.ts';
import type { RedisCause } from '../redis/cause.ts';
import type { Connection } from '../redis/connection.ts';
import {
  inspectSettings,
  isGrave,
  type Setting,
  type SettingFinding,
  type SettingState,
} from '../redis/server-checks.ts';
import type { Logger } from '../telemetry/log.ts';
import { repeat } from './repeat.ts';

/** A setting may be changed at any time, and an eviction policy loses holds from then on. A look is two commands a server. */
const LOOK_MS = 2000;

/**
 * Looks at the settings of Redis whenever it becomes ready and every few seconds. In production a grave one makes the
 * process not ready; elsewhere it is a fact beside the checks, because a developer's Redis is rarely set up for production.
 */
export class SettingsWatch {
  readonly #connection: Connection;
  readonly #isProduction: boolean;
  readonly #log: Logger;
  #findings: readonly SettingFinding[] = [];
  #hasLooked = false;
  /** Ends the looks. */
  readonly close: () => void;

  constructor(connection: Connection, environment: string, log: Logger) {
    [this.#connection, this.#isProduction, this.#log] = [connection, !isStaging(environment), log];
    connection.on('ready', () => void this.#look(true));
    this.close = repeat(LOOK_MS, () => this.#look(false));
  }

  /** Why production is not ready; undefined elsewhere, and while no grave setting is wrong. */
  get reason(): string | undefined {
    return this.#isProduction ? join(this.#findings.filter(isGrave)) : undefined;
  }

  /**
   * In production no call is answered while Redis may drop keys, because a hold that was dropped is a benefit given twice. The
   * other settings do no harm before Redis ends.
   */
  get obstacle(): RedisCause | undefined {
    const isEvicting = this.#isProduction && this.stateOf('maxmemory-policy') === 'wrong';
    return isEvicting ? 'evicts_keys' : undefined;
  }

  /** Settings that are wrong, with which this process is ready all the same. */
  get wrong(): string | undefined {
    return join(this.#findings.filter((found) => found.state === 'wrong' && !(this.#isProduction && isGrave(found))));
  }

  /** Settings that weaken a promise, and those that the server does not show. */
  get weak(): string | undefined {
    return join(this.#findings.filter(({ state }) => state !== 'wrong'));
  }

  /** The state of a setting for the metric; the worst of all servers. Unknown before the first look. */
  stateOf(setting: Setting): SettingState {
    if (!this.#hasLooked) return 'unknown';
    const states = this.#findings.filter((found) => found.setting === setting).map(({ state }) => state);
    return (['wrong', 'weak', 'unknown'] as const).find((state) => states.includes(state)) ?? 'right';
  }

  /** Never throws. What was found stays while Redis cannot be asked. */
  async #look(isFirst: boolean): Promise<void> {
    if (!this.#connection.isAvailable) return;
    try {
      const found = await inspectSettings(this.#connection);
      this.#tell(found);
      [this.#findings, this.#hasLooked] = [found, true];
    } catch (error) {
      if (isFirst) this.#log.warn({ reason: (error as Error).message }, 'redis settings not looked at');
    }
  }

  /** Logs what is new and what is over, once each, so that a connection that comes and goes repeats nothing. */
  #tell(found: readonly SettingFinding[]): void {
    const [known, now] = [this.#findings, found].map((findings) => new Set(findings.map(({ detail }) => detail)));
    for (const fault of now as Set<string>) if (!known?.has(fault)) this.#log.warn({ fault }, 'redis settings');
    for (const fault of known as Set<string>) {
      if (!now?.has(fault)) this.#log.info({ fault }, 'redis settings: no longer so');
    }
  }
}

function join(findings: readonly SettingFinding[]): string | undefined {
  return findings.length === 0 ? undefined : [...new Set(findings.map(({ detail }) => detail))].join('; ');
}
